/** The thread that writes batches beside the main thread of a large build. */
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { Variants } from '../../core/tree/layout.ts';
import { codeOf } from '../../system/files/system-errors.ts';
import type { Batch } from './document-writer.ts';

export interface WriterInput {
  readonly root: string;
  readonly previous: string | undefined;
  readonly variants: Variants;
  /** The tree as messages name it. */
  readonly out: string;
}

export interface WriterRequest {
  readonly number: number;
  readonly batch: Batch;
}

export type WriterReply =
  | { readonly number: number; readonly entries: string }
  | { readonly findings: readonly Finding[] };

export interface WriterThread {
  /** Sends a batch. Returns false when the thread has enough to do: then the caller writes the batch itself. */
  readonly take: (number: number, batch: Batch) => boolean;
  /** Waits until all batches are written. Fails as the thread did. */
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<unknown>;
}

/** Enough to keep the thread busy, and few, because each waiting batch takes memory. */
const MOST_WAITING = 2;

/** `written` receives the manifest entries of each batch, whenever the main thread waits for events. */
export function startWriterThread(
  input: WriterInput,
  written: (number: number, entries: string) => void,
): WriterThread {
  const worker = new Worker(new URL('./writer-worker.js', import.meta.url), {
    workerData: input,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  let waiting = 0;
  let end: { readonly error: unknown } | undefined;
  worker.on('message', (reply: WriterReply) => {
    waiting--;
    if ('findings' in reply) end ??= { error: new Failure(reply.findings) };
    else written(reply.number, reply.entries);
  });
  worker.on('error', (error) => {
    const isOutOfMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    end ??= { error: isOutOfMemory ? new Failure([finding('out-of-memory', {})]) : error };
  });
  worker.on('exit', () => {
    end ??= { error: new Error('the writer thread ended before it had written everything') };
  });
  return {
    take: (number, batch) => {
      if (end) throw end.error;
      if (waiting >= MOST_WAITING) return false;
      worker.postMessage({ number, batch } satisfies WriterRequest);
      waiting++;
      return true;
    },
    drain: async () => {
      while (waiting > 0 && !end) await setTimeout(1);
      if (end) throw end.error;
    },
    stop: () => worker.terminate(),
  };
}
