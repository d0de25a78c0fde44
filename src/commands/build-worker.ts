/** The second thread of a large build: reads the same sources, makes the same plan, and takes units of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Finding, finding } from '../diagnostics/finding.ts';
import { Failure, fail } from '../io/failure.ts';
import type { Variants } from '../site/layout.ts';
import { planTree } from '../site/plan.ts';
import { type BuildOptions, sourcesOfBuild } from './build-options.ts';
import { COUNTERS, type Part, press } from './press.ts';
import { publicationOf } from './publication.ts';
import { digestOfSources, type SourcesDigest } from './sources.ts';

export interface WorkerInput {
  readonly options: BuildOptions;
  readonly sources: SourcesDigest;
  readonly root: string;
  readonly previous: string | undefined;
  readonly variants: Variants;
  readonly counters: Int32Array;
}

export type WorkerMessage =
  | { readonly kind: 'documents' | 'aliases'; readonly parts: readonly Part[] }
  | { readonly kind: 'failed'; readonly findings: readonly Finding[] };

function work(input: WorkerInput, say: (message: WorkerMessage) => void): void {
  const { options, root, previous, variants, counters } = input;
  const loaded = sourcesOfBuild(options);
  if (digestOfSources(options, input.sources.extras) !== input.sources.digest)
    fail(finding('sources-changed', {}));
  const publication = publicationOf(loaded, options);
  const plan = planTree(publication);
  const own = press({
    ...{ publication, plan, root, previous, variants },
    shared: { counters },
    thread: 1,
    onProgress: () => {},
  });
  say({ kind: 'documents', parts: own.documents() });
  Atomics.wait(counters, COUNTERS.barrier, 0);
  say({ kind: 'aliases', parts: own.aliases() });
  own.close();
}

const port = parentPort;
if (port) {
  try {
    work(workerData, (message) => port.postMessage(message));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    port.postMessage({ kind: 'failed', findings: error.findings } satisfies WorkerMessage);
  }
}
