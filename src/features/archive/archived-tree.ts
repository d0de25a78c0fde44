/** The tree of a revision as an archive holds it: rendered into a spool, with all that stands beside its documents. */

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustGet } from '../../core/platform/certain.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { type Chunks, chunkedSink, chunkReader, writeAll } from '../../system/files/file-chunks.ts';
import { writing } from '../../system/files/system-errors.ts';
import { signTree } from '../../system/trees/signed-tree.ts';
import type { TreeWriter } from '../../system/trees/tree-writer.ts';
import { planBuild } from '../build/plan-build.ts';
import { writeTree } from '../build/write-tree.ts';
import type { Sources } from '../sources/load-sources.ts';
import { archivedChoices } from './archived-sources.ts';
import { BAG_FILES } from './bag.ts';
import type { PackedFile } from './bag-writer.ts';

interface ArchivedTree {
  readonly files: readonly PackedFile[];
  readonly digest: string;
  readonly serial: number;
  readonly close: () => void;
}

interface TreeToArchive {
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

/**
 * The files of a tree that is to be packed, one after the other in one file: they are read back in another order, and
 * making a file for each would cost more than all the rest.
 */
interface Spool extends TreeWriter {
  /** Adds a file that lies elsewhere, in chunks that are each valid until the next one. */
  readonly take: (name: string, chunks: Chunks) => void;
  readonly files: () => PackedFile[];
  readonly close: () => void;
}

export function spoolIn(folder: string): Spool {
  const file = writing('the spool', () => openSync(join(folder, '_spool'), 'w+'));
  const sink = chunkedSink((bytes) => writeAll(file, bytes));
  const contents = new Map<string, Omit<PackedFile, 'name'>>();
  const take = (name: string, chunks: Chunks) => {
    const offset = sink.total();
    const digest = createHash('sha256');
    writing(name, () => {
      for (const chunk of chunks) {
        sink.put(chunk);
        digest.update(chunk);
      }
    });
    const added = { sha256: digest.digest('hex'), size: sink.total() - offset, content: { file, offset } };
    contents.set(name, added);
    return added;
  };
  return {
    take,
    write: (name, content) => {
      const { sha256, size } = take(name, [typeof content === 'string' ? Buffer.from(content) : content]);
      return { sha256, size };
    },
    link: (target, name) => {
      contents.set(name, mustGet(contents, target));
    },
    files: () => {
      writing('the spool', sink.flush);
      return [...contents.keys()].sort().map((name) => ({ name, ...mustGet(contents, name) }));
    },
    close: () => closeSync(file),
  };
}
