/**
 * Writing tar files whose bytes are their identity: the same entries give the same bytes, on any machine. So the writer
 * is our own; see docs/decisions/0016-own-tar-writer.md. The sink gets chunks of one size, whatever the sizes of the files
 * are.
 */
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { type Chunks, chunkedSink } from '../files/file-chunks.ts';
import { BLOCK, canBeTarget, encodeHeader, LARGEST_NUMBER, nameProblem, tarNames } from './tar-header.ts';

/** Takes the bytes of a tar in order. The buffer is used again after the call. */
export type TarSink = (bytes: Uint8Array) => void;

/** Times are in epoch seconds. */
export interface TarWriter {
  readonly file: (name: string, bytes: Uint8Array, modified: number) => void;
  /** Adds a file of so many bytes, which come in chunks. Other sizes end the command with a finding. */
  readonly chunks: (name: string, chunks: Chunks, size: number, modified: number) => void;
  /** Adds a hard link to an earlier file for which `canBeTarget` holds. */
  readonly link: (name: string, target: string, modified: number) => void;
  /** Writes the two blocks of zeros with which a tar ends. Returns the size of the tar. */
  readonly end: () => number;
}

/** A name that cannot be in a tar, or a size, ends the command with a finding. */
export function tarWriter(sink: TarSink): TarWriter {
  const out = chunkedSink(sink);
  const names = tarNames();
  const begin = (name: string, size: number, modified: number, target?: string) => {
    const reason = nameProblem(name) ?? names.add(name, target);
    if (reason !== undefined) fail(finding('tar-name', { name, reason }));
    if (size > LARGEST_NUMBER) fail(finding('tar-size', { name, size }));
    out.put(encodeHeader({ name, size, modified: clamped(modified), target }));
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

const LONG_TARGET = 'a hard link leads to it, for which there are 100 bytes';

/** A time before 1970 or after 2242 has no form in octal digits. */
export function clamped(modified: number): number {
  return Math.max(0, Math.min(LARGEST_NUMBER, Math.floor(modified)));
}

/** How many zeros fill up the last block of a file of this size. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
