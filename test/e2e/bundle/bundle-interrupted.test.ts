/**
 * Kills apply and publish at random changes of the file system. Together with build-interrupted.test.ts, 200 runs are
 * killed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apply } from '../../../src/features/bundle/apply.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { publishFolder } from '../../../src/features/publish/publish-folder.ts';
import { stageOf } from '../../../src/system/trees/staging.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { builtTree, treeState } from '../../support/trees/bundled.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { digestOfWhole } from '../../support/trees/whole-tree.ts';
import { random } from '../../support/values/random.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'kill-at-change.mjs');

/** Two trees, with bundles that create each one from nothing or from the other. */
let trees: readonly [string, string];
let whole: readonly [string, string];
let news: readonly [string, string];

beforeAll(async () => {
  const { registry, revisions } = writeGenerated(newFolder(), 3, 3, 'snapshots: none');
  const [one, other] = await Promise.all(revisions.slice(1).map(({ id }) => builtTree(registry, { at: id })));
  trees = [one ?? '', other ?? ''];
  const bundled = async (tree: string, since?: string) => {
    const out = join(newFolder(), 'x.bundle');
    await bundle({ registry, tree, since, out, showsProgress: false });
    return out;
  };
  whole = [await bundled(trees[0]), await bundled(trees[1])];
  news = [await bundled(trees[0], trees[1]), await bundled(trees[1], trees[0])];
});

interface Call {
  readonly args: (target: 0 | 1, folder: string) => readonly string[];
  /** Does the same in this process. */
  readonly here: (target: 0 | 1, folder: string) => unknown;
}

const options = { older: true, dryRun: false, showsProgress: false };
const applying = (files: () => readonly [string, string]): Call => ({
  args: (target, folder) => ['apply', files()[target], folder, '--older'],
  here: (target, folder) => apply({ ...options, folder, file: files()[target] }),
});
const PUBLISHING: Call = {
  args: (target, folder) => ['publish', folder, '--tree', trees[target], '--older'],
  here: (target, folder) => publishFolder({ ...options, destination: folder, tree: trees[target] }),
};

const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  gridpress(args, { cwd: newFolder(), env: { ...env, EVERY_CALL: 'yes', NODE_OPTIONS: `--import ${PRELOAD}` } });

/** Switches between the two trees repeatedly and kills each run. */
async function killing({ args, here }: Call, times: number, seed: number): Promise<ReadonlyMap<string, number>> {
  const folder = newFolder();
  const mirror = join(folder, 'mirror');
  const digests = trees.map((tree) => manifestOf(tree).digest);
  const states = trees.map(treeState);
  const counted = join(newFolder(), 'changes');
  const changes: number[] = [];
  publishFolder({ ...options, destination: mirror, tree: trees[0] });
  for (const target of [1, 0] as const) {
    expect((await run(args(target, mirror), { CHANGES_COUNTED_IN: counted })).status).toBe(0);
    changes[target] = Number(readFileSync(counted, 'utf8'));
  }
  const moment = random(seed);
  const found = new Map<string, number>();
  for (let time = 0; time < times; time++) {
    const target = time % 2 === 0 ? 1 : 0;
    const killed = await run(args(target, mirror), { KILL_AT: String(1 + moment.below(changes[target] ?? 0)) });
    expect(killed).toEqual({ status: null, stdout: '', stderr: '' });

    const place = existsSync(mirror) ? 'in its place' : 'beside it';
    const digest = digestOfWhole(existsSync(mirror) ? mirror : stageOf(mirror).old);
    expect(digests).toContain(digest);
    const outcome = `${digest === digests[target] ? 'new' : 'old'} ${place}`;
    found.set(outcome, (found.get(outcome) ?? 0) + 1);

    here(target, mirror);
    expect(treeState(mirror)).toEqual(states[target]);
    expect(readdirSync(folder)).toEqual(['mirror']);
  }
  return found;
}

describe('a killed run leaves the complete old or new tree, and the next run succeeds', () => {
  test.concurrent.each<readonly [string, Call, number, number]>([
    ['apply a full bundle', applying(() => whole), 40, 1],
    ['apply an update bundle', applying(() => news), 40, 2],
    ['publish', PUBLISHING, 80, 3],
  ])('%s', async (_, call, times, seed) => {
    const found = await killing(call, times, seed);
    expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBe(times);
    expect(found.get('old in its place')).toBeGreaterThan(times / 4);
    expect(found.get('new in its place')).toBeGreaterThan(0);
  });

  test('a run killed between the two renames leaves the old tree to the next run, which puts it back', async () => {
    const folder = newFolder();
    const mirror = join(folder, 'mirror');
    expect((await gridpress(['apply', whole[0], mirror])).status).toBe(0);
    mkdirSync(stageOf(mirror).lock);
    renameSync(mirror, stageOf(mirror).old);
    const { stdout } = await gridpress(['apply', news[0], mirror]);
    expect(stdout).toMatch(/ already contains revision [0-9a-f]{8}: nothing to do\.\n$/);
    expect(treeState(mirror)).toEqual(treeState(trees[0]));
    expect(readdirSync(folder)).toEqual(['mirror']);
  });
});
