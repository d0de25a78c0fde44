/**
 * Locks ten nodes of a real registry over HTTP at an old revision, and verifies them over HTTP at the head. The results
 * must match git. GRIDPRESS_REAL_REGISTRY names a git bundle.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NodeVerdict } from '../../src/core/lock/lock-verdict.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress, startServer } from '../support/processes/cli.ts';
import { GIT_ENVIRONMENT } from '../support/registries/git-repository.ts';
import { closeAtEnd } from '../support/trees/served.ts';
import { type GitTrees, readGitTrees } from './git-trees.ts';

const bundle = process.env['GRIDPRESS_REAL_REGISTRY'];
const COUNT = 10;

describe.skipIf(bundle === undefined)('a lock of nodes of a real registry', () => {
  const folder = newFolder();
  const registry = join(folder, 'registry-data');
  const file = join(folder, 'ten.lock.json');
  let trees: GitTrees;
  let old: string;
  let chosen: readonly string[];
  let nodes: readonly NodeVerdict[];

  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await gridpress([...args, '--json']);
    expect({ status, stderr }).toEqual({ status: args[0] === 'verify-lock' ? 1 : 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const served = async (name: string, ...at: string[]) => {
    const out = join(folder, name);
    await run('build', '--registry', registry, '--out', out, '--snapshots', 'none', ...at);
    const server = await startServer(['serve', out, '--registry', registry]);
    closeAtEnd(server.stop);
    return `http://127.0.0.1:${server.port}`;
  };

  beforeAll(async () => {
    const clone = join(folder, 'clone.git');
    execFileSync('git', ['clone', '--quiet', '--bare', bundle ?? '', clone], { env: GIT_ENVIRONMENT });
    trees = readGitTrees(clone);
    await run('import', bundle ?? '', '-o', registry);
    appendFileSync(join(folder, 'gridpress.yaml'), 'index_files: false\n');
    // A revision from the middle of the history, and ten of its nodes. Every other one exists at the head.
    old = trees.commits[Math.floor(trees.commits.length / 2)]?.id ?? '';
    const head = trees.bodiesAt(trees.commits.at(-1)?.id ?? '');
    const all = [...trees.bodiesAt(old).keys()].filter((path) => path.includes('/nodes/')).sort();
    const [living, gone] = [all.filter((path) => head.has(path)), all.filter((path) => !head.has(path))];
    const spread = (paths: readonly string[], count: number) =>
      Array.from({ length: count }, (_, i) => paths[Math.floor((i * paths.length) / count)] ?? '');
    chosen = [...spread(living, COUNT / 2), ...spread(gone, COUNT / 2)];
    await run('lock', ...chosen, '--from', await served('old', '--at', old), '-o', file);
    nodes = (await run('verify-lock', file, '--against', await served('head'))).nodes;
  });

  const bodies = (path: string) => {
    const [then = '', now = 'null'] = [old, trees.commits.at(-1)?.id ?? ''].map((id) => trees.bodiesAt(id).get(path));
    const [before, after]: [JsonObject, JsonObject | null] = [JSON.parse(then), JSON.parse(now)];
    return { before, after };
  };

  test('contains all of them in order', () => {
    expect(nodes.map(({ path }) => path)).toEqual(chosen.toSorted());
    expect(new Set(chosen).size).toBe(COUNT);
  });

  test('reports each node as same, changed or removed', () => {
    const expected = chosen.toSorted().map((path) => {
      const { before, after } = bodies(path);
      if (!after) return 'removed';
      return JSON.stringify(before) === JSON.stringify(after) ? 'same' : 'changed';
    });
    expect(nodes.map(({ status }) => status)).toEqual(expected);
  });

  test('lists the changed fields with old and new values', () => {
    const changed = nodes.filter(({ status }) => status === 'changed');
    expect(changed.length).toBeGreaterThan(0);
    for (const { path, fields = [] } of changed) {
      const { before, after } = bodies(path);
      if (!after) throw new Error(`${path} is gone`);
      const names = new Set([...Object.keys(before), ...Object.keys(after)]);
      const differing = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      expect([path, [...new Set(fields.map(({ at }) => at.split('/')[1]))].sort()]).toEqual([path, differing.sort()]);
      for (const { at, from, to } of fields) {
        if (from !== undefined) expect([at, from]).toEqual([at, valueAt(before, at)]);
        else if (to !== undefined) expect([at, to]).toEqual([at, valueAt(after, at)]);
      }
    }
  });

  test('lists the commits since then that changed the node, newest first', () => {
    const parentsOf = new Map(trees.commits.map(({ id, parents }) => [id, parents]));
    const known = new Set<string>();
    const waiting = [old];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (!known.has(id)) waiting.push(...(parentsOf.get(id) ?? []));
      known.add(id);
    }
    for (const { path, revisions } of nodes) {
      const since = trees
        .log(`${trees.gridFolder}/${path}.json`)
        .filter((id) => !known.has(id))
        .filter((id) => trees.bodiesAt(id).get(path) !== trees.bodiesAt(parentsOf.get(id)?.[0] ?? '').get(path));
      expect([path, revisions?.map(({ revision }) => revision)]).toEqual([path, since]);
    }
  });

  test('names the commit that removed a node', () => {
    const removed = nodes.filter(({ status }) => status === 'removed');
    expect(removed.length).toBe(COUNT / 2);
    for (const { path, removal } of removed) {
      const [newest] = trees.log(`${trees.gridFolder}/${path}.json`);
      expect([path, removal?.revision, removal?.action]).toEqual([path, newest, 'removed']);
    }
  });
});

function valueAt(body: JsonObject, pointer: string): Json | undefined {
  let here: Json | undefined = body;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = here[Number(name)];
    else here = isJsonObject(here) ? here[name] : undefined;
  }
  return here;
}
