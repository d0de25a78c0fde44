/** The thread that writes beside the main one, as the main one sees it. */
import { startThread } from '../../system/threads/thread.ts';
import { newSlots, packed } from './batch-slots.ts';
import type { Batch, DocumentWriterOptions, ManifestFragment } from './document-writer.ts';
import type { WriterInput, WriterReply, WriterRequest } from './writer-worker.ts';

export interface WriterThread {
  /** False when the thread has enough to do, or cannot do it: then the caller is to write the batch itself. */
  readonly enqueue: (batch: Batch) => boolean;
  /** Waits until all that the thread has taken is written. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<readonly ManifestFragment[]>;
  readonly stop: () => Promise<void>;
}

/** How many batches wait for the thread at most: enough to keep it busy, and few, since each is held in memory. */
const MOST_WAITING = 2;

/** What is sent is soon done with: a larger space for what is new takes 25 MB more, and saves nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 8 };

/** `out` is the tree as messages name it. */
export function startWriterThread(writer: DocumentWriterOptions, out: string): WriterThread {
  const written = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // A slot is free again once as many batches are written.
  const slots = newSlots(MOST_WAITING);
  const input: WriterInput = { writer, out, written, slots };
  const module = new URL('./writer-worker.js', import.meta.url);
  const { send, ask, stop } = startThread<WriterRequest, WriterReply>(module, input, LIMITS);
  let sent = 0;
  return {
    enqueue: (batch) => {
      if (sent - Atomics.load(written, 0) >= MOST_WAITING) return false;
      const message = packed(batch, slots, sent % slots.length);
      if (!message) return false;
      send(message);
      sent++;
      return true;
    },
    drain: async () => {
      await ask('drain');
    },
    close: () => ask('close'),
    stop,
  };
}
