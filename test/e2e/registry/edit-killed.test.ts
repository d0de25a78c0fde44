/** Commands that change several files and record them, killed before each of their changes of the file system. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isTemporaryName } from '../../../src/system/files/folder-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { nodeFile, siteFile, writeTestbed } from '../../support/registries/testbed.ts';
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

type Env = Readonly<Record<string, string>>;

function testbed() {
  const [folder, cache] = [newFolder(), newFolder()];
  writeTestbed(folder);
  const registry = join(folder, 'registry-data');
  const run = (words: readonly string[], env: Env = {}) =>
    gridpress(words, { cwd: folder, env: { XDG_CACHE_HOME: cache, ...env } });
  const original = folderContents(registry);
  /** Returns the files of resources that differ from the original ones. */
  const changed = () => {
    const now = folderContents(registry);
    const files = new Set([...Object.keys(original), ...Object.keys(now)]);
    return [...files].filter((file) => file.startsWith('sites/') && now[file] !== original[file]).sort();
  };
  const hasPlan = () => Object.keys(folderContents(cache)).some((file) => file.endsWith('-edit.json'));
  const left = () =>
    readdirSync(registry, { recursive: true })
      .map(String)
      .filter((file) => isTemporaryName(basename(file)));
  return { folder, cache, registry, run, changed, hasPlan, left };
}

/** Kills a command before its first rename that fulfills a condition. */
async function killedWhen(
  isMoment: (bed: ReturnType<typeof testbed>) => boolean,
  args: readonly string[],
): Promise<ReturnType<typeof testbed>> {
  for (let rename = 1; ; rename++) {
    const bed = testbed();
    await bed.run([...args, ...RECORDED], { KILL_AT_RENAME: String(rename), NODE_OPTIONS: `--import ${PRELOAD}` });
    if (isMoment(bed)) return bed;
    rmSync(bed.folder, { recursive: true });
  }
}

const SET = ['set', 'node-1', 'node-2', 'placement.rack=7'];
const OTHER = ['set', 'sites/lyra', 'web=https://x.org', '-m', 'Other', '--author', 'Ada Brown'];
const nodes = [1, 2].map((n) => nodeFile('lyra', n));

test('a command that changed nothing is forgotten, also if a file has its new text by chance', async () => {
  const { registry, run, changed, hasPlan } = await killedWhen((bed) => bed.hasPlan(), SET);
  expect(changed()).toEqual([]);
  appendFileSync(join(registry, nodes[0] ?? ''), 'placement:\n  rack: 7\n');
  expect(await run(['record', '-m', 'Mine', '--author', 'Ada Brown'])).toMatchObject({ status: 0 });
  expect(await run(['set', 'node-2', 'bios.version=1', '-m', 'Other', '--author', 'Ada Brown'])).toMatchObject({
    status: 0,
  });
  expect((await run(['log', '-n', '2'])).stdout.match(/\(.*\)/g)).toEqual([
    '(1 updated: 1 firmware)',
    '(1 updated: 1 placement)',
  ]);
  expect(hasPlan()).toBe(false);
});

test('the next edit undoes the changes of a killed command, and records nothing of it', async () => {
  const { run, changed, left } = await killedWhen((bed) => bed.changed().length === 1, SET);
  expect(await run(['record', '-m', 'Mine', '--author', 'Ada Brown'])).toMatchObject({
    status: 2,
    stderr: `error: A command was interrupted after it had changed 1 of 2 files: ${nodes[0]}. [edit-begun]\n  Run it again. The next command that edits the registry undoes these changes first.\n`,
  });
  const { status, stderr } = await run([
    'set',
    'sites/lyra',
    'web=https://x.org',
    '-m',
    'Other',
    '--author',
    'Ada Brown',
  ]);
  expect([status, stderr]).toEqual([
    0,
    `Undid the changes of an earlier command that was interrupted. Run it again. It had changed 1 file:\n  ${nodes[0]}\n`,
  ]);
  expect(changed()).toEqual([siteFile('lyra')]);
  expect(left()).toEqual([]);
});

test.each(['its files were', 'the history was'])('if %s changed since, the next edit stops once', async (what) => {
  const { registry, run, changed } = await killedWhen((bed) => bed.changed().length === 1, SET);
  if (what === 'its files were') appendFileSync(join(registry, nodes[0] ?? ''), 'note: mine\n');
  else mkdirSync(join(registry, 'history', 'other'));
  expect(await run(OTHER)).toMatchObject({
    status: 2,
    stderr: `error: A command was interrupted after it had changed 1 file: ${nodes[0]}. These files or the history were changed since, so the change was not undone. [edit-stays]\n  Nothing was written. If "gridpress log" lists the change, nothing is left to do. Otherwise record or restore these files, and run this command again.\n`,
  });
  expect(changed()).toEqual([nodes[0]]);
  rmSync(join(registry, 'history', 'other'), { recursive: true, force: true });
  expect((await run(['check'])).stdout).not.toContain('edit-pending');
  expect(await run(['set', 'sites/lyra', 'web=https://x.org'])).toMatchObject({ status: 0, stderr: '' });
});

test.each(['its files were', 'the history was'])('if %s changed since, record stops once', async (what) => {
  const { registry, run, changed } = await killedWhen((bed) => bed.changed().length === 1, SET);
  if (what === 'its files were') appendFileSync(join(registry, nodes[0] ?? ''), '# mine\n');
  else mkdirSync(join(registry, 'history', 'other'));
  expect((await run(['check'])).stdout).toContain('record or restore these files');
  const record = ['record', '-m', 'Mine', '--author', 'Ada Brown'];
  expect(await run(record)).toMatchObject({ status: 2, stderr: expect.stringContaining('[edit-stays]') });
  expect(changed()).toEqual([nodes[0]]);
  rmSync(join(registry, 'history', 'other'), { recursive: true, force: true });
  expect(await run(record)).toMatchObject({ status: 0 });
});

test('another user neither records nor loses the plan of a killed command', async () => {
  const { registry, run, changed, left } = await killedWhen((bed) => bed.changed().length === 1, SET);
  const other = { XDG_CACHE_HOME: newFolder() };
  for (const args of [['record', '-m', 'Mine', '--author', 'Ada Brown'], OTHER])
    expect(await run(args, other)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('your cache folder does not contain its plan. [edit-foreign]'),
    });
  expect((await run(['check'], other)).stdout).toContain('[edit-foreign-pending]');
  expect((await run(['build'], other)).stderr).toContain('[edit-foreign-pending]');
  expect(await run(['find'], other)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(
      'warning: A command was interrupted while it changed files, or it is still running.',
    ),
  });
  expect(await run(OTHER)).toMatchObject({ status: 0, stderr: expect.stringContaining('Undid the changes') });
  expect({ changed: changed(), left: left() }).toEqual({ changed: ['sites/lyra/site.yaml'], left: [] });
  mkdirSync(join(registry, '.edit.gridpress'));
  expect(await run(['set', 'node-1', 'placement.rack=8'], other)).toMatchObject({ status: 0, stderr: '' });
});

test('a command that was killed after it had recorded its change does not stop the next one', async () => {
  const counted = join(newFolder(), 'changes');
  const killing = { NODE_OPTIONS: `--import ${PRELOAD}` };
  const whole = testbed();
  const revisions = (bed: typeof whole) => readdirSync(join(bed.registry, 'history')).length;
  await whole.run([...SET, ...RECORDED], { ...killing, CHANGES_COUNTED_IN: counted });
  for (let moment = Number(readFileSync(counted, 'utf8')); moment > 0; moment--) {
    const bed = testbed();
    await bed.run([...SET, ...RECORDED], { ...killing, KILL_AT: String(moment) });
    if (!bed.hasPlan()) continue;
    expect(revisions(bed)).toBe(revisions(whole));
    return expect(await bed.run(OTHER)).toMatchObject({ status: 0, stderr: '' });
  }
  expect.unreachable('The plan was never there after the revision.');
});

test.each([
  [['check'], 1],
  [['build'], 1],
  [['find'], 0],
  [['find', '--lock', 'nodes.lock.json'], 1],
])('%j warns about a half-done edit (exit status %i)', async (command, status) => {
  const { run } = await killedWhen((bed) => bed.changed().length === 1, SET);
  const warned = await run(command);
  expect(warned.status).toBe(status);
  expect(`${warned.stdout}${warned.stderr}`).toContain(
    `warning: A command was interrupted after it had changed ${nodes[0]}, or it is still running. [edit-pending]`,
  );
});

test('a plan whose journal was removed undoes nothing', async () => {
  const args = ['rename', 'sites/lyra', 'deneb'];
  const whole = testbed();
  await whole.run(args);
  const { registry, run, changed } = await killedWhen((bed) => bed.changed().length === whole.changed().length, args);
  rmSync(join(registry, '.edit.gridpress'), { recursive: true });
  const before = changed();
  expect((await run(['check'])).stdout).toContain('[edit-pending]');
  expect(await run(OTHER)).toMatchObject({ status: 2, stderr: expect.stringContaining('[edit-stays]') });
  expect(changed()).toEqual(before);
});

test('a command warns if its changes could not be undone', async () => {
  const { cache, run } = testbed();
  mkdirSync(join(cache, 'gridpress'), { mode: 0o755 });
  const { stderr } = await run([...SET, ...RECORDED]);
  expect(stderr).toContain(
    `The cache folder ${join(cache, 'gridpress')} cannot be used. Only you may have access to it (mode 700), and its disk needs space. If this command is interrupted, its changes cannot be undone.\n`,
  );
});

test('an edit keeps the mode of a file, and does not replace a link', async () => {
  const { registry, run } = testbed();
  const site = join(registry, siteFile('lyra'));
  chmodSync(site, 0o600);
  expect(await run(['set', 'sites/lyra', 'web=https://x.org'])).toMatchObject({ status: 0 });
  expect(statSync(site).mode & 0o777).toBe(0o600);
  mkdirSync(join(registry, '.shared'));
  renameSync(site, join(registry, '.shared', 'site.yaml'));
  symlinkSync(join('..', '..', '.shared', 'site.yaml'), site);
  expect(await run(['set', 'sites/lyra', 'web=https://y.org'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('[edit-link]'),
  });
  expect(readFileSync(site, 'utf8')).toContain('https://x.org');
});

test('rename keeps the modes of the files', async () => {
  const { registry, run } = testbed();
  const files = (uid: string) => [siteFile(uid), siteFile(uid).replace('site.yaml', 'clusters/main/cluster.yaml')];
  for (const file of files('lyra')) chmodSync(join(registry, file), 0o600);
  expect(await run(['rename', 'sites/lyra', 'deneb'])).toMatchObject({ status: 0 });
  expect(files('deneb').map((file) => statSync(join(registry, file)).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('record takes the successors of a command that was killed before it recorded', async () => {
  const args = ['rename', 'sites/lyra', 'deneb'];
  const whole = testbed();
  await whole.run(args);
  const bed = await killedWhen(({ changed }) => changed().length === whole.changed().length, args);
  expect(await bed.run(['record', '-m', 'Mine', '--author', 'Ada Brown'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('succeeded by deneb'),
  });
});

test('record accepts a successor that the killed command had stated in another form', async () => {
  const args = ['rename', 'sites/lyra', 'deneb'];
  const whole = testbed();
  await whole.run(args);
  const bed = await killedWhen(({ changed }) => changed().length === whole.changed().length, args);
  const record = ['record', '-m', 'Mine', '--author', 'Ada Brown', '--successor', 'sites/lyra=sites/deneb'];
  expect(await bed.run(record)).toMatchObject({ status: 0, stdout: expect.stringContaining('succeeded by deneb') });
});

test('no file outside the registry is changed through links', async () => {
  const args = ['retire', 'sites/lyra'];
  const { registry, run } = await killedWhen((bed) => bed.changed().length === 1, args);
  const [folder, outside] = [dirname(join(registry, nodes[0] ?? '')), newFolder()];
  cpSync(folder, outside, { recursive: true });
  const before = folderContents(outside);
  rmSync(folder, { recursive: true });
  symlinkSync(outside, folder);
  expect((await run(['set', 'sites/vega', 'web=https://x.org'])).stderr).toContain('[edit-stays]');
  expect((await run(['set', 'sites/vega', 'web=https://x.org'])).stderr).toContain('[symlink-outside]');
  expect(folderContents(outside)).toEqual(before);
});

test('a change that fails leaves all files as they were', async () => {
  const whole = testbed();
  await whole.run(['rename', 'sites/lyra', 'deneb']);
  const renames = whole.changed().length;
  // The first renames are those of the lock and of the plan. The last one is that of the revision.
  for (const rename of [3, renames / 2, renames + 2, renames + 3]) {
    const { run, changed, left, hasPlan, registry } = testbed();
    const { status, stderr } = await run(['rename', 'sites/lyra', 'deneb', ...RECORDED], {
      FAIL_AT: String(rename),
      NODE_OPTIONS: `--import ${PRELOAD}`,
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('the disk is full. [write-failed]')]);
    expect(stderr).toContain('All files are as they were before. [edit-undone]');
    expect([changed(), left(), hasPlan()]).toEqual([[], [], false]);
    expect(existsSync(join(registry, 'sites', 'deneb'))).toBe(false);
  }
});

test('if the old files cannot be restored, the message says so and the next command restores them', async () => {
  const { run, changed, left } = testbed();
  const { status, stderr } = await run([...SET, ...RECORDED], { FAIL_AFTER: '3', NODE_OPTIONS: `--import ${PRELOAD}` });
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`1 file could not be restored: ${nodes[0]}. [edit-half]`),
  ]);
  expect(stderr).not.toContain('unchanged');
  expect(changed()).toEqual([nodes[0]]);
  await run(['set', 'sites/lyra', 'web=https://x.org']);
  expect(changed()).toEqual([siteFile('lyra')]);
  expect(left()).toEqual([]);
});

test.each([
  [['rename', 'sites/lyra/clusters/main', 'other'], '[cluster-count]'],
  [['retire', 'sites/lyra/clusters/main'], '[cluster-count]'],
  [['add', 'site', 'LYRA'], '[uid-case-collision]'],
])('%j, makes the registry invalid, so it is not made, and --dry-run fails alike', async (args, code) => {
  const { run, changed } = testbed();
  const result = await run(args);
  expect(result).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(code) });
  expect(result.stderr).toContain('All files are as they were before. [edit-undone]');
  expect(changed()).toEqual([]);
  expect(await run([...args, '--dry-run'])).toEqual(result);
  expect(changed()).toEqual([]);
});
