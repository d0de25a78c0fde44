/** Writing a whole tree into its stage, with a second thread where the tree is large. */
import { setImmediate } from 'node:timers/promises';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { failToWrite, writing } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { isTree } from '../../system/trees/output-place.ts';
import { type TreeWriter, treeWriter } from '../../system/trees/tree-writer.ts';
import { type Batch, batchWriter } from './document-writer.ts';
import { manifestWriter, type TreeHead, writeOtherFiles } from './write-manifest.ts';

export interface TreeRun extends TreeHead {
  /** Whether files of the existing tree may be linked where they are the same. */
  readonly reuses: boolean;
  readonly showsProgress: boolean;
  /** Awaited after each batch of documents, where the thread has something else to do besides. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Writes the files, except the manifest and host listings, in the place of the stage. */
  readonly spool?: TreeWriter;
}

/** From this many documents and aliases on, a second thread saves more time than its start takes. */
const LARGE = 10_000;
/** The largest batch: in characters of its texts, or in entries. */
const BATCH_LENGTH = 1 << 20;
const BATCH_SIZE = 500;

/** Writes everything and returns the digest of the tree. */
export async function writeTree(run: TreeRun): Promise<string> {
  const { stage, plan, hosting, counts, spool } = run;
  const previous = run.reuses && isTree(stage.out) ? stage.out : undefined;
  const setup = { root: stage.next, previous, variants: hosting.variants, out: stage.out };
  const total = counts.documents + counts.aliases;
  const shown = progress('Writing', total, run.showsProgress);
  const writer = spool ?? treeWriter(stage.next, previous);
  const write = batchWriter(writer, hosting.variants);
  const manifest = writing(stage.out, () => manifestWriter(run));
  const second =
    total >= LARGE && !spool ? (await import('./writer-thread.ts')).startWriterThread(setup, manifest.add) : undefined;
  let [number, done] = [0, 0];
  const writeBatch = async (batch: Batch) => {
    const isSendable = batch.documents.every((document) => 'text' in document);
    if (!isSendable || !second?.take(number, batch)) manifest.add(number, write(batch));
    number++;
    done += batch.documents.length + batch.aliases.length;
    shown.at(done);
    // Lets the replies of the second thread arrive.
    if (second) await setImmediate();
    await run.pause?.();
  };
  try {
    for (const batch of documentBatches(run)) await writeBatch(batch);
    // Aliases are links to documents, which must exist.
    await second?.drain();
    for (const batch of aliasBatches(plan)) await writeBatch(batch);
    await second?.drain();
    return manifest.end(writeOtherFiles(run, spool ?? treeWriter(stage.next, undefined)));
  } catch (error) {
    return failToWrite(stage.out, error);
  } finally {
    manifest.close();
    shown.end();
    await second?.stop();
  }
}

/** All documents in the order of the plan. A text that is rendered while it is written is the last of its batch. */
function* documentBatches({ plan, publication, hosting, spool }: TreeRun): Generator<Batch> {
  const { pretty, precompressed } = hosting.variants;
  const takesParts = !pretty && !precompressed && spool === undefined;
  let documents: Batch['documents'][number][] = [];
  let length = 0;
  for (const { list } of plan.documents) {
    for (const { url, form, cache, modified, body, parts } of list()) {
      const head = { url, type: publication.dialect.mediaType(form), cache, modified };
      if (parts && takesParts && cache === 'mutable') {
        documents.push({ ...head, parts });
        length = BATCH_LENGTH;
      } else {
        const text = body();
        documents.push({ ...head, text });
        length += text.length;
      }
      if (length < BATCH_LENGTH && documents.length < BATCH_SIZE) continue;
      yield { documents, aliases: [] };
      documents = [];
      length = 0;
    }
  }
  if (documents.length > 0) yield { documents, aliases: [] };
}

function* aliasBatches(plan: Plan): Generator<Batch> {
  let aliases: Batch['aliases'][number][] = [];
  for (const { list } of plan.aliases) {
    for (const alias of list()) {
      aliases.push(alias);
      if (aliases.length < BATCH_SIZE) continue;
      yield { documents: [], aliases };
      aliases = [];
    }
  }
  if (aliases.length > 0) yield { documents: [], aliases };
}
