/** Writing a whole tree into its stage, with a second thread where the tree is large, and its manifest last. */
import type { Plan, PlannedAlias } from '../../core/tree/plan/planned.ts';
import { releasing } from '../../system/files/free-memory.ts';
import { failToWrite } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { isTree } from '../../system/trees/output-place.ts';
import { type Batch, type DocumentWriterOptions, documentWriter } from './document-writer.ts';
import type { StandingPast } from './standing/standing-past.ts';
import { type TreeHead, writeManifest } from './write-manifest.ts';
import type { WriterThread } from './writer-thread.ts';

export interface TreeRun extends TreeHead {
  /** Whether files of the tree that stands there may be linked in where they are the same. */
  readonly reuses: boolean;
  /** Whether progress is shown when there is a terminal. */
  readonly showsProgress: boolean;
  /** Awaited after each batch of documents, where the thread has something else to do besides. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** From this many documents and aliases on, a second thread is worth what it costs to start. */
const WORKER_THRESHOLD = 10_000;
/** A batch is as large as this, in characters of its texts, or in entries; what is rendered while it is written is the last of its own. */
const BATCH_LENGTH = 1 << 20;
const BATCH_SIZE = 500;
/** Characters: of a longer text what it was made of is garbage that is collected at once. */
const LONG = 4 << 20;

/** Writes everything and returns the digest of the whole. */
export async function writeTree(run: TreeRun): Promise<string> {
  const { stage, plan, hosting, counts } = run;
  const previous = run.reuses && isTree(stage.out) ? stage.out : undefined;
  const setup = { root: stage.next, previous, variants: hosting.variants };
  const total = counts.documents + counts.aliases;
  const shown = progress('Writing', total, run.showsProgress);
  const hasSecond = total >= WORKER_THRESHOLD && !run.spool;
  const second = hasSecond ? await secondThread({ ...setup, thread: 1 }, stage.out) : undefined;
  const own = documentWriter({ ...setup, thread: 0 }, run.spool);
  const { release, settle } = releasing();
  try {
    let done = 0;
    const write = (batch: Batch) => {
      const long = longest(batch);
      if (!second?.enqueue(batch)) own.write(batch);
      if (long > LONG) release(long);
      done += batch.documents.length + batch.aliases.length;
      shown.at(done);
      settle();
    };
    const past = previous === undefined ? undefined : await pastIn(previous, run);
    const batches = documentBatches(run, past, settle);
    let order = 0;
    for (const documents of batches) {
      write({ order: order++, documents, aliases: [] });
      await run.pause?.();
    }
    // Aliases are links to documents, which must be there.
    await second?.drain();
    for (const aliases of aliasBatches(plan)) write({ order: order++, documents: [], aliases });
    const parts = [...own.close(), ...((await second?.close()) ?? [])];
    return writeManifest(run, parts);
  } catch (error) {
    return failToWrite(stage.out, error);
  } finally {
    own.close();
    shown.end();
    await second?.stop();
  }
}

// What only large trees need, or only where one stands, is loaded there.
async function secondThread(writer: DocumentWriterOptions, out: string): Promise<WriterThread> {
  return (await import('./writer-thread.ts')).startWriterThread(writer, out);
}

async function pastIn(previous: string, run: TreeRun): Promise<StandingPast | undefined> {
  return (await import('./standing/standing-past.ts')).standingPast(previous, run);
}

/** The length of the longest text of a batch; there is no whole text of what comes in parts. */
function longest({ documents }: Batch): number {
  return documents.reduce((most, each) => ('text' in each ? Math.max(most, each.text.length) : most), 0);
}

/**
 * All documents in the order of the plan, one batch at a time: rendered, unless they stand in the previous tree. `settle` is
 * told of the end of each section.
 */
function* documentBatches(
  { plan, publication, hosting, spool }: TreeRun,
  past: StandingPast | undefined,
  settle: () => void,
) {
  const { dialect } = publication;
  const { pretty, precompressed } = hosting.variants;
  const takesParts = !pretty && !precompressed && spool === undefined;
  let batch: Batch['documents'][number][] = [];
  let length = 0;
  for (const { list } of plan.documents) {
    for (const document of list()) {
      const { url, form, cache, modified, body, parts } = document;
      const line = past?.lineOf(document);
      const said = { url, type: dialect.mediaType(form), cache, modified };
      if (line !== undefined) batch.push({ url, line });
      else if (parts && takesParts && cache === 'mutable') {
        batch.push({ parts, ...said });
        length = BATCH_LENGTH;
      } else {
        const text = body();
        batch.push({ text, ...said });
        length += text.length;
      }
      if (length < BATCH_LENGTH && batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
      length = 0;
    }
    settle();
  }
  if (batch.length > 0) yield batch;
}

function* aliasBatches({ aliases }: Plan): Generator<PlannedAlias[]> {
  let batch: PlannedAlias[] = [];
  for (const { list } of aliases) {
    for (const alias of list()) {
      batch.push(alias);
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
