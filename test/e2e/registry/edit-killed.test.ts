/** Commands that change several files and record them, killed before each of their changes of the file system. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTemporaryName } from '../../../src/system/files/folder-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'kill-at-change.mjs');
const RECORDED = ['-m', 'Killed', '--author', 'Ada Brown'];
/** Every fourth moment is enough, because a change of a file is several changes of the file system. */
const STEP = 4;

test.each([
  ['rename', 'sites/lyra', 'deneb'],
  ['retire', 'sites/lyra'],
  ['add', 'node', '--site', 'lyra', '--names', 'new-[1-3]'],
])('%s %s is complete after the next command, or changes nothing', async (...args) => {
  const original = newFolder();
  writeTestbed(original);
  const cache = newFolder();
  const run = (cwd: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    gridpress(words, { cwd, env: { XDG_CACHE_HOME: cache, ...env } });
  const killed = (cwd: string, env: Readonly<Record<string, string>>) =>
    run(cwd, [...args, ...RECORDED], { ...env, NODE_OPTIONS: `--import ${PRELOAD}` });
  const copy = () => {
    const folder = newFolder();
    cpSync(original, folder, { recursive: true });
    return folder;
  };
  const counted = join(newFolder(), 'changes');
  expect(await killed(copy(), { CHANGES_COUNTED_IN: counted })).toMatchObject({ status: 0 });
  const changes = Number(readFileSync(counted, 'utf8'));

  for (let moment = 1; moment <= changes; moment += STEP) {
    const folder = copy();
    await killed(folder, { KILL_AT: String(moment) });
    await run(folder, [...args, ...RECORDED]);
    const checked = await run(folder, ['check']);
    expect({ moment, ...checked }).toMatchObject({ moment, status: 0, stderr: '' });
    const { stdout } = await run(folder, ['log', '-n', '1']);
    expect(stdout).toContain('Killed');
    const left = readdirSync(folder, { recursive: true }).filter((file) =>
      isTemporaryName(file.toString().split('/').at(-1) ?? ''),
    );
    expect({ moment, left }).toEqual({ moment, left: [] });
    rmSync(folder, { recursive: true });
  }
});
