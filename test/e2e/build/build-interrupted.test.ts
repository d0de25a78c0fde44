import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { recover, stageOf } from '../../../src/system/trees/staging.ts';
import { newFolder } from '../../support/folders.ts';
import { MINUTES } from '../../support/limits.ts';
import { gridpress, startGridpress } from '../../support/processes/cli.ts';
import { type Generated, writeGenerated } from '../../support/registries/generated.ts';
import { digestOfWhole } from '../../support/trees/whole-tree.ts';
import { random } from '../../support/values/random.ts';

let registry: Generated['registry'];
/** What the last three revisions are built as. */
let heads: readonly string[];
let digests: readonly string[];
let out: string;
let folder: string;

beforeAll(async () => {
  const generated = writeGenerated(newFolder(), 60, 3);
  registry = generated.registry;
  heads = generated.revisions.slice(1).map(({ id }) => id);
  digests = await Promise.all(
    heads.map(async (at) => {
      const { digest } = await build({ registry, out: join(newFolder(), 'dist'), at, showsProgress: false });
      return digest;
    }),
  );
});

beforeEach(() => {
  folder = newFolder();
  out = join(folder, 'dist');
});

const press = (at: string) => build({ registry, out, at, showsProgress: false });
const start = (at: string) => startGridpress(['build', '--registry', registry, '--out', out, '--at', at]);

/** The old tree, from its place or from beside it, as the next command finds it; the new one, when it is there. */
function standing(): string {
  const { old } = stageOf(out);
  return digestOfWhole(existsSync(out) ? out : old);
}

describe('a build that is killed', () => {
  /** Alternates between two heads, so that every build has all to write. */
  async function killing(times: number, kill: (build: ChildProcess, time: number) => Promise<void>) {
    await press(heads[0] ?? '');
    const found = new Map<string, number>();
    for (let time = 0; time < times; time++) {
      const [before, after] = time % 2 === 0 ? digests : digests.toReversed();
      const target = heads[(time + 1) % 2] ?? '';
      const child = start(target);
      const ended = once(child, 'exit');
      await kill(child, time);
      child.kill('SIGKILL');
      const [status] = await ended;

      const digest = standing();
      expect([before, after]).toContain(digest);
      if (status === 0) expect(digest).toBe(after);
      const outcome = `${status === 0 ? 'ended' : 'killed'}, ${digest === after ? 'new' : 'old'} tree`;
      found.set(outcome, (found.get(outcome) ?? 0) + 1);

      expect((await press(target)).digest).toBe(after);
      expect(readdirSync(folder)).toEqual(['dist']);
    }
    expect(digestOfWhole(out)).toBe(digests[times % 2]);
    return found;
  }

  test('leaves the old tree or the new one whole, and the next build cleans up', {
    timeout: 10 * MINUTES,
  }, async () => {
    const began = performance.now();
    await once(start(heads[0] ?? ''), 'exit');
    const length = performance.now() - began;
    const moment = random(20_260_101);
    // Nothing is written before the program has come up.
    const found = await killing(30, () => setTimeout(length / 3 + moment.below((2 * length) / 3)));
    expect(found.get('killed, old tree')).toBeGreaterThan(0);
  });

  test('leaves one of them whole in the midst of its swap too', { timeout: 10 * MINUTES }, async () => {
    // The lock is made and taken, the old tree goes aside, the new one takes its place, the lock goes.
    const found = await killing(10, async (child, time) => {
      let left = 1 + (time % 5);
      const watcher = watch(folder);
      child.once('exit', () => watcher.close());
      watcher.on('change', () => {
        if (--left === 0) child.kill('SIGKILL');
      });
      await once(watcher, 'close');
    });
    expect([...found.keys()].filter((outcome) => outcome.startsWith('killed')).length).toBeGreaterThan(0);
  });
});

describe('what an interrupted build left', () => {
  test('is put back by whatever command comes next', async () => {
    const stage = stageOf(out);
    await press(heads[0] ?? '');
    mkdirSync(stage.lock);
    renameSync(out, stage.old);
    recover(stage);
    expect(digestOfWhole(out)).toBe(digests[0]);
    expect(readdirSync(folder)).toEqual([basename(out)]);
  });
});

describe('a build beside another', () => {
  test('is refused until the other is done', async () => {
    await press(heads[0] ?? '');
    const { lock } = stageOf(out);
    const watcher = watch(folder);
    const child = start(heads[1] ?? '');
    const ended = once(child, 'exit');
    await once(watcher, 'change');
    watcher.close();
    while (!existsSync(lock)) await setTimeout(1);
    child.kill('SIGSTOP');
    const args = ['build', '--registry', registry, '--out', out, '--at', heads[1] ?? ''];
    expect(await gridpress(args)).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: Another gridpress is writing ${out}: the process ${child.pid}. [build-running]\n  Wait until it is done. If that process is none of gridpress, remove ${lock}.\n`,
    });
    expect(digestOfWhole(out)).toBe(digests[0]);
    child.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
    expect(digestOfWhole(out)).toBe(digests[1]);
    expect(readdirSync(folder)).toEqual(['dist']);
  });
});

test('a disk that takes no more leaves the old tree whole', async () => {
  await press(heads[0] ?? '');
  const args = ['build', '--registry', registry, '--out', out, '--at', heads[1] ?? ''];
  // The collection of nodes is the first file that is larger.
  expect(await gridpress(args, { largestFile: 16 })).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: Writing sites/lyra/clusters/main/nodes.json failed: the file would be too large. [write-failed]
  What was there before is untouched. Mend the cause and run it again.
`,
  });
  expect(digestOfWhole(out)).toBe(digests[0]);
  expect(readdirSync(folder)).toEqual(['dist']);
});
