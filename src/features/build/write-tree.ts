/** Writes a complete tree into its stage. For large trees, a second thread does a part of the work. */

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { historySince, idAt, modificationTimes } from '../../core/api/publication.ts';
import { fileOfUrl, MANIFEST_FILE } from '../../core/tree/layout.ts';
import {
  filesText,
  LINE_SEPARATOR,
  manifestEnd,
  manifestSeal,
  manifestStart,
} from '../../core/tree/manifest/manifest.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { writeAll } from '../../system/files/file-io.ts';
import { failToWrite, writing } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { isTree } from '../../system/trees/output-place.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { type TreeWriter, treeWriter } from '../../system/trees/tree-writer.ts';
import { type Batch, batchWriter } from './document-writer.ts';
import type { HostListing } from './hosting.ts';
import type { PlannedBuild } from './plan-build.ts';

export interface TreeRun extends TreeHead {
  /** Whether to link unchanged files of the existing tree instead of writing them. */
  readonly reuses: boolean;
  readonly showsProgress: boolean;
  /** Called after each batch, so that the process can do other work. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** If set, receives all files except the manifest. Only the manifest is then written to the stage. */
  readonly spool?: TreeWriter;
}

/**
 * The minimum number of documents and aliases for a second thread. For smaller trees, starting the thread takes longer
 * than it saves.
 */
const LARGE = 10_000;
/** The maximum size of a batch: in UTF-16 code units of its texts, and in entries. */
const BATCH_LENGTH = 1 << 20;
const BATCH_SIZE = 500;

export async function writeTree(run: TreeRun): Promise<string> {
  const { stage, plan, hosting, counts, spool } = run;
  const previous = run.reuses && isTree(stage.out) ? stage.out : undefined;
  const total = counts.documents + counts.aliases;
  const shown = progress('Writing', total, run.showsProgress);
  const write = batchWriter(spool ?? treeWriter(stage.next, previous), hosting.variants);
  const manifest = writing(stage.out, () => manifestWriter(run));
  const setup = { root: stage.next, previous, variants: hosting.variants, out: stage.out };
  const second =
    total >= LARGE && !spool ? (await import('./writer-thread.ts')).startWriterThread(setup, manifest.add) : undefined;
  let [number, done] = [0, 0];
  const writeBatch = async (batch: Batch) => {
    const isSendable = batch.documents.every((document) => 'text' in document);
    if (!isSendable || !second?.take(number, batch)) manifest.add(number, write(batch));
    number++;
    done += batch.documents.length + batch.aliases.length;
    shown.at(done);
    // The replies of the second thread arrive here.
    if (second) await setImmediate();
    await run.pause?.();
  };
  try {
    for (const batch of documentBatches(run)) await writeBatch(batch);
    // Waits for all documents, because aliases are links to existing documents.
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

/** Yields all documents in the order of the plan. Within a batch, long documents come last. */
function* documentBatches({ plan, publication, hosting }: TreeRun): Generator<Batch> {
  const hasVariants = hosting.variants.pretty || hosting.variants.precompressed;
  let documents: Batch['documents'][number][] = [];
  let length = 0;
  for (const { list } of plan.documents) {
    for (const { url, form, cache, modified, body, parts } of list()) {
      const head = { url, type: publication.dialect.mediaType(form), cache, modified };
      if (parts && !hasVariants && cache === 'mutable') {
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
      if (aliases.push(alias) < BATCH_SIZE) continue;
      yield { documents: [], aliases };
      aliases = [];
    }
  }
  if (aliases.length > 0) yield { documents: [], aliases };
}

/** Writes the manifest during a build, and the files of the tree that are not documents. */
interface TreeHead extends PlannedBuild {
  readonly stage: Pick<Stage, 'out' | 'next'>;
  readonly sources: string;
  readonly isProvisional?: boolean;
}

function manifestWriter(head: TreeHead) {
  const file = openSync(join(head.stage.next, MANIFEST_FILE), 'w');
  const [digest, seal] = [createHash('sha256'), createHash('sha256')];
  const waiting = new Map<number, string>();
  let next = 0;
  const write = (text: string) => {
    seal.update(text);
    writeAll(file, Buffer.from(text));
  };
  return {
    /** Adds the entries of a batch. Batches are numbered from 0 and can arrive in any order. */
    add: (batch: number, entries: string): void => {
      waiting.set(batch, entries);
      for (let text = waiting.get(next); text !== undefined; text = waiting.get(next)) {
        if (next === 0) write(startOf(head));
        const separated = next === 0 ? text : LINE_SEPARATOR + text;
        digest.update(separated);
        write(separated);
        waiting.delete(next++);
      }
    },
    /** Completes the manifest after the last batch. Returns the digest of the tree. */
    end: (files: string): string => {
      const whole = digest.update(files).digest('hex');
      write(manifestEnd(files, whole));
      writeAll(file, Buffer.from(manifestSeal(seal.digest('hex'))));
      return whole;
    },
    close: () => closeSync(file),
  };
}

function startOf({ publication, sources, hosting, counts, isProvisional }: TreeHead): string {
  return manifestStart({
    revision: idAt(publication, publication.head),
    serial: publication.history.revisions.length,
    dialect: publication.dialect.name,
    sources,
    variants: hosting.variants,
    hosts: hosting.hosts.map(({ name }) => name),
    counts,
    history_since: historySince(publication),
    provisional: isProvisional === true ? true : undefined,
  });
}

/** Writes error documents, tombstones and files of hosts. Returns their entries for the manifest. */
function writeOtherFiles({ publication, hosting, plan }: TreeHead, writer: TreeWriter): string {
  const time = modificationTimes(publication)[publication.head] ?? 0;
  const write = (file: string, text: string) => ({ file, ...writer.write(file, text, time) });
  return filesText([
    ...plan.files().map(({ file, body }) => write(file, body())),
    ...Array.from(hosting.files, ([file, text]) => write(file, text)),
    ...hosting.listings.map((listing) => {
      return { file: listing.file, ...writer.writeParts(listing.file, linesOf(listing, plan), time) };
    }),
  ]);
}

function* linesOf({ head, lines }: HostListing, { documents, aliases }: Plan): Generator<string> {
  yield head;
  for (const { list } of [...documents, ...aliases])
    for (const { url } of list()) yield lines({ path: url, file: fileOfUrl(url) });
}
