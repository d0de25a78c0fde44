import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../src/core/model/body-store.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { importer } from '../../../../src/features/import/git-import.ts';
import { datedCommits, gridFolders, neededFiles, planImport } from '../../../../src/features/import/import-plan.ts';
import type { GitCommit, RawEntry } from '../../../../src/system/git/git.ts';

describe('gridFolders', () => {
  test.each<[string[], string[]]>([
    [['data/g/g.json', 'data/g/sites/x/x.json'], ['data/g']],
    [['g/g.yaml', 'g/sites/x.json'], ['g']],
    [
      ['data/g/g.json', 'data/g/sites/x.json', 'data/h/h.json', 'data/h/sites/y.json'],
      ['data/g', 'data/h'],
    ],
    [['data/g/other.json', 'data/g/sites/x.json'], []],
    [['docs/sites/index.md', 'README.md'], []],
    [['data/g/g.json'], []],
  ])('of %j are %j', (files, folders) => {
    expect(gridFolders(files)).toEqual(folders);
  });
});

const GRID = { folder: 'data/g', gridName: 'g', kinds: KINDS };
const BLOBS = new Map([
  ['grid', '{"type":"grid","uid":"g"}'],
  ['site', '{"type":"site","uid":"x","name":"X"}'],
  ['spaced', '{ "name": "X", "type": "site", "uid": "x" }'],
  ['named', '{"type":"site","uid":"x","name":"Y"}'],
  ['broken', '{"version": 2.5.5}'],
  ['node', '{"uid":"n","type":"node"}'],
]);

function commit(
  id: string,
  parents: string[],
  entries: readonly (readonly [path: string, blob: string, mode?: string])[],
): GitCommit {
  return {
    id,
    parents,
    date: '2026-01-01T12:00:00Z',
    author: 'Ada Brown',
    message: id,
    entries: entries.map(([path, blob, mode = '100644']): RawEntry => ({ path: `data/g/${path}`, blob, mode })),
  };
}

/** Returns the changes of each commit, and the codes of warnings. */
function imported(...commits: GitCommit[]) {
  const { revise } = importer(GRID, memoryStore());
  const blobs = new Map([...BLOBS].map(([blob, text]) => [blob, { bytes: Buffer.from(text) }]));
  const planned = planImport(datedCommits(commits), GRID, new Map());
  const revisions = planned.map((each) =>
    revise(
      each,
      neededFiles(each, () => true),
      blobs,
    ),
  );
  return {
    changes: revisions.map(({ revision: { changes } }) => changes.map(({ action, path }) => `${action} ${path}`)),
    odd: revisions.flatMap(({ findings }) => findings).map(({ code }) => code),
  };
}

const GONE = '000000';
const FIRST = commit(
  'a',
  [],
  [
    ['g.json', 'grid'],
    ['sites/x/x.json', 'site'],
  ],
);

describe('importer', () => {
  test('creates a revision for each commit, even without changes', () => {
    expect(imported(FIRST, commit('b', ['a'], []), commit('c', ['b'], [['sites/x/x.json', 'named']]))).toEqual({
      changes: [['added ', 'added sites/x'], [], ['updated sites/x']],
      odd: [],
    });
  });

  test('treats white space, key order and file modes as touches', () => {
    expect(
      imported(
        FIRST,
        commit('b', ['a'], [['sites/x/x.json', 'spaced']]),
        commit('c', ['b'], [['sites/x/x.json', 'spaced', '100755']]),
      ),
    ).toEqual({ changes: [['added ', 'added sites/x'], ['touched sites/x'], ['touched sites/x']], odd: [] });
  });

  test('keeps the last good contents of a broken or missing file', () => {
    expect(
      imported(
        FIRST,
        commit('b', ['a'], [['sites/x/x.json', 'broken']]),
        commit('c', ['b'], [['sites/x/x.json', 'lost']]),
        commit('d', ['c'], [['sites/x/x.json', 'named']]),
      ),
    ).toEqual({
      changes: [['added ', 'added sites/x'], ['touched sites/x'], ['touched sites/x'], ['updated sites/x']],
      odd: ['import-broken-file', 'import-missing-blob'],
    });
  });

  test('ignores links, submodules and files that describe no resource', () => {
    expect(
      imported(
        FIRST,
        commit(
          'b',
          ['a'],
          [
            ['sites/y.json', 'site', '120000'],
            ['lib', 'x', '160000'],
            ['README.md', 'x'],
          ],
        ),
      ),
    ).toEqual({
      changes: [['added ', 'added sites/x'], []],
      odd: ['import-not-a-file', 'import-not-a-file', 'import-no-resource'],
    });
  });

  test('generates parents without a file, and removes them with their last descendant', () => {
    expect(
      imported(
        FIRST,
        commit('b', ['a'], [['sites/y/clusters/c/nodes/n.json', 'node']]),
        commit('c', ['b'], [['sites/y/clusters/c/nodes/n.json', 'none', GONE]]),
      ),
    ).toEqual({
      changes: [
        ['added ', 'added sites/x'],
        ['added sites/y', 'added sites/y/clusters/c', 'added sites/y/clusters/c/nodes/n'],
        ['removed sites/y', 'removed sites/y/clusters/c', 'removed sites/y/clusters/c/nodes/n'],
      ],
      odd: ['import-no-parent', 'import-no-parent'],
    });
  });

  test('prefers a file in a folder of its own', () => {
    expect(imported(FIRST, commit('b', ['a'], [['sites/x.json', 'named']]))).toEqual({
      changes: [['added ', 'added sites/x'], []],
      odd: ['import-two-files'],
    });
  });

  test('touches a resource that moves from one form of file to the other', () => {
    expect(
      imported(
        FIRST,
        commit(
          'b',
          ['a'],
          [
            ['sites/x.json', 'site'],
            ['sites/x/x.json', 'none', GONE],
          ],
        ),
      ),
    ).toEqual({ changes: [['added ', 'added sites/x'], ['touched sites/x']], odd: [] });
  });
});
