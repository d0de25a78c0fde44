/**
 * Compares resource histories with git: random repositories from seeds are imported, and the history of every resource
 * must equal `git log -- path`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resourceHistories } from '../../../src/core/history/resource-history.ts';
import { resourcesIn } from '../../../src/core/model/state.ts';
import { storedObject } from '../../../src/core/registry/registry.ts';
import { publicationOf } from '../../../src/features/build/publication-of.ts';
import { importRegistry } from '../../../src/features/import/import.ts';
import { checkFindings, loadSources } from '../../../src/features/sources/load-sources.ts';
import { publicSources } from '../../../src/features/sources/public-sources.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  CLUSTER,
  CLUSTER_BODY,
  CLUSTER_FILE,
  GRID,
  imported,
  NODE,
  NODE_BODY,
  NODE_FILE,
  SITE,
} from '../../support/registries/imported.ts';
import { git, repositoryPath, writeRandomRepository } from '../../support/registries/random-repository.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SEEDS = Array.from({ length: 30 }, (_, i) => i + 1);
const FIRST_PARENT_SEEDS = SEEDS.slice(0, 6);
const OLDER_SEEDS = SEEDS.slice(6, 12);
const COMMITS = 40;

async function importedAtRandom(seed: number, firstParent: boolean) {
  const folder = temporaryFolder();
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  const commits = writeRandomRepository(repository, seed, COMMITS);
  const registry = join(folder, 'registry-data');
  const { warnings } = await importRegistry({
    repository,
    path: 'data/grid',
    ref: 'HEAD',
    firstParent,
    out: registry,
    showsProgress: false,
  });
  expect(warnings).toEqual([]);
  const sources = loadSources({ registry });
  expect(checkFindings(sources)).toEqual([]);
  return { repository, commits, sources, histories: resourceHistories(sources.history) };
}

function gitLog(repository: string, ...args: string[]): string[] {
  return git(repository, ['log', '--format=%H', ...args])
    .split('\n')
    .filter(Boolean);
}

describe('a random repository, imported', () => {
  test.each(SEEDS)('has the same resource histories as git log (seed %i)', async (seed) => {
    const { repository, commits, sources, histories } = await importedAtRandom(seed, false);
    const { history, store } = sources;
    const idsOf = (path: string) => histories.of(path).revisions.map((index) => history.revisions[index]?.id ?? '');

    expect(idsOf('')).toEqual(gitLog(repository, '--date-order'));
    for (const [index, { id }] of history.revisions.entries()) {
      const state = history.states[index] ?? null;
      const replayed = [...resourcesIn(state)].map(([path, { body }]) => [path, storedObject(store, body.handle)]);
      expect(Object.fromEntries(replayed)).toEqual(Object.fromEntries(commits.get(id) ?? []));
    }
    for (const path of [...histories.subjects()].filter((subject) => subject !== '')) {
      const listed = gitLog(repository, '--', repositoryPath(path));
      if (listed.length > 0) expect([path, idsOf(path).sort()]).toEqual([path, listed.sort()]);
      else expect([path, histories.isAlive(path, history.revisions.length - 1)]).toEqual([path, false]);
    }
    for (const path of histories.subjects()) {
      const { revisions } = resourceHistories(history, 'one').of(path);
      expect([path, revisions]).toEqual([path, histories.of(path).revisions]);
    }
  });

  test.each(FIRST_PARENT_SEEDS)('with first parents only equals git log --first-parent (seed %i)', async (seed) => {
    const { repository, sources, histories } = await importedAtRandom(seed, true);
    for (const path of histories.subjects()) {
      const ids = histories.of(path).revisions.map((index) => sources.history.revisions[index]?.id ?? '');
      const only = path === '' ? [] : ['--', repositoryPath(path)];
      expect([path, ids]).toEqual([path, gitLog(repository, '--first-parent', '--date-order', ...only)]);
    }
  });

  test.each(OLDER_SEEDS)('built at an older revision equals git log of that revision (seed %i)', async (seed) => {
    const { repository, commits, sources } = await importedAtRandom(seed, false);
    const at = [...commits.keys()][COMMITS / 2] ?? '';
    const { history, histories, head } = publicationOf(publicSources(sources, { registry: '' }), at);
    expect(history.revisions[head]?.id).toBe(at);
    for (const path of [...histories.subjects()].filter((subject) => histories.isAlive(subject, head))) {
      const ids = histories.of(path).revisions.map((index) => history.revisions[index]?.id ?? '');
      const only = path === '' ? [] : ['--', repositoryPath(path)];
      expect([path, ids.sort()]).toEqual([path, gitLog(repository, at, ...only).sort()]);
    }
  });
});

describe('a merge with a branch that only reformatted a file', () => {
  const ANEW = { [NODE_FILE]: JSON.stringify(NODE_BODY) };
  const FIELD = { [CLUSTER_FILE]: json({ ...CLUSTER_BODY, field: 1 }) };
  const OTHER = { [`${GRID}/${CLUSTER}/nodes/n2.json`]: json({ type: 'node', uid: 'n2' }) };
  /** The commits of each branch determine whether `git log` lists the merge for the cluster. */
  test.each([
    ['the first', [ANEW], [FIELD], true],
    ['the second', [FIELD], [ANEW], true],
    ['the first, which also made the same change', [FIELD, ANEW], [FIELD], false],
    ['the first, which also made other changes', [OTHER, ANEW], [FIELD], true],
    ['both branches alike', [ANEW], [ANEW, FIELD], false],
    ['none', [OTHER], [FIELD], true],
  ])('has the same histories as git log: %s', async (_, ours, theirs, isListed) => {
    const repository = gitRepository();
    const first = repository.commit({ files: BASE });
    const [one, other] = [ours, theirs].map((commits, i) =>
      commits.reduce(
        (tip, files) => repository.commit({ branch: `side-${i}`, parents: [tip], files }),
        repository.commit({ branch: `side-${i}`, parents: [first], files: { [`${i}.txt`]: 'begun' } }),
      ),
    );
    const files = Object.assign({}, ...theirs, ...ours);
    const merge = repository.commit({ parents: [one ?? '', other ?? ''], files });
    repository.commit({ files: { 'later.txt': 'told' } });
    const { registry } = await imported(repository.folder);
    const { history } = loadSources({ registry });
    for (const [path, file] of [
      [SITE, `${GRID}/${SITE}`],
      [CLUSTER, `${GRID}/${CLUSTER}`],
      [`${CLUSTER}/nodes`, `${GRID}/${CLUSTER}/nodes`],
      [NODE, NODE_FILE],
    ] as const) {
      const listed = gitLog(repository.folder, '--', file);
      if (path === CLUSTER) expect(listed.includes(merge)).toBe(isListed);
      for (const asked of ['all', 'one'] as const) {
        const { revisions } = resourceHistories(history, asked).of(path);
        const ids = revisions.map((index) => history.revisions[index]?.id);
        expect([path, ids.sort()]).toEqual([path, listed.sort()]);
      }
    }
  });
});
