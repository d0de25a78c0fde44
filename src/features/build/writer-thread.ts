/** The thread that writes beside the main one, as the main one sees it. */
import { Worker } from 'node:worker_threads';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { Batch, DocumentWriterOptions, ManifestFragment } from './document-writer.ts';
import type { WriterReply, WriterRequest, WriterThreadInput } from './writer-worker.ts';

export interface WriterThread {
  /** False when the thread has enough to do: then the caller had better write the batch itself. */
  readonly enqueue: (batch: Batch) => boolean;
  /** Waits until all that the thread has taken is written. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<readonly ManifestFragment[]>;
  readonly stop: () => Promise<void>;
}

/** How many batches wait for the thread at most: enough to keep it busy, and few, since each is held in memory. */
const MOST_WAITING = 2;

export function startWriterThread(options: DocumentWriterOptions): WriterThread {
  const written = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const input: WriterThreadInput = { writer: options, written };
  const worker = new Worker(new URL('./writer-worker.js', import.meta.url), { workerData: input });
  let sent = 0;
  let failure: unknown;
  let hear = (_: WriterReply | undefined) => {};
  worker.on('message', (answer: WriterReply) => {
    if (answer.kind === 'failed') failure = new Failure(answer.findings);
    hear(answer);
  });
  worker.on('error', (error) => {
    failure = error;
    hear(undefined);
  });
  const tell = (order: WriterRequest) => worker.postMessage(order);
  const answerTo = async (order: WriterRequest) => {
    tell(order);
    const answer = await new Promise<WriterReply | undefined>((resolve) => {
      hear = resolve;
      if (failure !== undefined) resolve(undefined);
    });
    if (failure !== undefined) throw failure;
    return answer;
  };
  return {
    enqueue: (batch) => {
      if (sent - Atomics.load(written, 0) >= MOST_WAITING) return false;
      tell(batch);
      sent++;
      return true;
    },
    drain: async () => {
      await answerTo('pause');
    },
    close: async () => {
      const answer = await answerTo('close');
      return answer?.kind === 'closed' ? answer.parts : [];
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}
