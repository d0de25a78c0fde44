/** Files of any size, chunk by chunk: reading, digesting, and writing only what has the digest that it should have. */
import { createHash } from 'node:crypto';
import { closeSync, constants, futimesSync, openSync, readSync, writeSync } from 'node:fs';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { TreeContent } from '../../core/tree/tree-contents.ts';

export const CHUNK_BYTES = 1 << 20;
/** Flags of a new file, which must not exist. */
export const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

export type Chunks = Iterable<Uint8Array>;

/** Fills a buffer from a place in an open file, or from its current position. Returns the number of bytes read. */
export function fillFrom(file: number, buffer: Uint8Array, from?: number): number {
  let length = 0;
  for (let got = -1; got !== 0 && length < buffer.length; length += got)
    got = readSync(file, buffer, length, buffer.length - length, from === undefined ? null : from + length);
  return length;
}

/** Reads files into one buffer: a chunk holds until the next one is asked for, of whatever file. */
export function chunkReader(): (path: string) => Chunks {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  return function* (path) {
    const file = openSync(path, 'r');
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

/** A part of an open file, fewer bytes where it ends before. A chunk holds until the next one is asked for. */
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

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** What a file is to be. `modified` is in epoch seconds; undefined for the present. */
export interface ExpectedFile extends Pick<TreeContent, 'file' | 'sha256'> {
  readonly modified: number | undefined;
}

/** Writes a new file with its time, and gives its size. Fails when its bytes are not those that they should be. */
export function writeChecked(path: string, chunks: Chunks, { file, sha256, modified }: ExpectedFile): number {
  const whole = createHash('sha256');
  const target = openSync(path, NEW_FILE);
  let size = 0;
  try {
    for (const chunk of chunks) {
      whole.update(chunk);
      writeAll(target, chunk);
      size += chunk.length;
    }
    if (modified !== undefined) futimesSync(target, modified, modified);
  } finally {
    closeSync(target);
  }
  const computed = whole.digest('hex');
  if (computed !== sha256) fail(finding('verify-differs', { stated: sha256, computed }, { file }));
  return size;
}

/** Collects bytes into chunks of one size, and hands each full one to a sink. The sink must not keep the buffer. */
export function chunkedSink(sink: (bytes: Uint8Array) => void) {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let held = 0;
  let total = 0;
  return {
    put: (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + CHUNK_BYTES - held);
        chunk.set(part, held);
        at += part.length;
        held += part.length;
        if (held < CHUNK_BYTES) continue;
        sink(chunk);
        held = 0;
      }
      total += bytes.length;
    },
    flush: () => {
      if (held > 0) sink(chunk.subarray(0, held));
      held = 0;
    },
    total: () => total,
  };
}
