/** `gridpress record --merge` after git merged branches that both recorded a revision. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { GIT_ENVIRONMENT } from '../../support/registries/git-repository.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd,
    env: GIT_ENVIRONMENT,
    stdio: 'pipe',
  });

const AUTHOR = ['--author', 'Ada'];
/** Git merges changes of fields that are some lines apart. */
const FIELDS = ['main_memory.ram_size=64GiB', 'chassis.name=R650', 'bios.version=1.1', 'placement.rack=1'];

/** A repository with three nodes, and functions that record on branches, and merge them. */
async function repository() {
  const folder = newFolder();
  const run = (...args: string[]) => gridpress(args, { cwd: folder });
  const well = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(...args);
    expect(status, stdout + stderr).toBe(0);
    return stdout;
  };
  const commit = (message: string) => {
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '-m', message);
  };
  git(folder, 'init', '--quiet', '--initial-branch=main');
  await well('init', '--grid', 'meridian', '--site', 'lyra');
  await well('add', 'node', '--names', '{a,b,c}', '-m', 'First', ...AUTHOR);
  await well('set', 'a', ...FIELDS, '-m', 'Second', ...AUTHOR);
  commit('Start');
  return {
    folder,
    run,
    well,
    commit,
    /** Records a change on a new branch of main. */
    branch: async (name: string, ...words: string[]) => {
      git(folder, 'checkout', '--quiet', '-b', name, 'main');
      await well(...words, '-m', `Change on ${name}`, ...AUTHOR);
      commit(name);
    },
    /** Merges branches into main. Git must find no conflict. */
    merge: (...names: string[]) => {
      git(folder, 'checkout', '--quiet', 'main');
      for (const name of names) git(folder, 'merge', '--quiet', '--no-ff', '-m', `Merge ${name}`, name);
    },
  };
}

test('edit opens a file with conflict marks of git', async () => {
  const { folder, branch, merge } = await repository();
  await branch('left', 'set', 'a', 'placement.rack=2');
  await branch('right', 'set', 'a', 'placement.rack=3');
  expect(() => merge('left', 'right')).toThrow('git');
  const env = { VISUAL: '', EDITOR: "sed -i '/^<<<<<<</d; /^=======/,/^>>>>>>>/d'" };
  const { status, stdout, stderr } = await gridpress(['edit', 'a'], { cwd: folder, env });
  expect([status, stdout]).toEqual([0, expect.stringContaining('placement')]);
  expect(stderr).toContain('[several-heads]');
});

test('changes of different resources and of different fields merge', async () => {
  const { branch, merge, run, well } = await repository();
  await branch('left', 'set', 'a', 'placement.rack=2');
  await branch('right', 'set', 'a', 'b', 'main_memory.ram_size=128GiB');
  merge('left', 'right');
  expect((await run('check')).stdout).toContain('Merge them: gridpress record --merge.');
  expect(await well('record', '--merge', '--dry-run', ...AUTHOR)).toContain('main_memory.ram_size');
  expect(await well('record', '--merge', ...AUTHOR)).toContain('Recorded ');
  expect((await run('check')).status).toBe(0);
  expect(await well('log', '-n', '1')).toMatch(/ Merge [0-9a-f]{8} and [0-9a-f]{8} Ada /);
  expect(await well('record', '--merge', ...AUTHOR)).toBe('Nothing to merge: the history has one head.\n');
  expect(JSON.parse(await well('record', '--merge', '--json', ...AUTHOR))).toEqual({
    ok: true,
    is_written: false,
    findings: [],
  });
  expect((await run('build', '--no-fsync')).status).toBe(0);
});

test('three heads, a new node and a removed node merge', async () => {
  const { branch, merge, run, well } = await repository();
  await branch('one', 'add', 'node', '--names', 'd');
  await branch('two', 'retire', 'c');
  await branch('three', 'set', 'b', 'placement.rack=4');
  merge('one', 'two', 'three');
  const { parents } = JSON.parse(await well('record', '--merge', '--json', ...AUTHOR));
  expect(parents).toHaveLength(3);
  expect((await run('check')).status).toBe(0);
  expect(await well('find', 'placement.rack = 4', '--columns', 'node_name')).toBe('node_name\nb\n');
});

test('a field with two new values is an error that names both, and people decide', async () => {
  const { folder, branch, merge, run, well } = await repository();
  await branch('left', 'set', 'a', 'placement.rack=2');
  const file = (await well('path', 'a')).trim();
  const ours = readFileSync(join(folder, file));
  await branch('right', 'set', 'a', 'placement.rack=3');
  git(folder, 'checkout', '--quiet', 'main');
  merge('left');
  // Git reports the conflict too. The file is resolved to the first side.
  git(folder, 'merge', '--quiet', '--no-commit', '--strategy-option=ours', 'right');
  expect(readFileSync(join(folder, file))).toEqual(ours);
  const refused = await run('record', '--merge', ...AUTHOR);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /error: Two heads change placement\.rack of a \(sites\/lyra\S+\): to [23] \([0-9a-f]{8}\) and to [23] \([0-9a-f]{8}\)\. \[merge-conflict\]/,
  );
  const [, command = ''] = /as they are: gridpress (record --merge [0-9a-f]{8}) -m/.exec(refused.stderr) ?? [];
  await well(...command.split(' '), '-m', 'Keep rack 2', ...AUTHOR);
  expect((await run('check')).status).toBe(0);
});

test('a removed and changed resource is a conflict', async () => {
  const { folder, branch, merge, run, well } = await repository();
  await branch('left', 'set', 'a', 'placement.rack=2');
  await branch('right', 'retire', 'a');
  merge('left');
  const kept = join(folder, (await well('path', 'a')).trim());
  const copy = join(newFolder(), 'kept');
  cpSync(kept, copy);
  expect(() => git(folder, 'merge', '--quiet', 'right')).toThrow();
  cpSync(copy, kept);
  const { status, stderr } = await run('record', '--merge', ...AUTHOR);
  expect(status).toBe(1);
  expect(stderr).toContain(': one head removes it, both add it, or both change the items of one list.');
});

test('files that differ from the merge are not recorded', async () => {
  const { folder, branch, merge, run, well } = await repository();
  await branch('left', 'set', 'a', 'placement.rack=2');
  await branch('right', 'set', 'b', 'placement.rack=3');
  merge('left', 'right');
  rmSync(join(folder, (await well('path', 'c')).trim()));
  const { status, stderr } = await run('record', '--merge', ...AUTHOR);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /error: The files differ from the merge of the heads in 1 resource: sites\/lyra\S+\. \[merge-differs\]/,
  );
});

test('equal changes on both sides merge', async () => {
  const { branch, merge, run, well } = await repository();
  await branch('left', 'set', 'a', 'placement.rack=2', 'main_memory.ram_size=128GiB');
  await branch('right', 'set', 'a', 'placement.rack=2');
  merge('left', 'right');
  await well('record', '--merge', ...AUTHOR);
  expect((await run('check')).status).toBe(0);
});

test('a revision needs a message, except a merge', async () => {
  const { run } = await repository();
  const { status, stderr } = await run('record', ...AUTHOR);
  expect(status).toBe(2);
  expect(stderr).toContain("required option '-m, --message <text>' not specified");
  expect((await run('record', '-m', ' ', ...AUTHOR)).stderr).toContain(
    "argument ' ' is invalid. It must not be empty.",
  );
  expect((await run('record', '--merge', 'head', '-m', 'x', ...AUTHOR)).stderr).toContain('[nothing-to-merge]');
});

test('record --merge accepts the fields of all merged heads', async () => {
  const { branch, merge, run } = await repository();
  await branch('left', 'set', 'a', 'mynote=1', '--allow-unknown');
  await branch('right', 'set', 'b', 'placement.rack=2');
  merge('right', 'left');
  expect(await run('record', '--merge', ...AUTHOR)).toMatchObject({ status: 0, stderr: '' });
});

describe('the published head becomes the first parent', () => {
  const headIn = async (folder: string) => {
    const { stdout } = await gridpress(['log', '-n', '1', '--json'], { cwd: folder });
    return JSON.parse(stdout).revisions[0].id;
  };

  test.each(['an upstream', 'a remote'])('if a clone with %s pulls it after own revisions', async (kind) => {
    const { folder, well, commit } = await repository();
    const clone = newFolder();
    git(clone, 'clone', '--quiet', folder, '.');
    if (kind === 'an upstream') git(clone, 'remote', 'set-head', 'origin', '--delete');
    else git(clone, 'branch', '--unset-upstream');
    await well('set', 'a', 'placement.rack=2', '-m', 'Published', ...AUTHOR);
    commit('Published');
    const published = await headIn(folder);
    await well('-C', clone, 'set', 'b', 'placement.rack=3', '-m', 'Own', ...AUTHOR);
    const own = await headIn(clone);
    git(clone, 'add', '.');
    git(clone, 'commit', '--quiet', '-m', 'Own');
    git(clone, 'pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main');
    const { parents } = JSON.parse(await well('-C', clone, 'record', '--merge', '--json', ...AUTHOR));
    expect(parents).toEqual([published, own]);
  });

  test.each([
    ['left', 'right'],
    ['right', 'left'],
  ])('if %s is published, and the merge of %s is not committed', async (one, other) => {
    const { folder, branch, merge, well } = await repository();
    await branch('left', 'set', 'a', 'placement.rack=2');
    await branch('right', 'set', 'b', 'placement.rack=3');
    merge(one);
    const published = await headIn(folder);
    git(folder, 'merge', '--quiet', '--no-ff', '--no-commit', other);
    const { parents } = JSON.parse(await well('record', '--merge', '--json', ...AUTHOR));
    expect(parents[0]).toBe(published);
  });
});
