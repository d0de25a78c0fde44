import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, futimesSync, openSync, readSync, writeSync } from 'node:fs';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import type { TreeContent } from '../../core/tree/tree-contents.ts';
import { systemCode, undefinedOnSystemError } from './system-errors.ts';

export const CHUNK_BYTES = 1 << 20;
export const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** O_NONBLOCK prevents waiting for the writer of a pipe. Windows does not define this flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export function withFile<T>(path: string, work: (file: number) => T, flags: string | number = READ): T {
  const file = openSync(path, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

export type Chunks = Iterable<Uint8Array>;

/** Reads from the offset `from`, or from the current position of the file. Returns the number of bytes read. */
export function fillFrom(file: number, buffer: Uint8Array, from?: number): number {
  let length = 0;
  for (let got = -1; got !== 0 && length < buffer.length; length += got)
    got = readSync(file, buffer, length, buffer.length - length, from === undefined ? null : from + length);
  return length;
}

/** Reads all files through one buffer. Each chunk overwrites the previous chunk of this file or of an earlier file. */
export function chunkReader(): (path: string) => Chunks {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  return function* (path) {
    const file = openSync(path, READ);
    try {
      for (let length = buffer.length; length === buffer.length; ) {
        length = fillFrom(file, buffer);
        if (length > 0) yield buffer.subarray(0, length);
      }
    } finally {
      closeSync(file);
    }
  };
}

/** Reads a range of an open file. Stops at the end of the file. Each chunk overwrites the previous chunk. */
export function* partOf(file: number, offset: number, size: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  for (let at = 0; at < size; ) {
    const got = fillFrom(file, buffer.subarray(0, Math.min(buffer.length, size - at)), offset + at);
    if (got === 0) return;
    yield buffer.subarray(0, got);
    at += got;
  }
}

export function digestOf(chunks: Chunks): string {
  const whole = createHash('sha256');
  for (const chunk of chunks) whole.update(chunk);
  return whole.digest('hex');
}

export function writeAll(file: number, bytes: Uint8Array, offset?: number): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(file, bytes, at, bytes.length - at, offset === undefined ? null : offset + at);
}

/** `modified` is in epoch seconds. Undefined means now. */
export function createFile(path: string, chunks: Chunks, modified: number | undefined): WrittenFile {
  const digest = createHash('sha256');
  let size = 0;
  const write = (file: number) => {
    for (const chunk of chunks) {
      digest.update(chunk);
      writeAll(file, chunk);
      size += chunk.length;
    }
    if (modified !== undefined) futimesSync(file, modified, modified);
  };
  withFile(path, write, NEW_FILE);
  return { sha256: digest.digest('hex'), size };
}

export interface WrittenFile {
  readonly sha256: string;
  readonly size: number;
}

interface ExpectedFile extends Pick<TreeContent, 'file' | 'sha256'> {
  readonly modified: number | undefined;
}

export function writeChecked(path: string, chunks: Chunks, { file, sha256, modified }: ExpectedFile): number {
  const { size, sha256: computed } = createFile(path, chunks, modified);
  if (computed !== sha256) fail(finding('verify-differs', { stated: sha256, computed }, { file }));
  return size;
}

/** Collects bytes, and passes them to a sink in chunks of `CHUNK_BYTES`. The sink must not keep the buffer. */
export function chunkedSink(sink: (bytes: Uint8Array) => void) {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  let total = 0;
  return {
    put: (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + CHUNK_BYTES - filled);
        chunk.set(part, filled);
        at += part.length;
        filled += part.length;
        if (filled < CHUNK_BYTES) continue;
        sink(chunk);
        filled = 0;
      }
      total += bytes.length;
    },
    flush: () => {
      if (filled > 0) sink(chunk.subarray(0, filled));
      filled = 0;
    },
    total: () => total,
  };
}

/**
 * Fails for special files, and for files above `most` bytes. `limit` names the setting that raises `most`. Throws
 * system errors.
 */
export function readPlainFile(path: string, most: number, shown: string = path, limit?: keyof SourceLimits): Buffer {
  const { file, size } = openPlainFile(path, shown);
  try {
    if (size > most) fail(finding('too-large', { file: shown, reason: tooLargeReason(size, most), limit }));
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, fillFrom(file, bytes));
  } finally {
    closeSync(file);
  }
}

export const STANDARD_INPUT = 'standard input';

/** Fails if standard input is longer than `most` bytes. */
export function readStandardInput(most: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let length = -1; length !== 0 && size <= most; size += length) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, most + 1 - size));
    length = readWaiting(0, chunk);
    chunks.push(chunk.subarray(0, length));
  }
  const file = STANDARD_INPUT;
  if (size > most) fail(finding('too-large', { file, reason: tooLargeReason(size, most), limit: undefined }));
  return Buffer.concat(chunks);
}

const POLL_MS = 20;

/** Waits for input that a program such as ssh made non-blocking. Reading it fails with EAGAIN until data arrive. */
function readWaiting(file: number, buffer: Uint8Array): number {
  for (;;) {
    try {
      return readSync(file, buffer);
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

/** Reads a file with CRLF converted to LF, so that digests are the same on all systems. */
export function readSource(path: string, most: number, shown: string, limit?: keyof SourceLimits): Buffer {
  return withUnixNewlines(readPlainFile(path, most, shown, limit));
}

/**
 * Reads a file. Returns undefined if the file is empty, unreadable or larger than `most` bytes. Does not call stat
 * first, which saves about 20% of the time.
 */
export function readSmallSource(path: string, most: number, buffer: Buffer): Buffer | undefined {
  // Reading from an offset fails for pipes and terminals.
  const length = undefinedOnSystemError(() => withFile(path, (file) => fillFrom(file, buffer, 0)));
  const isWhole = length !== undefined && length > 0 && length <= most && length < buffer.length;
  return isWhole ? withUnixNewlines(buffer.subarray(0, length)) : undefined;
}

function withUnixNewlines(bytes: Buffer): Buffer {
  return bytes.includes('\r\n') ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : bytes;
}

/** `size` is in bytes. Throws system errors. Fails for files that are not plain. */
export function openPlainFile(path: string, shown: string = path): { file: number; size: number } {
  // File names cannot contain a NUL character. Node would report this mistake as a bug of the program.
  if (path.includes('\0')) fail(finding('read-failed', { file: shown, reason: 'its name contains a NUL character' }));
  const file = openSync(path, READ);
  const status = fstatSync(file);
  if (status.isFile()) return { file, size: status.size };
  closeSync(file);
  const reason = status.isDirectory() ? 'it is a folder' : 'it is a pipe or a device, not a plain file';
  return fail(finding('read-failed', { file: shown, reason }));
}
