/** Files of any size, chunk by chunk: reading, digesting, and writing only what has the digest that it should have. */
import { createHash } from 'node:crypto';
import { closeSync, constants, futimesSync, openSync, readSync, writeSync } from 'node:fs';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { TreeContent } from '../../core/tree/tree-contents.ts';

const CHUNK_BYTES = 1 << 20;
/** Flags of a new file, which must not exist. */
export const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

export type Chunks = Iterable<Uint8Array>;

/** Reads files into one buffer: a chunk holds until the next one is asked for, of whatever file. */
export function chunkReader(): (path: string) => Chunks {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  return function* (path) {
    const file = openSync(path, 'r');
    try {
      for (;;) {
        const length = readSync(file, buffer, 0, buffer.length, null);
        if (length === 0) return;
        yield buffer.subarray(0, length);
      }
    } finally {
      closeSync(file);
    }
  };
}

export function digestOf(chunks: Chunks): string {
  const whole = createHash('sha256');
  for (const chunk of chunks) whole.update(chunk);
  return whole.digest('hex');
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
      for (let at = 0; at < chunk.length; ) at += writeSync(target, chunk, at);
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
