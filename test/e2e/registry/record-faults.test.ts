/** Disk errors and wrong clocks while a revision is recorded. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress } from '../../support/processes/cli.ts';
import { needsStrace } from '../../support/processes/recorded-run.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const NODE_OPTIONS = `--import ${join(import.meta.dirname, '../../support/processes/kill-at-change.mjs')}`;
const SET = ['set', 'node-1', 'placement.rack=7', '-m', 'Move', '--author', 'Ada Brown'];

const { isMissing, because } = needsStrace();

/** Runs a command. The calls of these system functions on these paths fail, as on a damaged disk. */
async function runWithFault(bed: Bed, args: readonly string[], fault: Fault) {
  const { cwd, cache } = bed;
  const renames = fault.renames === undefined ? {} : { FAIL_AFTER: String(fault.renames), NODE_OPTIONS };
  const paths = fault.paths.flatMap((path) => ['-P', path]);
  const calls = ['-e', `trace=${fault.calls}`, '-e', `inject=${fault.calls}:error=EIO`];
  return await new Promise<{ readonly isDone: boolean; readonly stderr: string }>((resolve) => {
    execFile(
      'strace',
      ['-f', '-o', join(cache, 'trace'), ...paths, ...calls, process.execPath, CLI, ...args],
      { cwd, env: { ...process.env, XDG_CACHE_HOME: cache, ...renames } },
      (error, _, stderr) => resolve({ isDone: error === null, stderr }),
    );
  });
}

interface Fault {
  readonly calls: string;
  readonly paths: readonly string[];
  /** The number of renames before all renames fail. */
  readonly renames?: number;
}

interface Bed {
  readonly cwd: string;
  readonly cache: string;
  readonly registry: string;
}

function newBed(): Bed {
  const [cwd, cache] = [realpathSync(newFolder()), newFolder()];
  return { cwd, cache, registry: writeTestbed(cwd).registry };
}

const run = ({ cwd, cache }: Bed, ...args: readonly string[]) =>
  gridpress(args, { cwd, env: { XDG_CACHE_HOME: cache } });

describe.skipIf(isMissing)(`a damaged disk${because}`, () => {
  test('that cannot flush the folder of the history undoes the edit', async () => {
    const bed = newBed();
    const before = folderContents(bed.registry);
    const paths = [join(bed.registry, 'history')];
    const { stderr } = await runWithFault(bed, SET, { calls: 'fsync', paths });
    expect(stderr).toMatch(
      /cannot be written: the disk reports an error\. \[write-failed\][\s\S]*The change was not made\. All files are as they were before\. \[edit-undone\]/,
    );
    expect(folderContents(bed.registry)).toEqual(before);
    expect(await run(bed, ...SET)).toMatchObject({ status: 0 });
  });

  test('that cannot list the lock is not reported as another command', async () => {
    const bed = newBed();
    const paths = [join(bed.registry, '.history.gridpress')];
    const { stderr } = await runWithFault(bed, SET, { calls: 'openat', paths });
    expect(stderr).toMatch(
      /^error: \S+registry-data cannot be written: the disk reports an error\. \[output-not-writable\]/,
    );
    expect(await run(bed, ...SET)).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(paths[0] ?? '')).toBe(false);
  });

  test('that cannot delete the lock does not make a finished command fail', async () => {
    const bed = newBed();
    const paths = [join(bed.registry, '.history.gridpress')];
    expect(await runWithFault(bed, SET, { calls: 'rmdir', paths })).toEqual({
      isDone: true,
      stderr:
        'The temporary files in registry-data/.history.gridpress could not be deleted: the disk reports an error. This does not affect the result. The next command that writes registry-data/history deletes them.\n',
    });
    expect(await run(bed, 'check')).toMatchObject({ status: 0 });
    expect(await run(bed, 'set', 'node-1', 'placement.rack=8')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(paths[0] ?? '')).toBe(false);
  });

  const planOf = ({ cache, registry }: Bed) => {
    const key = createHash('sha256').update(registry).digest('hex').slice(0, 32);
    return join(cache, 'gridpress', `${key}-edit.json`);
  };
  const EDIT = ['set', 'node-1', 'placement.rack=7'];

  test('that cannot delete the plan of an edit does not let the next edit undo it', async () => {
    const bed = newBed();
    const paths = [planOf(bed), ...['.gitignore', 'nonce'].map((name) => join(bed.registry, '.edit.gridpress', name))];
    expect(await runWithFault(bed, EDIT, { calls: 'unlink', paths })).toEqual({ isDone: true, stderr: '' });
    expect(await run(bed, 'set', 'node-2', 'placement.rack=8')).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = await run(bed, 'diff');
    expect(stdout).toContain('{"rack":7}');
    expect(stdout).toContain('{"rack":8}');
  });

  test('that can neither delete nor replace the plan lets the command warn about the next edit', async () => {
    const bed = newBed();
    const plan = planOf(bed);
    // The three renames create the lock, write the plan and change the file.
    expect(await runWithFault(bed, EDIT, { calls: 'unlink', paths: [plan], renames: 3 })).toEqual({
      isDone: true,
      stderr: `The change was made, but its plan ${plan} cannot be deleted. Delete this file. Otherwise the next command that edits the registry takes this command for interrupted, and may undo the change.\n`,
    });
    rmSync(plan);
    expect(await run(bed, 'set', 'node-1', 'placement.rack=8')).toMatchObject({ status: 0, stderr: '' });
  });

  test('that cannot delete the old tree does not make a build fail', async () => {
    const bed = newBed();
    expect(await run(bed, 'build')).toMatchObject({ status: 0 });
    const paths = [join(bed.cwd, '.dist.gridpress', 'old')];
    const { isDone, stderr } = await runWithFault(bed, ['-q', 'build', '--force'], { calls: 'rmdir', paths });
    expect([isDone, stderr]).toEqual([
      true,
      'The temporary files in .dist.gridpress could not be deleted: the disk reports an error. This does not affect the result. The next command that writes dist deletes them.\n',
    ]);
    expect(await run(bed, 'verify', 'dist')).toMatchObject({ status: 0 });
    expect(await run(bed, 'build', '--force')).toMatchObject({ status: 0 });
    expect(existsSync(paths[0] ?? '')).toBe(false);
  });

  test('that cannot flush a new tree is not reported as if the old tree still existed', async () => {
    const bed = newBed();
    expect(await run(bed, 'build')).toMatchObject({ status: 0 });
    const manifest = join(bed.cwd, 'dist', '_manifest.json');
    const before = readFileSync(manifest);
    const build = ['-q', 'build', '--snapshots', 'none'];
    const { isDone, stderr } = await runWithFault(bed, build, { calls: 'fsync', paths: [bed.cwd] });
    expect(isDone).toBe(false);
    expect(stderr).toContain(
      'error: dist cannot be written: the disk reports an error. [write-failed]\n  Correct the cause, and run the command again.\n',
    );
    expect(readFileSync(manifest)).not.toEqual(before);
    expect(await run(bed, 'verify', 'dist')).toMatchObject({ status: 0 });
    expect(await run(bed, ...build)).toMatchObject({ status: 0 });
  });
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

test('nothing is recorded if the revision file would be too large to be read', async () => {
  const cwd = newFolder();
  const { registry } = writeTestbed(cwd);
  const revisions = Object.values(folderContents(join(registry, 'history')));
  const most = Math.max(...revisions.map((text) => text.length));
  appendFileSync(join(cwd, 'gridpress.yaml'), `limits: { revision_bytes: ${most} }\n`);
  const run = (...args: readonly string[]) => gridpress(args, { cwd, env: { XDG_CACHE_HOME: newFolder() } });
  const before = folderContents(registry);
  const note = `admin_note=${'x'.repeat(most)}`;
  const { status, stderr } = await run('set', 'node-1', note, '-m', 'Long', '--author', 'Ada Brown');
  expect(stderr).toContain(
    `bytes, more than the ${most.toLocaleString('en')} bytes that are read. Nothing was recorded. [revision-too-large]`,
  );
  expect(status).toBe(2);
  expect(folderContents(registry)).toEqual(before);
  expect(await run('set', 'node-1', 'admin_note=x', '-m', 'Short', '--author', 'Ada Brown')).toMatchObject({
    status: 0,
  });
});
