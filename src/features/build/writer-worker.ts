import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../core/diagnostics/finding.ts';
import { assertDefined } from '../../core/platform/lookups.ts';
import { writing } from '../../system/files/system-errors.ts';
import { treeWriter } from '../../system/trees/tree-writer.ts';
import { batchWriter } from './document-writer.ts';
import type { WriterReply, WriterRequest, WriterSetup } from './writer-thread.ts';

const port = assertDefined(parentPort ?? undefined);
const { root, previous, variants, out }: WriterSetup = workerData;
const write = batchWriter(treeWriter(root, previous), variants);

port.on('message', ({ number, batch }: WriterRequest) => port.postMessage(reply(number, () => write(batch))));

/** Sends the findings of a Failure, because an error loses its class when it is sent to another thread. */
function reply(number: number, work: () => string): WriterReply {
  try {
    return { number, entries: writing(out, work) };
  } catch (error) {
    if (error instanceof Failure) return { findings: error.findings };
    throw error;
  }
}
