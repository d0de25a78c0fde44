/** Writes archives. Each archive is a deterministic file with one revision: its tree, registry files and citation. */

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Citation, citationOf } from '../../core/api/citation.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText } from '../../core/model/json.ts';
import { epochSeconds } from '../../core/model/revision.ts';
import { getOrThrow } from '../../core/platform/lookups.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { archiveName } from '../../core/tree/names.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { type Chunks, chunkedSink, chunkReader, type WrittenFile, writeAll } from '../../system/files/file-io.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { writing } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { checkNoOverlap, checkOutsideTrees } from '../../system/trees/output-place.ts';
import { signTree } from '../../system/trees/signed-tree.ts';
import { encodedParts, type TreeWriter } from '../../system/trees/tree-writer.ts';
import { withSettings } from '../build/build-options.ts';
import { planBuild } from '../build/plan-build.ts';
import { writeTree } from '../build/write-tree.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import type { PublicSources } from '../sources/public-sources.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { type Archive, type ArchiveFolder, openArchives } from './archive-folder.ts';
import { type ArchiveSources, archivedChoices, loadArchiveSources } from './archived-sources.ts';
import { BAG_FILES, type PackedFile, packArchive } from './bag.ts';
import { citationFile, citeText, crateText, dataciteText, zenodoText } from './citation-files.ts';

export interface ArchiveOptions extends SourceOptions {
  /** Each item is a revision, a prefix of a revision, a date or `head`. If there are none, the head is archived. */
  readonly revisions: readonly string[];
  readonly all: boolean;
  readonly out: string;
  readonly sign?: string | undefined;
  readonly showsProgress: boolean;
}

export interface ArchiveResult {
  readonly out: string;
  /** The archives, newest first. `isWritten` is false for archives that already existed. */
  readonly archives: readonly (Archive & { readonly isWritten: boolean })[];
}

export async function archive(options: ArchiveOptions): Promise<ArchiveResult> {
  const { out, registry, revisions, all, sign, showsProgress } = options;
  if (all && revisions.length > 0) fail(finding('archive-all-and-some', { revisions }));
  checkNoOverlap(out, registry);
  checkOutsideTrees(out);
  const sources = loadArchiveSources(options);
  const indexes = chosenRevisions(sources, options);
  const folder = openArchives(out);
  const shown = progress('Archiving revision', indexes.length, showsProgress && indexes.length > 1);
  const archives: ArchiveResult['archives'][number][] = [];
  try {
    for (const index of indexes) {
      shown.at(archives.length);
      const isShown = showsProgress && indexes.length === 1;
      archives.push(await archiveOne(index, sources, folder, { sign, showsProgress: isShown }));
    }
    return { out: displayPath(out), archives };
  } finally {
    shown.end();
    folder.close();
  }
}

/** Returns indexes of revisions, newest first. `all` selects every revision that has resources. */
function chosenRevisions({ history }: ArchiveSources, { revisions, all }: ArchiveOptions): number[] {
  if (all) return [...history.revisions.keys()].filter((index) => history.states[index]).reverse();
  const chosen = (revisions.length > 0 ? revisions : ['head']).map((given) => indexAtRevisionOrDate(history, given));
  for (const index of chosen) {
    if (!history.states[index]) fail(finding('archive-nothing', { id: history.revisions[index]?.id ?? '' }));
  }
  return [...new Set(chosen)].sort((a, b) => b - a);
}

async function archiveOne(
  index: number,
  sources: ArchiveSources,
  folder: ArchiveFolder,
  { sign, showsProgress }: Pick<ArchiveOptions, 'sign' | 'showsProgress'>,
): Promise<ArchiveResult['archives'][number]> {
  const { history, store, configuration } = sources;
  const header = history.revisions[index];
  const state = history.states[index];
  if (!header || !state) throw new Error(`no state at ${index}`);
  const grid = storedObject(store, state.body.handle);
  const citation = citationOf(configuration, grid, header);
  const name = archiveName(asText(grid['uid']), header.id);
  const archived = sources.sourcesAt(index);
  const known = folder.find(name);
  const isRight = known?.sources === archived.digest && (known.signed || sign === undefined);
  if (known && isRight && folder.isIntact(known)) return { ...known, isWritten: false };

  const tree = await archivedTree({
    sources,
    revision: header.id,
    sourcesDigest: archived.digest,
    folder: join(folder.stage, 'tree'),
    sign,
    showsProgress,
  });
  try {
    const payload = [...citationFiles(citation, tree.digest), ...archived.files, ...tree.files];
    const modified = epochSeconds(header.date);
    const info = { ...citation, grid: asText(grid['uid']), agent: `gridpress ${VERSION}` };
    const files = packArchive(folder.stage, { name, modified, info, payload }, showsProgress);
    const made = {
      revision: header.id,
      date: citation.date,
      serial: tree.serial,
      name,
      signed: sign !== undefined,
      digest: tree.digest,
      sources: archived.digest,
      ...files,
    };
    folder.add(made);
    return { ...made, isWritten: true };
  } finally {
    tree.close();
  }
}

/** Returns the citation files, sorted by name as the archive requires. */
function citationFiles(citation: Citation, digest: string): PackedFile[] {
  return [
    [BAG_FILES.zenodo, zenodoText(citation)] as const,
    [BAG_FILES.citation, citationFile(citation)] as const,
    [BAG_FILES.cite, citeText(citation, digest)] as const,
    [BAG_FILES.datacite, dataciteText(citation)] as const,
    [BAG_FILES.crate, crateText(citation, digest)] as const,
  ].map(([name, text]) => {
    const content = Buffer.from(text);
    return { name, sha256: sha256(content), size: content.length, content };
  });
}

export function describeArchives({ out, archives }: ArchiveResult): string {
  const lines = archives.map(({ isWritten, tar, gzip, revision, digest }) => {
    const note = isWritten ? '' : ' (existed already)';
    return `${shortId(revision)}  ${tar.file}  ${plural(tar.size, 'byte')}, compressed ${plural(gzip.size, 'byte')}, digest ${digest}${note}\n`;
  });
  const made = archives.filter(({ isWritten }) => isWritten).length;
  const others = archives.length - made;
  return `${lines.join('')}Archived ${plural(made, 'revision')} in ${out}${others > 0 ? `; ${others} existed already` : ''}.\n`;
}

interface TreeToArchive {
  readonly sources: PublicSources;
  readonly revision: string;
  readonly sourcesDigest: string;
  readonly folder: string;
  readonly sign: string | undefined;
  readonly showsProgress: boolean;
}

/**
 * Writes the same tree as `build --at REVISION --snapshots none --version-links none --since all --no-precompressed`.
 */
async function archivedTree(given: TreeToArchive) {
  const { sources, revision, sourcesDigest, folder, sign, showsProgress } = given;
  const choices = archivedChoices(sources.configuration);
  const { precompressed } = choices;
  const planned = await planBuild(withSettings(sources, choices), { at: revision, precompressed });
  mkdirSync(folder);
  const spool = spoolIn(folder);
  const close = () => {
    spool.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const stage = { out: join(folder, 'none'), next: folder };
    const tree = { ...planned, stage, spool, sources: sourcesDigest };
    const digest = await writeTree({ ...tree, reuses: false, showsProgress });
    if (sign !== undefined) signTree(folder, sign);
    spool.addFile(MANIFEST_FILE, chunkReader()(join(folder, MANIFEST_FILE)));
    const files = spool.files().map((file) => ({ ...file, name: `${BAG_FILES.tree}/${file.name}` }));
    return { files, digest, serial: planned.publication.history.revisions.length, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Stores all documents in one temporary file, because creating a file for each document would be slow. */
interface Spool extends TreeWriter {
  readonly addFile: (name: string, chunks: Chunks) => WrittenFile;
  readonly files: () => PackedFile[];
  readonly close: () => void;
}

export function spoolIn(folder: string): Spool {
  const file = writing('the spool', () => openSync(join(folder, '_spool'), 'w+'));
  const sink = chunkedSink((bytes) => writeAll(file, bytes));
  const contents = new Map<string, Omit<PackedFile, 'name'>>();
  const addFile: Spool['addFile'] = (name, chunks) => {
    const offset = sink.total();
    const digest = createHash('sha256');
    writing(name, () => {
      for (const chunk of chunks) {
        sink.put(chunk);
        digest.update(chunk);
      }
    });
    const added = { sha256: digest.digest('hex'), size: sink.total() - offset };
    contents.set(name, { ...added, content: { file, offset } });
    return added;
  };
  return {
    addFile,
    write: (name, content) => addFile(name, [typeof content === 'string' ? Buffer.from(content) : content]),
    writeParts: (name, parts) => addFile(name, encodedParts(parts)),
    link: (target, name) => {
      contents.set(name, getOrThrow(contents, target));
    },
    files: () => {
      writing('the spool', sink.flush);
      return [...contents.keys()].sort().map((name) => ({ name, ...getOrThrow(contents, name) }));
    },
    close: () => closeSync(file),
  };
}
