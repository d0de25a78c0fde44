import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/diagnostics/finding.ts';
import { type History, stateDigest } from '../../src/core/history/replay.ts';
import { resourceHistories } from '../../src/core/history/resource-history.ts';
import { countChanges } from '../../src/core/history/touches.ts';
import { KINDS } from '../../src/core/model/kinds.ts';
import { itemPath, lastSegment, pathAbove, selfAndAncestors, subjectAt } from '../../src/core/model/resource-path.ts';
import { membersOf, resourceAt, resourcesIn, stateDifference } from '../../src/core/model/state.ts';
import { storedObject } from '../../src/core/registry/registry.ts';
import { importRegistry } from '../../src/features/import/import.ts';
import { log } from '../../src/features/revisions/log.ts';
import { show } from '../../src/features/revisions/show.ts';
import { loadSources } from '../../src/features/sources/load-sources.ts';
import { searchHistory } from '../../src/features/sources/search-history.ts';
import { newFolder } from '../support/folders.ts';
import { git, writeRandomRepository } from '../support/registries/random-repository.ts';

const COMMITS = 60;

async function randomRegistry(seed: number): Promise<string> {
  const repository = newFolder();
  writeRandomRepository(repository, seed, COMMITS);
  const registry = join(newFolder(), 'registry-data');
  const ref = git(repository, ['rev-parse', 'HEAD']).trim();
  await importRegistry({ repository, out: registry, ref, firstParent: false, showsProgress: false });
  return registry;
}

/** Every item that ever existed, and every collection above one. */
function pathsOf({ history }: ReturnType<typeof loadSources>): string[] {
  const items = history.states.flatMap((state) => [...resourcesIn(state)].map(([path]) => path));
  return [...new Set(items.flatMap((path) => [...selfAndAncestors(path)]))].sort();
}

/** Reformats a revision file without changing its values. */
type Respell = (text: string, at: number) => string;

const SPELLINGS: readonly (readonly [string, Respell])[] = [
  ['as they are written', (text) => text],
  [
    'with comments, other indentation, quotes and escapes',
    (text, at) =>
      [
        text,
        `# a remark\n${text}`,
        text.replace(/^changes:$/m, 'changes: # all of them'),
        text.replaceAll(/^( {2}- \w+: )([\w./~-]+)$/gm, '$1"$2"'),
        text.replaceAll(/^( {2}- \w+: )([\w./~-]*?)([a-z])([\w./~-]*)$/gm, (_, verb, begin, letter, end) => {
          return `${verb}"${begin}\\x${letter.charCodeAt(0).toString(16)}${end}"`;
        }),
        text.replaceAll(/^( {2}- \w+: )(s\w*)(\/[\w./~-]+)$/gm, "$1'$2$3'"),
        text.replaceAll(/^( {2}- \w+: )(s\w*)(\/[\w./~-]+)$/gm, '$1"$2\\\n      $3"'),
        text.replaceAll(/^( {2}- )(\w+)(: [\w./~-]+)$/gm, '$1"\\u00$HEX$2"$3').replaceAll(/\\u00\$HEX(\w)/g, '$1'),
        text.replace(/^message: (.*)$/m, '? message\n: $1'),
      ][at % 9] ?? text,
  ],
];

describe.each([8, 21])('a history with merges (seed %i)', (seed) => {
  let plain: string;
  beforeAll(async () => {
    plain = await randomRegistry(seed);
  });

  test.each(SPELLINGS)('with files %s gives the same results by scan and by replay', (_, respell) => {
    const registry = plain;
    const history = join(registry, 'history');
    for (const [at, name] of readdirSync(history).sort().entries()) {
      const file = join(history, name);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, respell(text, at));
    }
    const sources = loadSources({ registry });
    expect(sources.historyFindings).toEqual([]);
    const { history: whole, store } = sources;
    const replayed = resourceHistories(whole);
    const revisions = [...whole.revisions.keys()];
    searchHistory({ registry }, (scan) => {
      expect(scan.graph.revisions.map(({ id, message }) => [id, message])).toEqual(
        whole.revisions.map(({ id, message }) => [id, message]),
      );
      for (const path of pathsOf(sources)) {
        const subject = subjectAt(path, KINDS);
        const item = itemPath(subject);
        const histories = resourceHistories(scan.of(subject), 'one');
        const own = histories.of(path).revisions;
        expect([path, own]).toEqual([path, replayed.of(path).revisions]);
        expect(own.map((index) => histories.counts(path, index))).toEqual(
          own.map((index) => replayed.counts(path, index)),
        );
        const { states } = scan.ownOf(subject);
        for (const index of revisions) {
          const [found, wanted] = [
            resourceAt(states[index] ?? null, item),
            resourceAt(whole.states[index] ?? null, item),
          ];
          const name = lastSegment(path);
          if (subject.isCollection)
            expect(found && [...membersOf(found, name).keys()]).toEqual(wanted && [...membersOf(wanted, name).keys()]);
          else expect(found?.body.digest).toBe(wanted?.body.digest);
        }
        expect(subject.isCollection || scan.hadEver(path)).toBe(true);
      }
      searchHistory({ registry }, (prepared) => {
        const items = pathsOf(sources).filter((path) => !subjectAt(path, KINDS).isCollection);
        expect(items.length).toBeGreaterThan(10);
        const names = items.map(lastSegment);
        prepared.prepare(items, names);
        const shown = (path: string, { states, changes }: History) => [
          path,
          states.map((state) => resourceAt(state, path)?.body.digest),
          changes.map((each) => each.map(({ path, action, classes }) => [path, action, classes])),
        ];
        for (const name of names) {
          const [found, wanted] = [prepared, scan].map((each) =>
            each.resourcesNamed(name).map(({ path, history }) => shown(path, history)),
          );
          expect(found).toEqual(wanted);
        }
        for (const path of items) {
          const [found, wanted] = [prepared, scan].map((each) => shown(path, each.of(subjectAt(path, KINDS))));
          expect(found).toEqual(wanted);
        }
      });
      for (const index of revisions) {
        expect(countChanges(scan.outlineOf(index), KINDS)).toEqual(replayed.counts('', index));
        expect(stateDigest(scan.stateAt(index))).toBe(stateDigest(whole.states[index] ?? null));
      }
      for (const [from, to] of [
        [0, revisions.length - 1],
        [Math.floor(revisions.length / 2), 5],
      ] as const) {
        const differing = [...stateDifference(whole.states[from] ?? null, whole.states[to] ?? null)];
        const paths = scan.changedBetween(from, to, '');
        expect([...paths]).toEqual(expect.arrayContaining(differing.map(({ path }) => path)));
        const [before, after] = scan.bodiesAt([from, to], paths);
        for (const path of paths)
          for (const [bodies, index] of [
            [before, from],
            [after, to],
          ] as const) {
            const held = resourceAt(whole.states[index] ?? null, path);
            expect(bodies?.get(path)).toEqual(held && storedObject(store, held.body.handle));
          }
      }
      for (const name of ['c1', 'n1', 's2', 'nope']) {
        const called = new Set<string>();
        for (const state of whole.states)
          for (const [path, { body }] of resourcesIn(state))
            if (lastSegment(path) === name || storedObject(store, body.handle)['node_name'] === name) called.add(path);
        expect(
          scan
            .resourcesNamed(name)
            .map(({ path }) => path)
            .sort(),
        ).toEqual([...called].sort());
      }
    });
  });
});

describe('a broken revision file', () => {
  function findingsOf(ask: () => unknown): unknown {
    try {
      return ask();
    } catch (error) {
      if (error instanceof Failure) return error.findings;
      throw error;
    }
  }

  test('is reported by commands that read it, and does not affect other commands', async () => {
    const registry = await randomRegistry(3);
    const history = join(registry, 'history');
    const names = readdirSync(history).sort();
    const files = names.map((name) => join(history, name));
    const file = files.find((each) => updatedIn(readFileSync(each, 'utf8')).startsWith('sites/')) ?? '';
    const text = readFileSync(file, 'utf8');
    const path = updatedIn(text);
    const elsewhere = subjectOutside(registry, text);
    const before = log({ registry, resource: elsewhere });
    for (const damaged of [
      text.replace(/(\{at: .*)from: /, '$1from: not '),
      text.replace(/\{at: (?=.*from: )/, '{at '),
      text.replace(/^ {2}- updated: /m, '  - upgraded: '),
    ]) {
      writeFileSync(file, damaged);
      const { historyFindings } = loadSources({ registry });
      expect(historyFindings).not.toEqual([]);
      for (const ask of [() => log({ registry, resource: path }), () => show({ registry, resource: path })])
        expect(findingsOf(ask)).toEqual(historyFindings);
      expect(log({ registry, resource: elsewhere })).toEqual(before);
    }
    for (const damaged of [
      text.replace(/^id: .*$/m, 'id: x'),
      text.replace(/^date: .*$/m, 'date: "2026-02-30T00:00:00Z"'),
      'id: [\n',
    ]) {
      writeFileSync(file, damaged);
      const { historyFindings } = loadSources({ registry });
      expect(findingsOf(() => log({ registry, resource: elsewhere }))).toEqual(historyFindings);
    }
    writeFileSync(file, text);
    const copy = join(history, '000099-copy.yaml');
    for (const name of readdirSync(history)) {
      writeFileSync(copy, readFileSync(join(history, name)));
      expect(findingsOf(() => log({ registry }))).toEqual(loadSources({ registry }).historyFindings);
      rmSync(copy);
    }
    appendFileSync(join(history, '000001-x.yml'), 'a: 1\n');
    expect(findingsOf(() => log({ registry, resource: elsewhere }))).toEqual(loadSources({ registry }).historyFindings);
  });

  /** Returns the path of the first resource with a changed field. */
  function updatedIn(text: string): string {
    const before = text.slice(0, Math.max(0, text.search(/\{at: .*from: /)));
    return [...before.matchAll(/- updated: (\S+)$/gm)].at(-1)?.[1] ?? '';
  }

  /** Returns a resource that a revision file does not mention. */
  function subjectOutside(registry: string, text: string): string {
    const paths = [...resourcesIn(loadSources({ registry }).worktree)].map(([path]) => path);
    return paths.find((path) => path !== '' && pathAbove(path) !== 'sites' && !text.includes(path)) ?? '';
  }
});
