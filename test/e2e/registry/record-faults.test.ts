/** Disk errors and wrong clocks while a revision is recorded. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress } from '../../support/processes/cli.ts';
import { needsStrace } from '../../support/processes/recorded-run.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const SET = ['set', 'node-1', 'placement.rack=7', '-m', 'Move', '--author', 'Ada Brown'];

const { isMissing, because } = needsStrace();

test.skipIf(isMissing)(`an edit is undone if the folder of the history cannot be flushed${because}`, async () => {
  const [cwd, cache] = [newFolder(), newFolder()];
  const { registry } = writeTestbed(cwd);
  const env = { XDG_CACHE_HOME: cache };
  const before = folderContents(registry);
  const history = join(registry, 'history');
  const fault = ['-f', '-o', join(cache, 'trace'), '-P', history, '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO'];
  const stderr = await new Promise<string>((resolve) => {
    execFile(
      'strace',
      [...fault, process.execPath, CLI, ...SET],
      { cwd, env: { ...process.env, ...env } },
      (_, __, told) => resolve(told),
    );
  });
  expect(stderr).toMatch(
    /cannot be written: the disk reports an error\. \[write-failed\][\s\S]*The change was not made\. All files are as they were before\. \[edit-undone\]/,
  );
  expect(folderContents(registry)).toEqual(before);
  expect(await gridpress(SET, { cwd, env })).toMatchObject({ status: 0 });
});

test('nothing is recorded if the clock is earlier than the newest revision', async () => {
  const cwd = newFolder();
  const { registry } = writeTestbed(cwd);
  const run = (...args: readonly string[]) => gridpress(args, { cwd, env: { XDG_CACHE_HOME: newFolder() } });
  expect(await run('set', 'node-1', 'placement.rack=7')).toMatchObject({ status: 0 });
  const later = ['--date', '9000-01-01T00:00:00Z', '--author', 'Ada Brown'];
  expect(await run('record', '-m', 'Later', ...later)).toMatchObject({ status: 0 });
  const before = folderContents(registry);
  const { status, stderr } = await run('set', 'node-1', 'placement.rack=8', '-m', 'Now', '--author', 'Ada Brown');
  expect(status).toBe(2);
  expect(stderr).toMatch(/but revision [0-9a-f]{8} has the later date 9000-01-01T00:00:00Z\. \[record-clock\]/);
  expect(folderContents(registry)).toEqual(before);
  expect(await run('set', 'node-1', 'placement.rack=8')).toMatchObject({ status: 0 });
  expect(await run('record', '-m', 'Now', ...later)).toMatchObject({ status: 0 });
});
