import { expect, test } from 'vitest';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { subjectAt } from '../../../../src/core/model/resource-path.ts';
import { SortedMap } from '../../../../src/core/model/sorted-map.ts';
import { type FetchedCommit, inBatches, readAhead } from '../../../../src/features/import/read-ahead.ts';

const LONG = 100_000;

/** A commit with so many files, each of which says a name of its own. */
function commitOf(name: string, count: number, length = 0): FetchedCommit {
  const commit = { id: name, parents: [], date: '', author: '', message: '', entries: [] };
  const files = Array.from({ length: count }, (_, i) => {
    const text = JSON.stringify({ type: 'site', uid: `s${i}`, name: `${name} ${i}`.padEnd(length) });
    const source = { path: `g/sites/s${i}.json`, blob: `${name}${i}`, mode: '100644', rank: 0 };
    return { source, item: subjectAt(`sites/s${i}`, KINDS), blob: { bytes: Buffer.from(text) } };
  });
  return { planned: { commit, files: SortedMap.empty(), parentFiles: [], items: [], findings: [] }, files };
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

function bytesOf({ blob }: FetchedCommit['files'][number]): Buffer {
  return blob && 'bytes' in blob ? Buffer.from(blob.bytes) : Buffer.alloc(0);
}

const COMMITS = [commitOf('a', 3), commitOf('b', 20, LONG), commitOf('c', 0), commitOf('d', 2)];

test('a batch has few bytes, however many files a commit has', async () => {
  const batches = await allOf(inBatches(each(COMMITS)));
  const sizes = batches.map((batch) =>
    batch.flatMap(({ files }) => files).reduce((sum, file) => sum + bytesOf(file).length, 0),
  );
  expect(Math.max(...sizes)).toBeLessThan((1 << 19) + LONG + 100);
  expect(batches.flat().flatMap(({ files }) => files)).toEqual(COMMITS.flatMap(({ files }) => files));
});

test('commits come whole and in their order, with what each of their files says', async () => {
  const commits = await allOf(readAhead(each(COMMITS), { kinds: KINDS, count: 0 }));
  expect(commits.map(({ planned }) => planned)).toEqual(COMMITS.map(({ planned }) => planned));
  for (const [i, { read }] of commits.entries()) {
    const files = COMMITS[i]?.files ?? [];
    expect(read.map(({ source }) => source)).toEqual(files.map(({ source }) => source));
    const said = read.map((each) => each.said[0]?.read?.json);
    expect(said).toEqual(files.map((file) => bytesOf(file).toString()));
  }
});
