/** The thread that writes beside the main one, as the main one sees it. */
import { Worker } from 'node:worker_threads';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { Batch, Part, PressOptions } from './document-writer.ts';
import type { Answer, Order, WorkerInput } from './writer-worker.ts';

export interface SecondThread {
  /** False when the thread has enough to do: then the caller had better write the batch itself. */
  readonly takes: (batch: Batch) => boolean;
  /** Waits until all that the thread has taken is written. */
  readonly pause: () => Promise<void>;
  readonly close: () => Promise<readonly Part[]>;
  readonly stop: () => Promise<void>;
}

/** How many batches wait for the thread at most: enough to keep it busy, and few, since each is held in memory. */
const MOST_WAITING = 2;

export function startSecondThread(options: PressOptions): SecondThread {
  const written = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const input: WorkerInput = { press: options, written };
  const worker = new Worker(new URL('./writer-worker.js', import.meta.url), { workerData: input });
  let sent = 0;
  let failure: unknown;
  let hear = (_: Answer | undefined) => {};
  worker.on('message', (answer: Answer) => {
    if (answer.kind === 'failed') failure = new Failure(answer.findings);
    hear(answer);
  });
  worker.on('error', (error) => {
    failure = error;
    hear(undefined);
  });
  const tell = (order: Order) => worker.postMessage(order);
  const answerTo = async (order: Order) => {
    tell(order);
    const answer = await new Promise<Answer | undefined>((resolve) => {
      hear = resolve;
      if (failure !== undefined) resolve(undefined);
    });
    if (failure !== undefined) throw failure;
    return answer;
  };
  return {
    takes: (batch) => {
      if (sent - Atomics.load(written, 0) >= MOST_WAITING) return false;
      tell(batch);
      sent++;
      return true;
    },
    pause: async () => {
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
