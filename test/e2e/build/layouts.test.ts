/** Random registries whose files move between places: the imported registry and its tree are complete and match git. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { resourceHistories } from '../../../src/core/history/resource-history.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/model/json.ts';
import { lastSegment } from '../../../src/core/model/resource-path.ts';
import { resourcesIn } from '../../../src/core/model/state.ts';
import { storedObject } from '../../../src/core/registry/registry.ts';
import { build } from '../../../src/features/build/build.ts';
import { importRegistry } from '../../../src/features/import/import.ts';
import { loadSources, type Sources } from '../../../src/features/sources/load-sources.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, CLUSTER_FILE, GRID, imported, NODE_BODY, NODE_FILE } from '../../support/registries/imported.ts';
import {
  filesOf,
  LAYOUT_GRID,
  type LayoutFiles,
  writeLayoutRepository,
} from '../../support/registries/layout-repository.ts';
import { git } from '../../support/registries/random-repository.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

/** A site that the base repository does not contain. */
const VEGA_FILE = `${GRID}/sites/vega/vega.json`;
const VEGA_FLAVOR = `${GRID}/sites/vega/flavors/small.json`;
const VEGA: Readonly<Record<string, string>> = {
  [VEGA_FILE]: json({ type: 'site', uid: 'vega', name: 'Vega' }),
  [VEGA_FLAVOR]: json({ type: 'flavor', uid: 'small' }),
};
const COMMITS = 40;
const STEPS = 10;
/** A busy machine needs this long. */
const LONGEST_MS = 120_000;

describe.each([1, 2])('a repository with seed %i', (seed) => {
  test.each([true, false])(
    'is imported as git stores it, in one run or in ten (each item has one file: %s)',
    async (isSettled) => {
      const repository = temporaryFolder();
      const commits = writeLayoutRepository(repository, { seed, size: COMMITS, isSettled });
      const fresh = join(temporaryFolder(), 'registry-data');
      await importInto(fresh, repository, 'HEAD');
      const sources = loadSources({ registry: fresh });
      for (const [id, files] of commits) expectBodies(sources, id, files);
      if (isSettled) expectHistories(sources, repository);

      const stepwise = join(temporaryFolder(), 'registry-data');
      const line = gitLog(repository, '--first-parent', '--reverse');
      for (let step = 1; step <= STEPS; step++)
        await importInto(stepwise, repository, line[Math.ceil((step * line.length) / STEPS) - 1] ?? '');
      expect(folderContents(join(stepwise, '..'))).toEqual(folderContents(join(fresh, '..')));
      expect(await foundIn(fresh)).toBe('');
    },
    LONGEST_MS,
  );
});

describe('a merge', () => {
  test('can change a body through the side that the merge does not follow', async () => {
    const repository = gitRepository();
    const cluster = (...fields: string[]) =>
      json({ type: 'cluster', uid: 'main', ...Object.fromEntries(fields.map((field) => [field, 1])) });
    const first = repository.commit({ files: BASE });
    const ours = repository.commit({ files: { [CLUSTER_FILE]: cluster('c') } });
    const side = { branch: 'side', files: { [CLUSTER_FILE]: cluster('b') } };
    const half = repository.commit({ ...side, parents: [first] });
    const both = { files: { [CLUSTER_FILE]: cluster('a', 'b') } };
    const theirs = repository.commit({ ...both, branch: 'side', parents: [half] });
    repository.commit({ ...both, parents: [ours, theirs] });
    repository.commit({ files: { [NODE_FILE]: json({ ...NODE_BODY, cores: 1 }) } });
    const { registry } = await imported(repository.folder);
    expect(await foundIn(registry)).toBe('');
  });

  test.each([
    ['without their descendants', VEGA_FILE],
    ['without a file that describes them', VEGA_FLAVOR],
  ])('can add items that its first parent never had, %s', async (_, taken) => {
    const repository = gitRepository();
    const first = repository.commit({ files: BASE });
    const side = repository.commit({ branch: 'side', parents: [first], files: VEGA });
    const ours = repository.commit({ files: { [NODE_FILE]: json({ ...NODE_BODY, cores: 1 }) } });
    const files = { [taken]: VEGA[taken] ?? '' };
    const merge = repository.commit({ branch: 'topic', parents: [ours, side], files });
    repository.commit({ parents: [ours, merge], files: VEGA });
    const { registry } = await imported(repository.folder);
    expect(await foundIn(registry)).toBe('');
  });
});

async function importInto(out: string, repository: string, ref: string): Promise<void> {
  mkdirSync(join(out, '..'), { recursive: true });
  await importRegistry({ repository, ref, firstParent: false, out, showsProgress: false });
}

/** Returns the findings of `verify` for a tree built from a registry. */
async function foundIn(registry: string): Promise<string> {
  const out = join(temporaryFolder(), 'dist');
  await build({ registry, out, showsProgress: false, fsync: false, precompressed: false });
  const asked = { timeout: 10, maxRequests: 10_000, older: false, trust: {}, showsProgress: false };
  return renderFindings((await verifyTree({ place: out, ...asked })).findings);
}

function gitLog(repository: string, ...args: string[]): string[] {
  return git(repository, ['log', '--format=%H', ...args])
    .split('\n')
    .filter(Boolean);
}

/** Every item equals the file that describes it; items without a file exist because they have descendants. */
function expectBodies({ history, store }: Sources, id: string, files: LayoutFiles): void {
  const state = history.states[history.indexOf.get(id) ?? -1] ?? null;
  const held = new Map([...resourcesIn(state)].map(([path, { body }]) => [path, storedObject(store, body.handle)]));
  const readable = [...files].filter(([, { mode }]) => mode !== '120000');
  const texts = new Map(readable.map(([path, { text }]) => [path, text]));
  for (const path of itemsIn(texts, held.keys())) {
    const said = bodyIn(texts, path);
    if (said === 'unreadable') continue;
    const { type, uid, ...own } = held.get(path) ?? {};
    expect([id, path, own, uid]).toEqual([id, path, said ?? {}, held.has(path) ? uid : undefined]);
    if (said) expect([path, uid]).toEqual([path, path === '' ? 'grid' : lastSegment(path)]);
  }
}

/** Returns the body of an item in a commit's files, without its identity, which comes from its path. */
function bodyIn(texts: ReadonlyMap<string, string>, item: string): JsonObject | 'unreadable' | undefined {
  const of = item.includes('/pdus/') ? `${LAYOUT_GRID}/${item.slice(0, item.lastIndexOf('/'))}.json` : '';
  const own = filesOf(item).flatMap((file) => texts.get(file) ?? [])[0];
  const text = own ?? texts.get(of);
  if (text === undefined) return undefined;
  if (text.includes('broken')) return 'unreadable';
  const said: JsonObject = JSON.parse(text);
  const { type, uid, ...body } = own === undefined ? objectAt(said, lastSegment(item)) : said;
  return body;
}

function objectAt(said: JsonObject, uid: string): JsonObject {
  const value = said[uid];
  return isJsonObject(value) ? value : {};
}

function itemsIn(texts: ReadonlyMap<string, string>, held: Iterable<string>): Set<string> {
  const items = [...texts.keys()].flatMap((file) => {
    const [, item = ''] = /^data\/grid\/(.+)\.json$/.exec(file) ?? [];
    return item.split('/').length % 2 === 0 && filesOf(item).includes(file) ? [item] : [];
  });
  return new Set([...held, ...items]);
}

/** The history of each item equals `git log` of its files and of its descendants' files. */
function expectHistories({ history }: Sources, repository: string): void {
  const histories = resourceHistories(history);
  const items = [...histories.subjects()].filter((path) => path !== '' && path.split('/').length % 2 === 0);
  for (const path of items) {
    const listed = histories.of(path).revisions.map((index) => history.revisions[index]?.id ?? '');
    const expected = gitLog(repository, '--', ...filesOf(path), `${LAYOUT_GRID}/${path}`);
    if (expected.length > 0) expect([path, listed.sort()]).toEqual([path, expected.sort()]);
    else expect([path, histories.isAlive(path, history.revisions.length - 1)]).toEqual([path, false]);
  }
}
