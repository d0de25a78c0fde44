/** A thread that compresses chunks of a file while it is still being written, whichever no other thread has taken. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { writing } from '../files/system-errors.ts';
import { serveRequests } from '../threads/thread.ts';
import { chunksIn, gzipMember, MEMBER_BYTES, readChunk } from './gzip.ts';

export interface GzipRequest {
  readonly file: string;
  /** The size that the file will have. */
  readonly size: number;
  /** The compressed file, which messages name. */
  readonly out: string;
  /** Where the members go that this thread makes. */
  readonly part: string;
  /** How many chunks are written, and how many are taken. */
  readonly counts: Int32Array;
}

export const WRITTEN = 0;
export const TAKEN = 1;

/** Where the member of a chunk stands in the part of its thread. */
export interface GzipMember {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

export type GzipReply = readonly GzipMember[];

function compress({ file: path, size, part: out, counts }: GzipRequest): GzipReply {
  const buffer = new Uint8Array(MEMBER_BYTES);
  const members: GzipMember[] = [];
  const [file, part] = [openSync(path, 'r'), openSync(out, 'wx')];
  try {
    let offset = 0;
    for (;;) {
      const chunk = Atomics.add(counts, TAKEN, 1);
      if (chunk >= chunksIn(size)) return members;
      waitFor(counts, chunk);
      const bytes = gzipMember(readChunk(file, chunk, buffer));
      writeFileSync(part, bytes);
      members.push({ chunk, offset, length: bytes.length });
      offset += bytes.length;
    }
  } finally {
    closeSync(file);
    closeSync(part);
  }
}

function waitFor(counts: Int32Array, chunk: number): void {
  for (;;) {
    const written = Atomics.load(counts, WRITTEN);
    if (written > chunk) return;
    Atomics.wait(counts, WRITTEN, written);
  }
}

serveRequests<undefined, GzipRequest, GzipReply>(() => (request) => writing(request.out, () => compress(request)));
