/** Writes deterministic tar files (docs/decisions/0016-own-tar-writer.md). The sink gets chunks of `CHUNK_BYTES`. */
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { type Chunks, chunkedSink } from '../files/file-io.ts';
import { BLOCK, canBeTarget, encodeHeader, LARGEST_NUMBER, nameProblem, tarNames } from './tar-header.ts';

/** The sink must not use the buffer after the call. */
export type TarSink = (bytes: Uint8Array) => void;

/** Times are in epoch seconds. */
export interface TarWriter {
  readonly file: (name: string, bytes: Uint8Array, modified: number) => void;
  /** Adds a file of `size` bytes. Fails if the total size of the chunks differs from `size`. */
  readonly chunks: (name: string, chunks: Chunks, size: number, modified: number) => void;
  /** Adds a hard link. `canBeTarget` must return true for `target`. */
  readonly link: (name: string, target: string, modified: number) => void;
  /** Writes the two zero blocks at the end. Returns the size of the tar file in bytes. */
  readonly end: () => number;
}

/** The writer fails for an invalid name or size. */
export function tarWriter(sink: TarSink): TarWriter {
  const out = chunkedSink(sink);
  const names = tarNames();
  const begin = (name: string, size: number, modified: number, target?: string) => {
    const reason = nameProblem(name) ?? names.add(name, target);
    if (reason !== undefined) fail(finding('tar-name', { name, reason }));
    if (size > LARGEST_NUMBER) fail(finding('tar-size', { name, size }));
    out.put(encodeHeader({ name, size, modified: clampTime(modified), target }));
  };
  const chunks: TarWriter['chunks'] = (name, given, size, modified) => {
    begin(name, size, modified);
    let left = size;
    for (const bytes of given) {
      out.put(bytes);
      left -= bytes.length;
    }
    if (left !== 0) fail(finding('tar-changed', { name }));
    out.put(Buffer.alloc(paddingOf(size)));
  };
  return {
    chunks,
    file: (name, bytes, modified) => chunks(name, [bytes], bytes.length, modified),
    link: (name, target, modified) => {
      if (!canBeTarget(target)) fail(finding('tar-name', { name: target, reason: LONG_TARGET }));
      begin(name, 0, modified, target);
    },
    end: () => {
      out.put(Buffer.alloc(2 * BLOCK));
      out.flush();
      return out.total();
    },
  };
}

const LONG_TARGET = 'it is the target of a hard link, which is limited to 100 bytes';

export function clampTime(modified: number): number {
  return Math.max(0, Math.min(LARGEST_NUMBER, Math.floor(modified)));
}

export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
