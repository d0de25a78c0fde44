/**
 * The files of a tree that is to be packed, one after the other in one file: they are read back in another order, and
 * making a file for each would cost more than all the rest. There can be millions of them: what is known of each lies in
 * columns.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../core/model/digest.ts';
import { mustGet } from '../../core/platform/certain.ts';
import { digestColumn, numberColumn } from '../../core/platform/packed-columns.ts';
import type { Chunks } from '../../system/files/file-chunks.ts';
import { writing } from '../../system/files/system-errors.ts';
import { fileSink } from '../../system/tar/tar-writer.ts';
import type { TreeWriter, Written } from '../../system/trees/tree-writer.ts';
import type { PackedFile } from './bag-writer.ts';

export interface Spool extends TreeWriter {
  /** Takes up a file that stands elsewhere, whose chunks are each valid until the next one. */
  readonly take: (name: string, chunks: Chunks) => void;
  /** Ends the writing; gives all names in their order, as often as it is asked, each with where its bytes stand. */
  readonly files: () => () => Iterable<PackedFile>;
  readonly close: () => void;
}

export function spoolIn(folder: string): Spool {
  const file = writing('the spool', () => openSync(join(folder, '_spool'), 'w+'));
  const bytes = bufferedSink(file);
  const contents = contentColumns();
  /** The number of the content of each name. */
  const numbers = new Map<string, number>();
  return {
    write: (name, content) => {
      const written = typeof content === 'string' ? Buffer.from(content) : content;
      const entry = { sha256: sha256(written), size: written.length };
      numbers.set(name, contents.add({ ...entry, offset: bytes.length() }));
      writing(name, () => bytes.add(written));
      return entry;
    },
    link: (target, name) => {
      const number = mustGet(numbers, target);
      numbers.set(name, number);
      contents.share(number);
    },
    take: (name, chunks) => {
      const offset = bytes.length();
      const digest = createHash('sha256');
      writing(name, () => {
        for (const chunk of chunks) {
          bytes.add(chunk);
          digest.update(chunk);
        }
      });
      const size = bytes.length() - offset;
      numbers.set(name, contents.add({ sha256: digest.digest('hex'), size, offset }));
    },
    files: () => {
      writing('the spool', bytes.flush);
      const names = [...numbers.keys()].sort();
      return function* () {
        for (const name of names) {
          const { sha256, size, ...place } = contents.at(mustGet(numbers, name));
          yield { name, sha256, size, content: { file, ...place } };
        }
      };
    },
    close: () => closeSync(file),
  };
}

interface Content extends Written {
  readonly offset: number;
}

function contentColumns() {
  const digests = digestColumn();
  const sizes = numberColumn(Float64Array);
  const offsets = numberColumn(Float64Array);
  const shared = new Set<number>();
  return {
    /** Returns its number. */
    add: ({ sha256, size, offset }: Content): number => {
      digests.add(sha256);
      sizes.add(size);
      offsets.add(offset);
      return digests.count() - 1;
    },
    /** It has another name besides. */
    share: (number: number) => shared.add(number),
    at: (number: number): Content & { readonly isShared: boolean } => ({
      sha256: digests.at(number),
      size: sizes.at(number),
      offset: offsets.at(number),
      isShared: shared.has(number),
    }),
  };
}

const SLAB = 1 << 20;

/** Writes into an open file, many small pieces at a time. System errors are thrown on. */
function bufferedSink(file: number) {
  const sink = fileSink(file);
  const slab = Buffer.allocUnsafe(SLAB);
  let held = 0;
  let length = 0;
  const flush = () => {
    sink(slab.subarray(0, held));
    held = 0;
  };
  return {
    add: (bytes: Uint8Array) => {
      if (held + bytes.length > SLAB) flush();
      if (bytes.length > SLAB) sink(bytes);
      else {
        slab.set(bytes, held);
        held += bytes.length;
      }
      length += bytes.length;
    },
    flush,
    /** Of all that was added. */
    length: () => length,
  };
}
