/** Compressing a file as gzip.ts says, by two threads where it is large, beginning while it is still being written. */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { mustGet } from '../../core/platform/certain.ts';
import { startThread, type Thread } from '../threads/thread.ts';
import { chunksIn, gzipMember, MEMBER_BYTES, readChunk } from './gzip.ts';
import { type GzipMember, type GzipReply, type GzipRequest, TAKEN, WRITTEN } from './gzip-worker.ts';

export interface Compressed {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

export interface Compression {
  /** Says how many bytes of the file are written. */
  readonly written: (bytes: number) => void;
  /** How many chunks of it are compressed, or about to be; each has `MEMBER_BYTES` bytes. */
  readonly begun: () => number;
  /** Waits for the compressed file; the other one must be written to its end. */
  readonly end: () => Promise<Compressed>;
  /** Ends all threads, whatever they do. */
  readonly stop: () => Promise<void>;
}

export interface Compressing {
  readonly file: string;
  /** The size that the file will have. */
  readonly size: number;
  /** Where the compressed file goes. */
  readonly out: string;
}

const THREADS = 2;
/** From this many chunks on, threads are worth what it costs to start them. */
const MANY_CHUNKS = 8;

/** Begins to compress a file that exists, and may still be empty. System errors are thrown on. */
export function startCompression(given: Compressing): Compression {
  return chunksIn(given.size) < MANY_CHUNKS ? inThisThread(given) : inThreads(given);
}

function inThisThread({ file: path, size, out }: Compressing): Compression {
  const end = async () => {
    const buffer = new Uint8Array(Math.min(MEMBER_BYTES, size));
    const file = openSync(path, 'r');
    const target = written(out);
    try {
      for (let chunk = 0; chunk < chunksIn(size); chunk++) target.add(gzipMember(readChunk(file, chunk, buffer)));
      return target.end();
    } finally {
      closeSync(file);
      target.close();
    }
  };
  return { written: () => {}, begun: () => 0, end, stop: async () => {} };
}

interface Part {
  readonly file: string;
  readonly thread: Thread<GzipRequest, GzipReply>;
  readonly members: Promise<GzipReply>;
}

function inThreads({ file, size, out }: Compressing): Compression {
  const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const module = new URL('./gzip-worker.js', import.meta.url);
  const parts = Array.from({ length: THREADS }, (_, number): Part => {
    const part = `${out}.${number}`;
    const thread = startThread<GzipRequest, GzipReply>(module, undefined);
    const members = thread.ask({ file, size, out, part, counts });
    // It is awaited in the end only.
    members.catch(() => {});
    return { file: part, thread, members };
  });
  const tellWritten = (chunks: number) => {
    Atomics.store(counts, WRITTEN, chunks);
    Atomics.notify(counts, WRITTEN);
  };
  return {
    written: (bytes) => tellWritten(Math.floor(bytes / MEMBER_BYTES)),
    begun: () => Math.min(Atomics.load(counts, TAKEN), chunksIn(size)),
    end: async () => {
      tellWritten(chunksIn(size));
      const members = parts.map(async (part) => (await part.members).map((at) => ({ ...at, file: part.file })));
      return joined((await Promise.all(members)).flat(), out);
    },
    stop: async () => {
      await Promise.all(parts.map(({ thread }) => thread.stop()));
      for (const part of parts) rmSync(part.file, { force: true });
    },
  };
}

function joined(members: readonly (GzipMember & { readonly file: string })[], out: string): Compressed {
  const opened = new Map([...new Set(members.map(({ file }) => file))].map((file) => [file, openSync(file, 'r')]));
  const target = written(out);
  try {
    for (const { file, offset, length } of members.toSorted((a, b) => a.chunk - b.chunk)) {
      const bytes = new Uint8Array(length);
      readSync(mustGet(opened, file), bytes, 0, length, offset);
      target.add(bytes);
    }
    return target.end();
  } finally {
    target.close();
    for (const file of opened.values()) closeSync(file);
  }
}

/** A new file with its digest. */
function written(out: string) {
  const file = openSync(out, 'wx');
  const sha256 = createHash('sha256');
  let size = 0;
  return {
    add: (bytes: Uint8Array) => {
      writeFileSync(file, bytes);
      sha256.update(bytes);
      size += bytes.length;
    },
    end: (): Compressed => ({ sha256: sha256.digest('hex'), size }),
    close: () => closeSync(file),
  };
}
