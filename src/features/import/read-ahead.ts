/**
 * The files of commits, read ahead of them: those of some commits at once, while the commits before these become revisions.
 * Where there are many, a second thread reads them.
 */

import { type DeclaredKind, kindsWith } from '../../core/model/kinds.ts';
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
  readonly declared: readonly DeclaredKind[];
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
  const waiting: Promise<readonly ReadCommit[]>[] = [];
  try {
    for await (const batch of inBatches(commits)) {
      const reading = readBatch(batch, reader);
      // Whatever it fails with is told when it is its turn.
      reading.catch(() => undefined);
      waiting.push(reading);
      if (waiting.length === MOST_WAITING) yield* (await waiting.shift()) ?? [];
    }
    for (const reading of waiting) yield* await reading;
  } finally {
    await reader.stop();
  }
}

async function* inBatches(commits: AsyncIterable<FetchedCommit>): AsyncGenerator<readonly FetchedCommit[]> {
  let batch: FetchedCommit[] = [];
  let bytes = 0;
  for await (const commit of commits) {
    batch.push(commit);
    for (const { blob } of commit.files) if (blob && 'bytes' in blob) bytes += blob.bytes.length;
    if (batch.length < BATCH.commits && bytes < BATCH.bytes) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function readBatch(batch: readonly FetchedCommit[], { read }: Reader): Promise<ReadCommit[]> {
  const said = await read(batch.flatMap(({ files }) => files.map(fileToRead)));
  let next = 0;
  return batch.map(({ planned, files }) => ({
    planned,
    read: files.map(({ source }) => ({ source, said: said[next++] ?? [] })),
  }));
}

function fileToRead({ source, item, blob }: FetchedFile): FileToRead {
  return { path: source.path, subject: (source.collection ?? item).path, blob };
}

interface Reader {
  readonly read: (files: ReaderRequest) => Promise<ReaderReply>;
  readonly stop: () => Promise<void>;
}

/** Reads in this thread. */
function ownReader({ declared }: FilesToRead): Reader {
  const read = fileReader(kindsWith(declared), packagedChecks());
  return { read: async (files) => read(files), stop: async () => {} };
}

function startReader({ declared }: FilesToRead): Reader {
  const input: ReaderInput = { declared };
  const module = new URL('./reader-worker.js', import.meta.url);
  const { ask, stop } = startThread<ReaderRequest, ReaderReply>(module, input, LIMITS);
  return { read: (files) => ask(files.map(withOwnBytes)), stop };
}

/** A file whose bytes lie in a buffer of their own: what is sent takes the whole buffer with it. */
function withOwnBytes(file: FileToRead): FileToRead {
  const { blob } = file;
  return blob && 'bytes' in blob ? { ...file, blob: { bytes: Uint8Array.from(blob.bytes) } } : file;
}
