/** The second thread of a large build: it writes the batches that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { Finding } from '../../core/diagnostics/finding.ts';
import {
  type Batch,
  type DocumentWriterOptions,
  documentWriter,
  type ManifestFragment,
} from './document-writer.ts';

export interface WriterThreadInput {
  readonly writer: DocumentWriterOptions;
  /** How many batches are written. */
  readonly written: Int32Array;
}

/** What the thread is told: to write, to say when everything so far is written, to end. */
export type WriterRequest = Batch | 'pause' | 'close';

export type WriterReply =
  | { readonly kind: 'paused' }
  | { readonly kind: 'closed'; readonly parts: readonly ManifestFragment[] }
  | { readonly kind: 'failed'; readonly findings: readonly Finding[] };

function work(
  input: WriterThreadInput,
  listen: (answer: (order: WriterRequest) => WriterReply | undefined) => void,
): void {
  const own = documentWriter(input.writer);
  let failure: WriterReply | undefined;
  listen((order) => {
    if (failure || order === 'pause') return failure ?? { kind: 'paused' };
    if (order === 'close') return { kind: 'closed', parts: own.close() };
    try {
      own.write(order);
      Atomics.add(input.written, 0, 1);
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure = { kind: 'failed', findings: error.findings };
      return failure;
    }
  });
}

const port = parentPort;
if (port) {
  work(workerData, (answer) => {
    port.on('message', (order: WriterRequest) => {
      const said = answer(order);
      if (said) port.postMessage(said);
    });
  });
}
