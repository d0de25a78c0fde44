/**
 * Small random git registries from a seed: branches, merges of two or three parents, reverts, equal changes on two
 * sides, removed and restored resources. Every site has clusters and every cluster nodes, so that folders exist exactly
 * for existing items. Written at once with `git fast-import`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { type Random, random } from '../values/random.ts';

/** The bodies at a commit, by resource path. */
export type Bodies = ReadonlyMap<string, JsonObject>;

const GRID_FOLDER = 'data/grid';
const SITES = ['s1', 's2', 's3'];
const CLUSTERS = ['c1', 'c2'];
const NODES = ['n1', 'n2', 'n3'];
/** A small number makes reverts and equal changes on two sides common. */
const VALUES = 3;

interface Commit {
  readonly mark: number;
  readonly parents: readonly Commit[];
  readonly bodies: Bodies;
}

/** Runs git without the user's configuration. */
export function git(folder: string, args: readonly string[], input = ''): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { cwd: folder, input, encoding: 'utf8', maxBuffer: 1 << 28, env });
}

/** Returns the path of a subject in the repository: a file for a node, otherwise a folder. */
export function repositoryPath(subject: string): string {
  if (subject === '') return GRID_FOLDER;
  return isNode(subject) ? `${GRID_FOLDER}/${subject}.json` : `${GRID_FOLDER}/${subject}`;
}

function isNode(path: string): boolean {
  return path.split('/').length === 6;
}

function fileOf(resource: string): string {
  if (resource === '') return `${GRID_FOLDER}/grid.json`;
  return isNode(resource)
    ? repositoryPath(resource)
    : `${repositoryPath(resource)}/${resource.slice(resource.lastIndexOf('/') + 1)}.json`;
}

/**
 * Fills an empty folder with a repository of about `size` commits, all of them ancestors of HEAD. Returns the bodies at
 * every commit by its identifier.
 */
export function writeRandomRepository(folder: string, seed: number, size: number): Map<string, Bodies> {
  const commits = commitsOf(random(seed), size);
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  git(folder, ['fast-import', '--quiet', '--export-marks=.git/marks'], commits.map(commitText).join(''));
  const marks = readFileSync(join(folder, '.git', 'marks'), 'utf8')
    .trim()
    .split('\n');
  const ids = new Map(marks.map((line) => [Number(line.slice(1, line.indexOf(' '))), line.split(' ')[1]]));
  return new Map(commits.map(({ mark, bodies }) => [ids.get(mark) ?? '', bodies]));
}

/** Each commit moves the branch, which ends at the last one. Some dates repeat or decrease. */
function commitText({ mark, parents, bodies }: Commit): string {
  const message = `Commit ${mark}`;
  const date = `${1_700_000_000 + (mark % 5) * 3600} +0100`;
  const files = [...bodies].map(([resource, body]) => {
    const text = JSON.stringify(body);
    return `M 100644 inline ${fileOf(resource)}\ndata ${text.length}\n${text}\n`;
  });
  return [
    `commit refs/heads/main\nmark :${mark}\n`,
    `author Ada Brown <ada@example.org> ${date}\ncommitter Ada Brown <ada@example.org> ${date}\n`,
    `data ${message.length}\n${message}\n`,
    ...parents.map((parent, i) => `${i === 0 ? 'from' : 'merge'} :${parent.mark}\n`),
    `deleteall\n`,
    ...files,
    '\n',
  ].join('');
}

function commitsOf(chosen: Random, size: number): Commit[] {
  const commits: Commit[] = [];
  const commit = (parents: readonly Commit[], bodies: Bodies): Commit => {
    const made = { mark: commits.length + 1, parents, bodies };
    commits.push(made);
    return made;
  };
  const first = new Map([['', body('grid', 'grid', 0)]]);
  for (const site of SITES.slice(1)) addNode(first, `sites/${site}/clusters/c1/nodes/n1`, 0);
  let tips = [commit([], first)];
  while (commits.length < size) {
    const tip = chosen.pick(tips);
    if (tips.length > 1 && chosen.chance(0.25)) tips = merged(tips, chosen, commit);
    else if (tips.length < 4 && chosen.chance(0.25))
      tips.push(commit([chosen.pick(commits)], edited(tip.bodies, chosen)));
    else tips = tips.map((one) => (one === tip ? commit([tip], edited(tip.bodies, chosen)) : one));
    tips = tips.filter((one) => !commits.some(({ parents }) => parents.includes(one)));
  }
  while (tips.length > 1) tips = merged(tips, chosen, commit);
  return commits;
}

/** Merges two tips, sometimes three. */
function merged(
  tips: readonly Commit[],
  chosen: Random,
  commit: (parents: readonly Commit[], bodies: Bodies) => Commit,
): Commit[] {
  const shuffled = shuffle(tips, chosen);
  const count = tips.length > 2 && chosen.chance(0.2) ? 3 : 2;
  const parents = shuffled.slice(0, count);
  return [...shuffled.slice(count), commit(parents, mergedBodies(parents, chosen))];
}

function shuffle<T>(list: readonly T[], chosen: Random): T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(chosen.below(left.length), 1));
}

/** Takes one side's bodies, or each body from either side, sometimes with an edit in the merge itself. */
function mergedBodies(parents: readonly Commit[], chosen: Random): Bodies {
  if (chosen.chance(0.3)) return chosen.pick(parents).bodies;
  const paths = new Set(parents.flatMap(({ bodies }) => [...bodies.keys()]));
  const nodes = [...paths].filter((path) => isNode(path) || path === '');
  const result = new Map<string, JsonObject>();
  for (const path of nodes) {
    const side = chosen.pick(parents).bodies;
    const taken = side.get(path);
    if (!taken) continue;
    result.set(path, taken);
    for (const above of ancestors(path)) {
      const held = chosen.pick(parents).bodies.get(above) ?? side.get(above);
      if (held && !result.has(above)) result.set(above, held);
    }
  }
  return chosen.chance(0.2) ? edited(result, chosen) : result;
}

/** Makes up to three changes. */
function edited(before: Bodies, chosen: Random): Bodies {
  const bodies = new Map(before);
  if (chosen.chance(0.1)) return bodies;
  for (let left = 1 + chosen.below(3); left > 0; left--) editOnce(bodies, chosen);
  return bodies;
}

function editOnce(bodies: Map<string, JsonObject>, chosen: Random): void {
  const site = `sites/${chosen.pick(SITES)}`;
  const node = `${site}/clusters/${chosen.pick(CLUSTERS)}/nodes/${chosen.pick(NODES)}`;
  const kind = chosen.below(5);
  if (kind === 0) removeNode(bodies, node);
  else if (kind === 1)
    for (const path of [...bodies.keys()]) if (`${path}/`.startsWith(`${site}/`)) bodies.delete(path);
  if (kind === 2) addNode(bodies, node, chosen.below(VALUES));
  else if (kind > 2) {
    const path = chosen.pick([...bodies.keys()]);
    const held = bodies.get(path);
    if (held) bodies.set(path, { ...held, value: chosen.below(VALUES) });
  }
}

function addNode(bodies: Map<string, JsonObject>, path: string, value: number): void {
  for (const above of [...ancestors(path), path]) {
    if (bodies.has(above)) continue;
    const kind = { 2: 'site', 4: 'cluster' }[above.split('/').length] ?? 'node';
    bodies.set(above, body(kind, above.slice(above.lastIndexOf('/') + 1), value));
  }
}

/** Also removes parents that would have no nodes left. */
function removeNode(bodies: Map<string, JsonObject>, path: string): void {
  bodies.delete(path);
  for (const above of ancestors(path).reverse()) {
    const isHeld = [...bodies.keys()].some((other) => isNode(other) && other.startsWith(`${above}/`));
    if (!isHeld) bodies.delete(above);
  }
}

/** The site and the cluster of a node. */
function ancestors(path: string): string[] {
  const segments = path.split('/');
  return [2, 4].filter((count) => count < segments.length).map((count) => segments.slice(0, count).join('/'));
}

function body(type: string, uid: string, value: number): JsonObject {
  return type === 'site' ? { type, uid, name: uid, value } : { type, uid, value };
}
