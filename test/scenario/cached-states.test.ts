import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/core/diagnostics/finding.ts';
import { stateDigest } from '../../src/core/history/replay.ts';
import { importRegistry } from '../../src/features/import/import.ts';
import { diff } from '../../src/features/revisions/diff.ts';
import { loadStateAt } from '../../src/features/sources/search-history.ts';
import { newFolder } from '../support/folders.ts';
import { git } from '../support/registries/random-repository.ts';

/** Enough for two cached states. */
const COMMITS = 1100;

/** A repository in which each commit changes one of six nodes. */
function writeLongRepository(folder: string): void {
  const path = (part: string) => `data/grid/${part}.json`;
  const file = (name: string, value: object) => {
    const text = JSON.stringify(value);
    return `M 100644 inline ${path(name)}\ndata ${text.length}\n${text}\n`;
  };
  const node = (n: number, version: number) =>
    file(`sites/s/clusters/c/nodes/n${n}`, { uid: `n${n}`, type: 'node', bios: { version: `${version}` } });
  const first = [
    file('grid', { uid: 'grid', type: 'grid' }),
    file('sites/s/s', { uid: 's', type: 'site' }),
    file('sites/s/clusters/c/c', { uid: 'c', type: 'cluster' }),
    ...[0, 1, 2, 3, 4, 5].map((n) => node(n, 0)),
  ];
  const commits = Array.from({ length: COMMITS }, (_, i) => {
    const who = `Ada Brown <ada@example.org> ${1_700_000_000 + i * 60} +0100`;
    const files = i === 0 ? first.join('') : node(i % 6, i);
    return `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata 4\nStep\n${files}\n`;
  });
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  git(folder, ['fast-import', '--quiet'], commits.join(''));
}

let registry: string;
let cache: string;

beforeAll(async () => {
  const repository = newFolder();
  writeLongRepository(repository);
  registry = join(newFolder(), 'registry-data');
  const ref = git(repository, ['rev-parse', 'HEAD']).trim();
  await importRegistry({ repository, out: registry, ref, firstParent: false, showsProgress: false });
});

beforeEach(() => {
  cache = newFolder();
  vi.stubEnv('XDG_CACHE_HOME', cache);
  return () => vi.unstubAllEnvs();
});

function stateFiles(): string[] {
  return readdirSync(join(cache, 'gridpress')).map((name) => join(cache, 'gridpress', name));
}

const AT_HEAD = ({ revisions }: { readonly revisions: readonly unknown[] }) => revisions.length - 1;

function expectHeadState(): void {
  const { revision, state } = loadStateAt({ registry }, AT_HEAD);
  expect(stateDigest(state)).toBe(revision.state);
}

test('states and differences are the same with and without cached states', async () => {
  const { revision } = loadStateAt({ registry, cache: false }, () => 0);
  const between = { registry, from: revision.id, to: 'head' };
  const plain = await diff({ ...between, cache: false });
  expect(readdirSync(cache)).toEqual([]);
  expect(await diff(between)).toEqual(plain);
  expect(stateFiles().length).toBeGreaterThan(1);
  expect(await diff(between)).toEqual(plain);
  for (const share of [0.3, 0.6, 0.9, 1]) {
    const { revision, state } = loadStateAt({ registry }, ({ revisions }) => Math.ceil(revisions.length * share) - 1);
    expect(stateDigest(state)).toBe(revision.state);
  }
});

test.each<readonly [string, (file: string, other: string) => void]>([
  ['cut off', (file) => truncateSync(file, 100)],
  ['empty', (file) => truncateSync(file, 0)],
  ['replaced by the state of another revision', (file, other) => writeFileSync(file, readFileSync(other))],
  ['not JSON', (file) => writeFileSync(file, gzipSync('['))],
  ['without the grid', (file) => writeFileSync(file, gzipSync('[["sites/s1",{}],["a/b/c/d",{}],[1,2]]'))],
  [
    'with a changed value',
    (file) => writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace('"uid":"', '"uid":"x'))),
  ],
])('a stored state that is %s is ignored', (_, change) => {
  expectHeadState();
  const files = stateFiles();
  for (const [i, file] of files.entries()) change(file, files[(i + 1) % files.length] ?? '');
  expectHeadState();
});

test('a history that does not lead to the stated digest is reported', () => {
  const folder = join(registry, 'history');
  const [file = ''] = readdirSync(folder).sort().slice(-1);
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(join(folder, file), text.replace(/^state: .*$/m, `state: sha256:${'0'.repeat(64)}`));
  expect(() => loadStateAt({ registry }, AT_HEAD)).toThrow(Failure);
  writeFileSync(join(folder, file), text);
});
