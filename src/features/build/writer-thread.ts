import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Failure, type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { Variants } from '../../core/tree/layout.ts';
import { codeOf } from '../../system/files/system-errors.ts';
import type { Batch } from './document-writer.ts';

export interface WriterSetup {
  readonly root: string;
  readonly previous: string | undefined;
  readonly variants: Variants;
  readonly out: string;
}

export interface WriterRequest {
  readonly number: number;
  readonly batch: Batch;
}

export type WriterReply =
  | { readonly number: number; readonly entries: string }
  | { readonly findings: readonly Finding[] };

/** The maximum number of waiting batches. They keep the thread busy, and further batches would only take memory. */
const MOST_WAITING = 2;

/**
 * Starts the thread. Calls `written` with the manifest entries of each batch, whenever the main thread waits for
 * events.
 */
export function startWriterThread(setup: WriterSetup, written: (number: number, entries: string) => void) {
  const worker = new Worker(new URL('./writer-worker.js', import.meta.url), {
    workerData: setup,
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
    end ??= { error: new Error('the writer thread ended early') };
  });
  return {
    /** Sends a batch. Returns false if the thread is busy. The caller then writes the batch itself. */
    take: (number: number, batch: Batch): boolean => {
      if (end) throw end.error;
      if (waiting >= MOST_WAITING) return false;
      worker.postMessage({ number, batch } satisfies WriterRequest);
      waiting++;
      return true;
    },
    /** Waits until all batches are written. Throws the error of the thread. */
    drain: async (): Promise<void> => {
      while (waiting > 0 && !end) await setTimeout(1);
      if (end) throw end.error;
    },
    stop: () => worker.terminate(),
  };
}
