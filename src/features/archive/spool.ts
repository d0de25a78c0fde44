/**
 * The documents of a tree that is to be packed, one after the other in one file: they are read back in another order,
 * and making a file for each would cost more than all the rest. Names that are links are not written at all.
 */

import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../core/model/digest.ts';
import { writing } from '../../system/files/system-errors.ts';
import { fileSink } from '../../system/tar/tar-writer.ts';
import type { TreeWriter, Written } from '../../system/trees/tree-writer.ts';

/** Where the bytes of a file stand in the spool. */
export interface Spooled extends Written {
  readonly offset: number;
}

export interface Spool extends TreeWriter {
  /** Of a file below the root of the tree. */
  readonly place: (file: string) => Spooled | undefined;
  /** Writes what is still held, and returns the open file. */
  readonly file: () => number;
  readonly close: () => void;
}

const SLAB = 1 << 20;

export function spoolIn(folder: string): Spool {
  const file = writing('the spool', () => openSync(join(folder, '_spool'), 'w+'));
  const sink = fileSink(file);
  const places = new Map<string, Spooled>();
  const slab = Buffer.allocUnsafe(SLAB);
  let held = 0;
  let offset = 0;
  const flush = () => {
    if (held === 0) return;
    sink(slab.subarray(0, held));
    held = 0;
  };
  return {
    write: (name, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      writing(name, () => {
        if (held + bytes.length > SLAB) flush();
        if (bytes.length > SLAB) sink(bytes);
        else slab.set(bytes, held);
      });
      if (bytes.length <= SLAB) held += bytes.length;
      const written = { sha256: sha256(bytes), size: bytes.length };
      places.set(name, { ...written, offset });
      offset += bytes.length;
      return written;
    },
    link: () => {},
    place: (name) => places.get(name),
    file: () => {
      writing('the spool', flush);
      return file;
    },
    close: () => closeSync(file),
  };
}
