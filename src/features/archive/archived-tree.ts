/** The tree of a revision as an archive holds it: rendered into a spool, with all that stands beside its documents. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { chunkReader } from '../../system/files/file-chunks.ts';
import { signTree } from '../../system/trees/signed-tree.ts';
import { planBuild } from '../build/plan-build.ts';
import { writeTree } from '../build/write-tree.ts';
import type { Sources } from '../sources/load-sources.ts';
import { archivedChoices } from './archived-sources.ts';
import { BAG_FILES } from './bag.ts';
import type { PackedFile } from './bag-writer.ts';
import { spoolIn } from './spool.ts';

export interface ArchivedTree {
  readonly files: readonly PackedFile[];
  readonly digest: string;
  readonly serial: number;
  readonly close: () => void;
}

export interface TreeToArchive {
  readonly sources: Sources;
  readonly revision: string;
  readonly sourcesDigest: string;
  /** A folder that is not there yet. */
  readonly folder: string;
  readonly sign: string | undefined;
  readonly showsProgress: boolean;
}

/** What `build --at REVISION --snapshots none --version-links none --since all --no-precompressed` gives. */
export async function archivedTree(given: TreeToArchive): Promise<ArchivedTree> {
  const { sources, revision, sourcesDigest, folder, sign, showsProgress } = given;
  const planned = await planBuild(sources, { at: revision, ...archivedChoices(sources.configuration) });
  mkdirSync(folder);
  const spool = spoolIn(folder);
  const close = () => {
    spool.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // There is no tree in whose place it is put.
    const stage = { out: join(folder, 'none'), next: folder };
    const tree = { ...planned, stage, spool, sources: sourcesDigest };
    const digest = await writeTree({ ...tree, reuses: false, showsProgress });
    if (sign !== undefined) signTree(folder, sign);
    const chunks = chunkReader();
    for (const file of [...planned.hosting.listings.map((listing) => listing.file), MANIFEST_FILE])
      spool.take(file, chunks(join(folder, file)));
    const files = spool.files().map((file) => ({ ...file, name: `${BAG_FILES.tree}/${file.name}` }));
    return { files, digest, serial: planned.publication.history.revisions.length, close };
  } catch (error) {
    close();
    throw error;
  }
}
