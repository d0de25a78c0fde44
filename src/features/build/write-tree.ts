/** Writing a whole tree into its stage, with a second thread where the tree is large, and its manifest last. */
import { releasing } from '../../system/files/free-memory.ts';
import { failToWrite } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { isTree } from '../../system/trees/output-place.ts';
import { aliasBatches, documentBatches } from './batches.ts';
import { type Batch, documentWriter } from './document-writer.ts';
import { standingPast } from './standing/standing-past.ts';
import { type TreeHead, writeManifest } from './write-manifest.ts';
import { startWriterThread } from './writer-thread.ts';

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
/** Characters: of longer texts, a copy for another thread would be felt. */
const LONGEST_SENT = 4 << 20;

/** Writes everything and returns the digest of the whole. */
export async function writeTree(run: TreeRun): Promise<string> {
  const { stage, plan, hosting, counts } = run;
  const previous = run.reuses && isTree(stage.out) ? stage.out : undefined;
  const setup = { root: stage.next, previous, variants: hosting.variants };
  const total = counts.documents + counts.aliases;
  const shown = progress('Writing', total, run.showsProgress);
  const hasSecond = total >= WORKER_THRESHOLD && !run.spool;
  const second = hasSecond ? startWriterThread({ ...setup, thread: 1 }, stage.out) : undefined;
  const own = documentWriter({ ...setup, thread: 0 }, run.spool);
  const release = releasing();
  try {
    let done = 0;
    const write = (batch: Batch) => {
      const long = longest(batch);
      const stays = long > LONGEST_SENT || batch.documents.some((each) => 'parts' in each);
      if (stays || !second?.enqueue(batch)) own.write(batch);
      if (long > LONGEST_SENT) release(long);
      done += batch.documents.length + batch.aliases.length;
      shown.at(done);
    };
    const past = previous === undefined ? undefined : standingPast(previous, run);
    // While this thread is at what is long, a second one is given what is short; without one, all is written in order.
    const isApart = ({ isLong = false }) => second !== undefined && isLong;
    const short = documentBatches(run, {
      takes: (section) => !isApart(section),
      ...{ past, meanwhile: () => {} },
    });
    const meanwhile = () => {
      while (second?.hasRoom() === true) {
        const { value: batch, done: isEnd } = short.next();
        if (isEnd === true) return;
        write(batch);
      }
    };
    const long = documentBatches(run, { takes: isApart, past, meanwhile });
    for (const batches of [long, short]) {
      for (const batch of batches) {
        write(batch);
        meanwhile();
        await run.pause?.();
      }
    }
    // Aliases are links to documents, which must be there.
    await second?.drain();
    for (const batch of aliasBatches(plan)) write(batch);
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

/** The length of the longest text of a batch; there is no whole text of what comes in parts. */
function longest({ documents }: Batch): number {
  return documents.reduce((most, each) => ('text' in each ? Math.max(most, each.text.length) : most), 0);
}
