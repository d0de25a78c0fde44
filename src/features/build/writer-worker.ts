/** The second thread of a large build: it writes the batches that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../core/diagnostics/failure.ts';
import { certain } from '../../core/platform/certain.ts';
import { writing } from '../../system/files/system-errors.ts';
import { treeWriter } from '../../system/trees/tree-writer.ts';
import { batchWriter } from './document-writer.ts';
import type { WriterInput, WriterReply, WriterRequest } from './writer-thread.ts';

const port = certain(parentPort ?? undefined);
const { root, previous, variants, out }: WriterInput = workerData;
const write = batchWriter(treeWriter(root, previous), variants);

port.on('message', ({ number, batch }: WriterRequest) => port.postMessage(reply(number, () => write(batch))));

/** A Failure loses its class on the way to another thread, so its findings are sent. */
function reply(number: number, work: () => string): WriterReply {
  try {
    return { number, entries: writing(out, work) };
  } catch (error) {
    if (error instanceof Failure) return { findings: error.findings };
    throw error;
  }
}
