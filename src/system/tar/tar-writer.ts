/**
 * Writing tar files whose bytes are their identity: the same entries give the same bytes, on any machine. So the writer
 * is our own; see docs/decisions/0016-own-tar-writer.md. Pieces of one size go to the sink, whatever the sizes of the
 * files are.
 */
import { readSync, writeSync } from 'node:fs';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { reading } from '../files/system-errors.ts';
import { BLOCK, canBeTarget, encodeHeader, LARGEST_NUMBER, nameProblem } from './tar-header.ts';
import { type TarNames, tarNames } from './tar-names.ts';

/** Takes the bytes of a tar in order. The buffer is used again after the call. */
export type TarSink = (bytes: Uint8Array) => void;

export interface TarWriter {
  /** Adds a regular file. `modified` is in epoch seconds. */
  readonly file: (name: string, bytes: Uint8Array, modified: number) => void;
  /** Adds a regular file of so many bytes of an open file, in chunks: from a place in it, or from where it stands. */
  readonly copy: (name: string, from: number, size: number, modified: number, at?: number) => void;
  /** Adds a regular file of so many bytes, which come in pieces. */
  readonly pieces: (name: string, pieces: Iterable<Uint8Array>, size: number, modified: number) => void;
  /**
   * Adds a hard link to a file before it. Ustar has 100 bytes for the target: see `canBeTarget`. What cannot be a link
   * is to be written whole.
   */
  readonly link: (name: string, target: string, modified: number) => void;
  /** Writes the two blocks of zeros with which a tar ends, and hands over all that is left. Returns the size. */
  readonly end: () => number;
}

/** The size of the chunks that a sink gets, but for the last. */
export const TAR_CHUNK_BYTES = 1 << 20;

/** A name that cannot be in a tar, or a size, ends the command with a finding. */
export function tarWriter(sink: TarSink, names: TarNames = tarNames()): TarWriter {
  const chunks = piecesFor(sink);
  const zeros = (count: number) => chunks.put(Buffer.alloc(count));
  const begin = (name: string, size: number, modified: number, target?: string) => {
    const reason = nameProblem(name) ?? names.add(name, target);
    if (reason !== undefined) fail(finding('tar-name', { name, reason }));
    if (size > LARGEST_NUMBER) fail(finding('tar-size', { name, size }));
    chunks.put(encodeHeader({ name, size, modified: clamped(modified), target }));
  };
  return {
    file: (name, bytes, modified) => {
      begin(name, bytes.length, modified);
      chunks.put(bytes);
      zeros(paddingOf(bytes.length));
    },
    copy: (name, from, size, modified, at) => {
      begin(name, size, modified);
      for (let left = size; left > 0; ) {
        const place = at === undefined ? null : at + size - left;
        const got = chunks.fill((chunk, offset, capacity) =>
          reading(name, () => readSync(from, chunk, offset, Math.min(left, capacity), place)),
        );
        if (got === 0) fail(finding('tar-changed', { name }));
        left -= got;
      }
      zeros(paddingOf(size));
    },
    pieces: (name, pieces, size, modified) => {
      begin(name, size, modified);
      let left = size;
      for (const bytes of pieces) {
        chunks.put(bytes);
        left -= bytes.length;
      }
      if (left !== 0) throw new Error(`${name} has not the size that was told`);
      zeros(paddingOf(size));
    },
    link: (name, target, modified) => {
      if (!canBeTarget(target)) fail(finding('tar-name', { name: target, reason: LONG_TARGET }));
      begin(name, 0, modified, target);
    },
    end: () => {
      zeros(2 * BLOCK);
      return chunks.end();
    },
  };
}

/** Puts bytes together to chunks of one size for a sink. */
function piecesFor(sink: TarSink) {
  const chunk = Buffer.allocUnsafe(TAR_CHUNK_BYTES);
  let length = 0;
  let total = 0;
  const took = (bytes: number) => {
    length += bytes;
    total += bytes;
    if (length < TAR_CHUNK_BYTES) return;
    sink(chunk);
    length = 0;
  };
  return {
    put: (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + TAR_CHUNK_BYTES - length);
        chunk.set(part, length);
        at += part.length;
        took(part.length);
      }
    },
    /** Lets the capacity that is left be filled; returns how many bytes came. */
    fill: (read: (chunk: Buffer, offset: number, capacity: number) => number) => {
      const got = read(chunk, length, TAR_CHUNK_BYTES - length);
      took(got);
      return got;
    },
    /** Hands over what is left; returns how many bytes there were in all. */
    end: () => {
      if (length > 0) sink(chunk.subarray(0, length));
      length = 0;
      return total;
    },
  };
}

const LONG_TARGET = 'a hard link leads to it, for which there are 100 bytes';

/** A time before 1970 or after 2242 has no form in octal digits. */
export function clamped(modified: number): number {
  return Math.max(0, Math.min(LARGEST_NUMBER, Math.floor(modified)));
}

/** How many zeros fill up the last block of a file of this size. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** A sink that writes into an open file. System errors are thrown on. */
export function fileSink(file: number): TarSink {
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };
}
