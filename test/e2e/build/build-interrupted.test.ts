import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { recover, stageOf } from '../../../src/system/trees/staging.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress, startGridpress } from '../../support/processes/cli.ts';
import { type Generated, writeGenerated } from '../../support/registries/generated.ts';
import { digestOfWhole } from '../../support/trees/whole-tree.ts';
import { random } from '../../support/values/random.ts';

let registry: Generated['registry'];
/** The last three revisions, built in turn. */
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

/** Returns which tree the next command finds: the old one, in place or set aside, or the new one. */
function currentTree(): string {
  const { old } = stageOf(out);
  return digestOfWhole(existsSync(out) ? out : old);
}

describe('a killed build', () => {
  /** Alternates between two heads, so that every build writes all files. */
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

      const digest = currentTree();
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

  test('leaves the complete old or new tree, and the next build cleans up', async () => {
    const began = performance.now();
    await once(start(heads[0] ?? ''), 'exit');
    const length = performance.now() - began;
    const moment = random(20_260_101);
    // The program writes nothing while it starts.
    const found = await killing(30, () => setTimeout(length / 3 + moment.below((2 * length) / 3)));
    expect(found.get('killed, old tree')).toBeGreaterThan(0);
  });

  test('leaves a complete tree when it is killed during the swap', async () => {
    // The steps of a swap: create and take the lock, set the old tree aside, move the new tree in, release the lock.
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

describe('the leftovers of an interrupted build', () => {
  test('are repaired by the next command', async () => {
    const stage = stageOf(out);
    await press(heads[0] ?? '');
    mkdirSync(stage.lock);
    renameSync(out, stage.old);
    recover(stage);
    expect(digestOfWhole(out)).toBe(digests[0]);
    expect(readdirSync(folder)).toEqual([basename(out)]);
  });
});

describe('a second build at the same time', () => {
  test('is rejected until the first one ends', async () => {
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
      stderr: `error: Another gridpress is writing ${out} (process ${child.pid}). [build-running]\n  Wait until it has finished. If that process is not gridpress, remove ${lock}.\n`,
    });
    expect(digestOfWhole(out)).toBe(digests[0]);
    child.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
    expect(digestOfWhole(out)).toBe(digests[1]);
    expect(readdirSync(folder)).toEqual(['dist']);
  });
});

test('a full disk leaves the old tree complete', async () => {
  await press(heads[0] ?? '');
  const args = ['build', '--registry', registry, '--out', out, '--at', heads[1] ?? ''];
  // The collection of nodes is the first file above the limit.
  expect(await gridpress(args, { largestFile: 16 })).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: sites/lyra/clusters/main/nodes.json cannot be written: the file would be too large. [write-failed]
  The existing files are unchanged. Correct the cause, and run the command again.
`,
  });
  expect(digestOfWhole(out)).toBe(digests[0]);
  expect(readdirSync(folder)).toEqual(['dist']);
});
