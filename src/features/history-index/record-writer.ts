/**
 * Writing the records of an index into a file of their own, one behind the other, as they come. What is written can be read
 * again meanwhile; the file takes its name, which is its contents' digest, last. Nothing waits for the disk.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { freshFile } from '../../system/files/replace-file.ts';
import { damaged } from './index-damaged.ts';
import { readAt } from './index-file.ts';
import type { IndexPlace } from './index-place.ts';
import { type RecordFile, type Records, SMALL_BYTES } from './records.ts';

export interface RecordWriter extends Pick<Records, 'read'> {
  /** Where a record begins among all. */
  readonly write: (record: Buffer) => number;
  /** All files with records, once the new one has its name. */
  readonly finish: () => readonly RecordFile[];
  /** Closes the file, and removes it if it has no name. */
  readonly close: () => void;
}

/** `old` has the records that stay, which come first. */
export function recordWriter(place: IndexPlace, old: Records): RecordWriter {
  const last = old.files.at(-1);
  const small = last !== undefined && last.bytes < SMALL_BYTES ? last : undefined;
  const others = small ? old.files.slice(0, -1) : old.files;
  const from = freshFile(join(place.work, `${place.records}fresh`));
  /** Where the new file begins among all records. */
  const start = old.bytes - (small?.bytes ?? 0);
  let file: number | undefined;
  /** What is not in the file yet, by where it begins in it. */
  let waiting = new Map<number, Buffer>();
  let waitingBytes = 0;
  let written = 0;
  const digest = createHash('sha256');

  const flush = () => {
    file ??= openSync(from, 'w+');
    const part = Buffer.concat([...waiting.values()]);
    for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    digest.update(part);
    written += part.length;
    [waiting, waitingBytes] = [new Map(), 0];
    return file;
  };
  const put = (bytes: Buffer) => {
    waiting.set(written + waitingBytes, bytes);
    waitingBytes += bytes.length;
    if (waitingBytes >= SMALL_BYTES) flush();
  };
  const close = () => {
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    rmSync(from, { force: true });
  };
  return {
    write: (record) => {
      const isFirst = written + waitingBytes === 0;
      if (isFirst && small) put(readFileSync(join(place.folder, small.name)).subarray(0, small.bytes));
      const at = start + written + waitingBytes;
      put(record);
      return at;
    },
    read: (at, length, check) => {
      if (at + length <= old.bytes) return old.read(at, length, check);
      const record = waiting.get(at - start) ?? readAt(file ?? flush(), at - start, length);
      return crc32(record) === check ? record : damaged('a record');
    },
    finish: () => {
      if (written + waitingBytes === 0) return old.files;
      flush();
      const name = `${place.records}${digest.digest('hex').slice(0, 16)}`;
      renameSync(from, join(place.folder, name));
      close();
      return [...others, { name, bytes: written }];
    },
    close,
  };
}

/** Removes the files that no index names any more. */
export function clearRecords({ folder, records }: IndexPlace, files: readonly RecordFile[]): void {
  const used = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(folder))
    if (name.startsWith(records) && !used.has(name)) rmSync(join(folder, name), { force: true });
}
