/**
 * The files of a tree that is to be packed, one after the other in one file: they are read back in another order, and
 * making a file for each would cost more than all the rest.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { mustGet } from '../../core/platform/certain.ts';
import { type Chunks, chunkedSink, writeAll } from '../../system/files/file-chunks.ts';
import { writing } from '../../system/files/system-errors.ts';
import type { TreeWriter } from '../../system/trees/tree-writer.ts';
import type { PackedFile } from './bag-writer.ts';

export interface Spool extends TreeWriter {
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
