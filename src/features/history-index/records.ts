/**
 * The records of an index: texts of changed fields and of bodies, in files that are written once and never changed. Of a
 * body that changes a hundred times, few are kept whole: others are those with the changes since applied.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { recentlyUsed } from '../../core/platform/recently-used.ts';
import { systemCode } from '../../system/files/system-errors.ts';
import { damaged } from './index-damaged.ts';
import { readAt, reading } from './index-file.ts';

export interface RecordFile {
  readonly name: string;
  readonly bytes: number;
}

export interface Records {
  readonly files: readonly RecordFile[];
  /** In all files, which count as one behind the other. */
  readonly bytes: number;
  /** The bytes of a record, once their check holds. */
  readonly read: (at: number, length: number, check: number) => Buffer;
}

/** Files smaller than this are written anew with what comes, so that there are few. */
export const SMALL_BYTES = 1 << 20;

/** Who reads more records than these of a file is given them from blocks of it, of which the last ones stay in memory. */
const FEW_RECORDS = 64;
/** A file that may go is one block: who has begun to read it goes on. */
const BLOCK_BYTES = SMALL_BYTES;
const MOST_HELD = 1 << 24;

function recordReader({ path, size }: { readonly path: string; readonly size: number }) {
  let count = 0;
  const blocks = recentlyUsed<number, Buffer>(MOST_HELD);
  const blockOf = (place: number): Buffer => {
    const held = blocks.get(place);
    if (held) return held;
    const from = place * BLOCK_BYTES;
    const block = bytesOf(path, from, Math.min(BLOCK_BYTES, size - from));
    blocks.put(place, block, block.length);
    return block;
  };
  return (at: number, length: number): Buffer => {
    const place = Math.floor(at / BLOCK_BYTES);
    const from = at - place * BLOCK_BYTES;
    const isInBlock = from + length <= BLOCK_BYTES;
    if (count++ < FEW_RECORDS || !isInBlock) return bytesOf(path, at, length);
    return blockOf(place).subarray(from, from + length);
  };
}

/** Another index, which has other records, may have taken the place of this one. */
function bytesOf(path: string, at: number, length: number): Buffer {
  try {
    return reading(path, (file) => readAt(file, at, length));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return damaged('its records');
    throw error;
  }
}

/** Files that are not there, or are shorter than they should be, are found damaged before anything is read. */
export function openRecords(folder: string, files: readonly RecordFile[]): Records {
  let bytes = 0;
  const placed = files.map((each) => {
    const path = join(folder, each.name);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? -1) < each.bytes) return damaged('its records');
    const from = bytes;
    bytes += each.bytes;
    return { from, to: bytes, read: recordReader({ path, size: each.bytes }) };
  });
  return {
    files,
    bytes,
    read: (at, length, check) => {
      const held = placed.find(({ from, to }) => at >= from && at + length <= to);
      if (!held) return damaged('where a record stands');
      const record = held.read(at - held.from, length);
      return crc32(record) === check ? record : damaged('a record');
    },
  };
}
