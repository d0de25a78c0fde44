/** Tests how commands find the project, the tree and the resource when arguments omit them or match several. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress, startServer } from '../../support/processes/cli.ts';
import { nodeFile, nodeText, nodeUid, writeTestbed } from '../../support/registries/testbed.ts';

let folder: string;
beforeAll(async () => {
  folder = newFolder();
  writeTestbed(folder);
  await gridpress(['build', '--snapshots', 'none'], { cwd: folder });
});

const IN_ORDER = { status: 0, stdout: 'No errors: 8 resources, 14 revisions.\n', stderr: '' };

describe('commands use the project of the nearest parent folder', () => {
  test.each(['registry-data', 'registry-data/sites/lyra', 'dist', 'schemas/deeper'])('%s', async (below) => {
    const cwd = join(folder, below);
    mkdirSync(cwd, { recursive: true });
    expect(await gridpress(['check'], { cwd })).toEqual(IN_ORDER);
    expect((await gridpress(['show', 'node-1'], { cwd })).status).toBe(0);
    expect(await gridpress(['build', '--snapshots', 'none'], { cwd })).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
    expect((await gridpress(['verify'], { cwd })).stdout).toContain('dist is complete and unaltered: ');
    const server = await startServer(['serve'], { cwd });
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(200);
    await server.stop();
  });

  test('archive', async () => {
    for (const below of ['registry-data/sites/lyra', 'dist'])
      expect(await gridpress(['archive'], { cwd: join(folder, below) })).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(folder, 'archives', 'archives.json'))).toBe(true);
  });

  test('paths in arguments are relative to the working directory', async () => {
    const cwd = join(folder, 'registry-data');
    expect(await gridpress(['check', '--registry', '.'], { cwd })).toEqual(IN_ORDER);
    expect((await gridpress(['check', '--registry', 'registry-data'], { cwd })).stderr).toBe(
      'error: There is no registry at "registry-data". [no-registry]\n  Name one with --registry, or create one with "gridpress init" or "gridpress import".\n',
    );
  });

  test('-C sets the working directory', async () => {
    const cwd = newFolder();
    for (const call of [
      ['-C', folder, 'check'],
      ['check', '-C', folder],
      ['-C', join(folder, 'dist'), 'check'],
    ])
      expect(await gridpress(call, { cwd })).toEqual(IN_ORDER);
    expect(await gridpress(['-C', 'nowhere', 'check'], { cwd })).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'error: Cannot change to the folder nowhere: no such file or folder. [no-folder]\n  Name the folder of a project with -C.\n',
    });
  });

  test('a deleted working directory is reported', () => {
    const call = 'cd "$1" && rmdir "$1" && exec "$2" "$3" check';
    const { status, stderr } = spawnSync('sh', ['-c', call, 'sh', newFolder(), process.execPath, CLI]);
    expect({ status, stderr: String(stderr) }).toEqual({
      status: 2,
      stderr:
        'error: Cannot change to the folder .: it was deleted. [no-folder]\n  Name the folder of a project with -C.\n',
    });
  });
});

test('diff without arguments compares the head with the files', async () => {
  const other = newFolder();
  writeTestbed(other);
  expect((await gridpress(['diff'], { cwd: other })).status).toBe(0);
  writeFileSync(join(other, 'registry-data', nodeFile('lyra', 1)), nodeText(1, 'bios:\n  version: "2"\n'));
  const { status, stdout } = await gridpress(['diff'], { cwd: other });
  expect(status).toBe(1);
  expect(stdout).toContain(`nodes/${nodeUid(1)} (firmware)\n    bios.version  "1.10" -> "2"  firmware\n`);
  expect(await gridpress(['diff', 'head', 'worktree'], { cwd: other })).toEqual({ status, stdout, stderr: '' });
});

test('verify checks every place in its arguments', async () => {
  const bundle = join(newFolder(), 'mirror.bundle');
  await gridpress(['bundle', '-o', bundle], { cwd: folder });
  const broken = newFolder();
  await gridpress(['build', '--out', join(broken, 'tree')], { cwd: folder });
  writeFileSync(join(broken, 'tree/extra.json'), '{}');
  const all = ['verify', 'dist', bundle, join(broken, 'tree')];
  const { status, stdout, stderr } = await gridpress(all, { cwd: folder });
  expect(status).toBe(1);
  expect(stdout.split('\n').map((line) => line.split(': ')[0])).toEqual([
    ...['dist is complete and unaltered', `${bundle} is complete and unaltered`, join(broken, 'tree'), ''],
  ]);
  expect(stderr).toContain('extra.json');
  const { ok, places, findings } = JSON.parse((await gridpress([...all, '--json'], { cwd: folder })).stdout);
  expect([ok, places.length, findings.length]).toEqual([false, 3, 1]);
  expect(places.map((each: { findings: unknown[] }) => each.findings.length)).toEqual([0, 0, 1]);
});

test('an ambiguous name is reported with all its resources', async () => {
  const other = newFolder();
  writeTestbed(other);
  writeFileSync(join(other, 'registry-data', nodeFile('lyra', 3)), nodeText(3).replace('node-3', 'node-1'));
  await gridpress(['record', '-m', 'Double', '--author', 'Ada Brown'], { cwd: other });
  const path = (n: number) => nodeFile('lyra', n).replace('.yaml', '');
  expect(await gridpress(['show', 'node-1'], { cwd: other })).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: "node-1" names several resources. [several-resources]\n  Name one of them by its path: ${path(1)} or ${path(3)}.\n`,
  });
});
