/**
 * The records of an index: texts of changed fields and of bodies, in files that are written once and never changed. Of a
 * body that changes a hundred times, few are kept whole: others are those with the changes since applied.
 */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
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

/** Who reads more records than these of a file is given them from the whole of it. */
const FEW_RECORDS = 64;

function recordReader(path: string) {
  let count = 0;
  let whole: Buffer | undefined;
  return (at: number, length: number): Buffer => {
    if (count++ < FEW_RECORDS) return reading(path, (file) => readAt(file, at, length));
    whole ??= readFileSync(path);
    return whole.subarray(at, at + length);
  };
}

/** Files that are not there, or are shorter than they should be, are found damaged before anything is read. */
export function openRecords(folder: string, files: readonly RecordFile[]): Records {
  let bytes = 0;
  const placed = files.map((each) => {
    const path = join(folder, each.name);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? -1) < each.bytes) return damaged('its records');
    const from = bytes;
    bytes += each.bytes;
    return { from, to: bytes, read: recordReader(path) };
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
