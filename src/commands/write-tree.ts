/** Writing a whole tree into its stage, with a second thread where the tree is large, and its manifest last. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../api/problem.ts';
import { idAt, modificationTimes, type Publication } from '../api/publication.ts';
import { finding } from '../diagnostics/finding.ts';
import { Failure, fail, reasonOf } from '../io/failure.ts';
import { progress } from '../io/progress.ts';
import { isTree, type Stage, treeWriter } from '../io/staging.ts';
import { MANIFEST_FILE, NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../site/layout.ts';
import { filesText, LINE_SEPARATOR, manifestEnd, manifestStart, type TreeCounts } from '../site/manifest.ts';
import type { Plan } from '../site/plan.ts';
import type { BuildOptions } from './build-options.ts';
import type { WorkerInput, WorkerMessage } from './build-worker.ts';
import type { Hosting } from './hosting.ts';
import { COUNTERS, type Part, type Press, partFile, press } from './press.ts';
import type { SourcesDigest } from './sources.ts';

export interface TreeRun {
  readonly options: BuildOptions;
  readonly publication: Publication;
  readonly plan: Plan;
  readonly stage: Stage;
  readonly sources: SourcesDigest;
  readonly counts: TreeCounts;
  readonly hosting: Hosting;
}

/** From this many documents and aliases on, a second thread is worth what it costs to start. */
const WORKER_THRESHOLD = 20_000;

/** Writes everything and returns the digest of the whole. */
export async function writeTree(run: TreeRun): Promise<string> {
  const { stage, publication, plan, hosting, counts, options } = run;
  const previous = isTree(stage.out) ? stage.out : undefined;
  const counters = new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
  const total = counts.documents + counts.aliases;
  const shown = progress('Writing', total, options.showsProgress);
  const second = total >= WORKER_THRESHOLD ? startWorker(run, previous, counters) : undefined;
  let own: Press | undefined;
  try {
    own = press({
      ...{ publication, plan, previous },
      variants: hosting.variants,
      root: stage.next,
      shared: { counters },
      thread: 0,
      onProgress: shown.at,
    });
    const documents = [own.documents(), await second?.parts('documents')];
    Atomics.store(counters, COUNTERS.barrier, 1);
    Atomics.notify(counters, COUNTERS.barrier);
    const aliases = [own.aliases(), await second?.parts('aliases')];
    own.close();
    return writeManifest(run, orderParts(documents, aliases));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail(finding('write-failed', { file: stage.out, reason: reasonOf(error), kept: true }));
  } finally {
    own?.close();
    shown.end();
    await second?.stop();
  }
}

interface SecondThread {
  /** What the thread wrote of a phase, once it is done with it. */
  readonly parts: (phase: 'documents' | 'aliases') => Promise<readonly Part[]>;
  readonly stop: () => Promise<void>;
}

function startWorker(
  { options, sources, stage, hosting }: TreeRun,
  previous: string | undefined,
  counters: Int32Array,
): SecondThread {
  const input: WorkerInput = {
    options,
    sources,
    root: stage.next,
    previous,
    variants: hosting.variants,
    counters,
  };
  const worker = new Worker(new URL('./build-worker.js', import.meta.url), { workerData: input });
  const arrived = new Map<string, readonly Part[]>();
  let wake = () => {};
  let failure: unknown;
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'failed') failure = new Failure(message.findings);
    else arrived.set(message.kind, message.parts);
    wake();
  });
  worker.on('error', (error) => {
    failure = error;
    wake();
  });
  return {
    parts: async (phase) => {
      for (;;) {
        if (failure !== undefined) throw failure;
        const parts = arrived.get(phase);
        if (parts) return parts;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}

interface PlacedPart extends Part {
  readonly thread: number;
}

/** The parts of both threads in the order of the plan. */
function orderParts(...phases: (readonly Part[] | undefined)[][]): PlacedPart[] {
  return phases.flatMap((threads) =>
    threads
      .flatMap((parts, thread) => (parts ?? []).map((part) => ({ ...part, thread })))
      .sort((a, b) => a.unit - b.unit),
  );
}

function writeManifest(
  { stage, publication, sources, hosting, counts }: TreeRun,
  parts: readonly PlacedPart[],
): string {
  const { head, history, dialect } = publication;
  const root = stage.next;
  const time = modificationTimes(history)[head] ?? 0;
  const writer = treeWriter(root, undefined);
  const others = [
    [NOT_FOUND_FILE, NOT_FOUND],
    [NOT_ALLOWED_FILE, METHOD_NOT_ALLOWED],
    ...hosting.files,
  ] as const;
  const files = filesText(
    others.map(([name, text]) => ({ file: name, ...writer.write(name, text, time, false) })),
  );
  const texts = new Map(
    [...new Set(parts.map(({ thread }) => thread))].map((thread) => [
      thread,
      readFileSync(join(root, partFile(thread))),
    ]),
  );
  const whole = createHash('sha256');
  const file = openSync(join(root, MANIFEST_FILE), 'w');
  try {
    writeFileSync(
      file,
      manifestStart({
        revision: idAt(publication, head),
        dialect: dialect.name,
        sources: sources.digest,
        variants: hosting.variants,
        hosts: hosting.hosts.map(({ name }) => name),
        counts,
      }),
    );
    let between = '';
    for (const { thread, offset, length } of parts) {
      const text = texts.get(thread)?.subarray(offset, offset + length);
      if (!text || length === 0) continue;
      whole.update(between).update(text);
      writeFileSync(file, between);
      writeFileSync(file, text);
      between = LINE_SEPARATOR;
    }
    const digest = whole.update(files).digest('hex');
    writeFileSync(file, manifestEnd(files, digest));
    return digest;
  } finally {
    closeSync(file);
    for (const thread of [0, 1]) rmSync(join(root, partFile(thread)), { force: true });
  }
}
