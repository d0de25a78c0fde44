/**
 * The files of commits, read ahead of them: those of some commits at once, while the commits before these become revisions.
 * Where there are many, a second thread reads them.
 */

import type { Kinds } from '../../core/model/kinds.ts';
import { startThread } from '../../system/threads/thread.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { type FileToRead, fileReader } from './file-reader.ts';
import type { ReadSource } from './git-import.ts';
import type { PlannedCommit } from './import-plan.ts';
import type { NeededFile } from './last-uses.ts';
import type { ReaderInput, ReaderReply, ReaderRequest } from './reader-worker.ts';

/** A commit with the files that it is the first to need. */
export interface FetchedCommit {
  readonly planned: PlannedCommit;
  readonly files: readonly FetchedFile[];
}

export interface FetchedFile extends NeededFile, Pick<FileToRead, 'blob'> {}

export interface ReadCommit {
  readonly planned: PlannedCommit;
  readonly read: readonly ReadSource[];
}

export interface FilesToRead {
  readonly kinds: Kinds;
  /** How many will be read. */
  readonly count: number;
}

/** From so many files on, a second thread is worth what it costs to start. */
export const MANY_FILES = 3_000;

/** How many batches are on their way at most, and how large each is: commits, and bytes of their files. */
const MOST_WAITING = 3;
const BATCH = { commits: 64, bytes: 1 << 19 };

/** What is read is soon sent: a larger space for what is new takes 20 MB more, and saves nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 8 };

export async function* readAhead(
  commits: AsyncIterable<FetchedCommit>,
  asked: FilesToRead,
): AsyncGenerator<ReadCommit> {
  const reader = asked.count < MANY_FILES ? ownReader(asked) : startReader(asked);
  const waiting: Promise<readonly ReadPortion[]>[] = [];
  const whole = commitsTogether();
  try {
    for await (const batch of inBatches(commits)) {
      const reading = readBatch(batch, reader);
      // Whatever it fails with is told when it is its turn.
      reading.catch(() => undefined);
      waiting.push(reading);
      if (waiting.length === MOST_WAITING) yield* whole((await waiting.shift()) ?? []);
    }
    for (const reading of waiting) yield* whole(await reading);
  } finally {
    await reader.stop();
  }
}

/** Files of a commit that are read at once: all of them, or some where they are too many for a batch. */
interface Portion extends FetchedCommit {
  /** Whether the commit has no others. */
  readonly isLast: boolean;
}

interface ReadPortion extends ReadCommit, Pick<Portion, 'isLast'> {}

/** The files of commits in their order, so many at a time that neither few long ones nor many commits make a batch large. */
export async function* inBatches(commits: AsyncIterable<FetchedCommit>): AsyncGenerator<readonly Portion[]> {
  let batch: Portion[] = [];
  let bytes = 0;
  for await (const { planned, files: all } of commits) {
    let files: FetchedFile[] = [];
    for (const file of all) {
      files.push(file);
      bytes += file.blob && 'bytes' in file.blob ? file.blob.bytes.length : 0;
      if (bytes < BATCH.bytes) continue;
      yield [...batch, { planned, files, isLast: false }];
      [batch, files, bytes] = [[], [], 0];
    }
    batch.push({ planned, files, isLast: true });
    if (batch.length < BATCH.commits) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function readBatch(batch: readonly Portion[], { read }: Reader): Promise<ReadPortion[]> {
  const said = await read(batch.flatMap(({ files }) => files.map(fileToRead)));
  let next = 0;
  return batch.map(({ planned, files, isLast }) => ({
    planned,
    isLast,
    read: files.map(({ source }) => ({ source, said: said[next++] ?? [] })),
  }));
}

/** Gives commits of which everything is read, in their order. */
function commitsTogether(): (portions: readonly ReadPortion[]) => Generator<ReadCommit> {
  let begun: ReadSource[] = [];
  return function* (portions) {
    for (const { planned, read, isLast } of portions) {
      for (const each of read) begun.push(each);
      if (!isLast) continue;
      const whole = begun;
      begun = [];
      yield { planned, read: whole };
    }
  };
}

function fileToRead({ source, item, blob }: FetchedFile): FileToRead {
  return { path: source.path, subject: (source.collection ?? item).path, blob };
}

interface Reader {
  readonly read: (files: ReaderRequest) => Promise<ReaderReply>;
  readonly stop: () => Promise<void>;
}

/** Reads in this thread. */
function ownReader({ kinds }: FilesToRead): Reader {
  const read = fileReader(kinds, packagedChecks());
  return { read: async (files) => read(files), stop: async () => {} };
}

function startReader({ kinds }: FilesToRead): Reader {
  const input: ReaderInput = { declared: kinds.declared };
  const module = new URL('./reader-worker.js', import.meta.url);
  const { ask, stop } = startThread<ReaderRequest, ReaderReply>(module, input, LIMITS);
  return { read: (files) => ask(files.map(withOwnBytes)), stop };
}

/** A file whose bytes lie in a buffer of their own: what is sent takes the whole buffer with it. */
function withOwnBytes(file: FileToRead): FileToRead {
  const { blob } = file;
  return blob && 'bytes' in blob ? { ...file, blob: { bytes: Uint8Array.from(blob.bytes) } } : file;
}
