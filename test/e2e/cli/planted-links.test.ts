/**
 * Folders and links that a clone can contain in the places of temporary files: no command writes or deletes anything
 * outside of the project.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, SITE, SITE_BODY, SITE_FILE } from '../../support/registries/imported.ts';
import { registryOf } from '../../support/registries/registry.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const PLACES = ['.gridpress', '.dist.gridpress', '.registry-data.gridpress', '.dist.gridpress-trees'];
const IN_HISTORY = 'registry-data/.history.gridpress';

const COMMANDS = [
  ['check'],
  ['build'],
  ['verify'],
  ['add', 'node', '--names', 'lyra-2', '-m', 'Grow', '--author', 'Ada Brown'],
  ['bundle', '-o', 'x.bundle'],
  ['archive', '--out', 'archives'],
] as const;

const LINKS: readonly (readonly [string, (place: string, outside: string) => void])[] = [
  ['links', (place, outside) => symlinkSync(outside, place)],
  ...['next', 'old', 'beside', 'whole', 'copy', 'owner-1'].map(
    (name) =>
      [
        `folders with a link "${name}"`,
        (place: string, outside: string) => {
          mkdirSync(place);
          symlinkSync(outside, join(place, name));
        },
      ] as const,
  ),
];

test.each(LINKS)('%s in the places of temporary folders lead nowhere', async (_, plant) => {
  const { folder, record } = registryOf({}, newFolder());
  record('First');
  const outside = newFolder();
  mkdirSync(join(outside, '1'));
  writeFileSync(join(outside, '1', 'file'), 'x');
  const names = () => Object.keys(folderContents(outside)).sort().slice(0, 5);
  for (const place of [...PLACES, IN_HISTORY]) plant(join(folder, place), outside);
  for (const command of COMMANDS) {
    const { stderr } = await gridpress(command, { cwd: folder });
    expect(stderr).not.toContain('has a bug');
    expect({ command, names: names() }).toEqual({ command, names: ['1/file'] });
  }
  for (const place of PLACES) rmSync(join(folder, place), { recursive: true, force: true });
});

test('a link in the place of the journal of an edit leads nowhere', async () => {
  const { folder, record } = registryOf({}, newFolder());
  record('First');
  const outside = newFolder();
  writeFileSync(join(outside, 'begun'), '');
  symlinkSync(outside, join(folder, 'registry-data', '.edit.gridpress'));
  const { status, stderr } = await gridpress(['set', 'lyra-1', 'placement.rack=4'], { cwd: folder });
  expect({ status, stderr, outside: folderContents(outside) }).toEqual({
    status: 0,
    stderr: '',
    outside: { begun: '' },
  });
});

test.each([
  ['a symbolic link', '.dist.gridpress', ['build'], (place: string) => symlinkSync('/nonexistent', place)],
  ['a file', '.dist.gridpress', ['build'], (place: string) => writeFileSync(place, '')],
  ['a symbolic link', IN_HISTORY, ['retire', 'lyra-1'], (place: string) => symlinkSync('..', place)],
  ['a file', IN_HISTORY, ['record', '-m', 'Mine'], (place: string) => writeFileSync(place, '')],
] as const)('%s in the place of the lock %s is named by %s', async (what, place, command, plant) => {
  const { folder, record } = registryOf({}, newFolder());
  record('First');
  plant(join(folder, place));
  expect(await gridpress(command, { cwd: folder })).toEqual({
    status: 2,
    stdout: '',
    stderr: `${place}: error: ${what[0]?.toUpperCase()}${what.slice(1)} is in the place of the folder that gridpress uses as a lock. [lock-not-folder]\n  Nothing was written. Remove it.\n`,
  });
});

test.each(['registry-data', 'dist'])('old trees are not deleted through a link next to %s', async (name) => {
  const [folder, outside] = [newFolder(), newFolder()];
  for (const number of ['1', '7']) {
    mkdirSync(join(outside, number));
    writeFileSync(join(outside, number, 'file'), 'x');
  }
  mkdirSync(join(folder, `.${name}.gridpress`));
  symlinkSync(outside, join(folder, `.${name}.gridpress-trees`));
  symlinkSync(`.${name}.gridpress-trees/3`, join(folder, name));
  for (const command of ['check', 'build', 'verify'])
    expect((await gridpress([command], { cwd: folder })).status).toBe(2);
  expect(Object.keys(folderContents(outside)).sort()).toEqual(['1/file', '7/file']);
});

test.each(['whole', 'old'])('a folder "%s" in the place of a temporary folder replaces no file', async (name) => {
  const repository = gitRepository();
  repository.commit({ files: BASE });
  const folder = newFolder();
  const registry = join(folder, 'registry-data');
  const importAgain = () => gridpress(['import', repository.folder, '-o', 'registry-data'], { cwd: folder });
  expect((await importAgain()).status).toBe(0);
  const before = folderContents(registry);
  const plant = (lock: string) => {
    mkdirSync(join(folder, lock, name), { recursive: true });
    writeFileSync(join(folder, lock, name, 'x'), 'planted');
  };
  plant('.registry-data.gridpress');
  repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) } });
  expect((await importAgain()).status).toBe(0);
  expect(Object.keys(folderContents(registry))).toEqual(expect.arrayContaining(Object.keys(before)));
  plant(IN_HISTORY);
  const recorded = await gridpress(['set', SITE, 'description=New', '-m', 'x', '--author', 'Ada Brown'], {
    cwd: folder,
  });
  expect(recorded).toMatchObject({ status: 0 });
  expect((await gridpress(['log', '--json'], { cwd: folder })).stdout.match(/"id":/g)).toHaveLength(3);
});
