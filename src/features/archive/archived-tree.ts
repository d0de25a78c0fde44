/** The tree of a revision as an archive holds it: rendered into a spool, and listed by its manifest. */

import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, variantFilesOf } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { fileNamesOf } from '../../core/tree/tree-contents.ts';
import { wholeManifest } from '../../system/trees/manifest-file.ts';
import { signTree } from '../../system/trees/signed-tree.ts';
import { planBuild } from '../build/plan-build.ts';
import { writeTree } from '../build/write-tree.ts';
import type { Sources } from '../sources/load-sources.ts';
import { archivedChoices } from './archived-sources.ts';
import { BAG_FILES } from './bag.ts';
import type { PackedFile } from './bag-writer.ts';
import { type Spool, spoolIn } from './spool.ts';

export interface ArchivedTree {
  readonly files: readonly PackedFile[];
  /** The digest of the whole, as the manifest states it. */
  readonly digest: string;
  /** How many revisions its history has. */
  readonly serial: number;
  /** Closes the files in which the contents stand, and removes them. */
  readonly close: () => void;
}

export interface TreeToArchive {
  readonly sources: Sources;
  readonly revision: string;
  /** The digest of its sources, for the manifest. */
  readonly sourcesDigest: string;
  /** A folder that is not there yet. */
  readonly folder: string;
  /** A key of ssh-keygen with which its manifest is signed. */
  readonly sign: string | undefined;
  readonly showsProgress: boolean;
}

/** What `build --at REVISION --snapshots none --version-links none --since all --no-precompressed` gives. */
export async function archivedTree(given: TreeToArchive): Promise<ArchivedTree> {
  const { sources, revision, sourcesDigest, folder, sign, showsProgress } = given;
  const planned = await planBuild(sources, { at: revision, ...archivedChoices(sources.configuration) });
  mkdirSync(folder);
  const spool = spoolIn(folder);
  const opened: number[] = [];
  const close = () => {
    for (const file of opened.splice(0)) closeSync(file);
    spool.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // There is no tree in whose place it is put.
    const stage = { out: join(folder, 'none'), next: folder };
    const tree = { ...planned, stage, spool, sources: sourcesDigest };
    const digest = await writeTree({ ...tree, reuses: false, showsProgress });
    if (sign !== undefined) signTree(folder, sign);
    const files = listedFiles(folder, spool, opened);
    return { files, digest, serial: planned.publication.history.revisions.length, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** All that the manifest lists, and the manifest. Files that are opened for it are added to `opened`. */
function listedFiles(folder: string, spool: Spool, opened: number[]): PackedFile[] {
  const manifest = wholeManifest(folder);
  const plain = (file: string, sha256: string): PackedFile => {
    const path = join(folder, file);
    const number = openSync(path, 'r');
    opened.push(number);
    return { name: inTree(file), sha256, size: statSync(path).size, content: { file: number, offset: 0 } };
  };
  return [
    ...documentFiles(manifest, spool),
    ...manifest.files.map(({ file, sha256 }) => spooled(spool, file, file) ?? plain(file, sha256)),
    plain(MANIFEST_FILE, manifest.sha256),
  ];
}

function inTree(file: string): string {
  return `${BAG_FILES.tree}/${file}`;
}

function spooled(spool: Spool, name: string, written: string): PackedFile | undefined {
  const place = spool.place(written);
  if (!place) return undefined;
  const { sha256, size, offset } = place;
  return { name: inTree(name), sha256, size, content: { file: spool.file(), offset } };
}

/** All names of all documents, with where they stand in the spool. */
function* documentFiles({ summary, entries }: Manifest, spool: Spool): Generator<PackedFile> {
  const at = (name: string, written: string): PackedFile => {
    const file = spooled(spool, name, written);
    if (!file) throw new Error(`${written} was not written`);
    return file;
  };
  const { variants } = summary;
  const written = new Map<string, string>();
  for (const entry of entries) {
    const source = entry.alias === undefined ? entry.file : (written.get(entry.alias) ?? '');
    written.set(entry.path, source);
    for (const name of fileNamesOf(entry, summary)) yield at(name, source);
    const variantFiles = variantFilesOf(source, variants);
    for (const [i, name] of variantFilesOf(entry.file, variants).entries())
      yield at(name, variantFiles[i] ?? source);
  }
}
