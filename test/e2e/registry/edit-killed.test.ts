/** Commands that change several files and record them, killed before each of their changes of the file system. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTemporaryName } from '../../../src/system/files/folder-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { nodeFile, writeTestbed } from '../../support/registries/testbed.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'kill-at-change.mjs');
const RECORDED = ['-m', 'Killed', '--author', 'Ada Brown'];
/** Every fourth moment is enough, because a change of a file is several changes of the file system. */
const STEP = 4;

/** Returns the files of resources. The uids of new nodes differ from run to run. */
function bodiesBelow(folder: string): string[] {
  const files = Object.entries(folderContents(folder)).filter(([file]) => file.includes('/sites/'));
  const random = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
  return files.map(([file, text]) => `${file}\n${text}`.replace(random, 'UUID')).sort();
}

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
  const whole = copy();
  expect(await killed(whole, { CHANGES_COUNTED_IN: counted })).toMatchObject({ status: 0 });
  const expected = bodiesBelow(whole);
  const changes = Number(readFileSync(counted, 'utf8'));

  for (let moment = 1; moment <= changes; moment += STEP) {
    const folder = copy();
    await killed(folder, { KILL_AT: String(moment) });
    await run(folder, [...args, ...RECORDED]);
    const checked = await run(folder, ['check']);
    expect({ moment, ...checked }).toMatchObject({ moment, status: 0, stderr: '' });
    const { stdout } = await run(folder, ['log', '-n', '1']);
    expect(stdout).toContain('Killed');
    expect({ moment, bodies: bodiesBelow(folder) }).toEqual({ moment, bodies: expected });
    const left = readdirSync(folder, { recursive: true }).filter((file) =>
      isTemporaryName(file.toString().split('/').at(-1) ?? ''),
    );
    expect({ moment, left }).toEqual({ moment, left: [] });
    rmSync(folder, { recursive: true });
  }
});

/** Kills a command after its files are written. */
async function killedBeforeRecording(args: readonly string[]) {
  const folder = newFolder();
  const cache = newFolder();
  writeTestbed(folder);
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    gridpress(words, { cwd: folder, env: { XDG_CACHE_HOME: cache, ...env } });
  const before = folderContents(join(folder, 'registry-data'));
  for (let moment = 1; ; moment++) {
    await run([...args, ...RECORDED], { KILL_AT: String(moment), NODE_OPTIONS: `--import ${PRELOAD}` });
    const now = folderContents(join(folder, 'registry-data'));
    const isChanged = (path: string) => !isTemporaryName(path.split('/').at(-1) ?? '') && now[path] !== before[path];
    const changed = Object.keys(now).filter((path) => path.startsWith('sites/') && isChanged(path));
    if (changed.length > 0) return { folder, run, file: join(folder, 'registry-data', changed[0] ?? '') };
  }
}

test('a completed change is not recorded together with changes of others', async () => {
  const { folder, run } = await killedBeforeRecording(['set', 'node-1', 'placement.rack=7']);
  const other = join(folder, 'registry-data', nodeFile('lyra', 2));
  writeFileSync(other, `${readFileSync(other, 'utf8')}note: mine\n`);
  const { status, stderr } = await run(['set', 'node-2', 'placement.rack=8']);
  expect([status, stderr]).toEqual([0, expect.stringContaining('Record it: gridpress record -m MESSAGE')]);
  expect((await run(['log', '-n', '1'])).stdout).not.toContain('Killed');
});

test('a plan that cannot be recorded blocks no command', async () => {
  const { run, file } = await killedBeforeRecording(['set', 'node-1', 'placement.rack=7']);
  writeFileSync(file, readFileSync(file, 'utf8').replace('rack: 7', 'rack: 9'));
  expect((await run(['set', 'node-2', 'placement.rack=8'])).status).toBe(0);
  expect((await run(['check'])).stdout).not.toContain('edit-pending');
});
