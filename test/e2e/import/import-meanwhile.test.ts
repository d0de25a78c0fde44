/** Changes a registry right before an import replaces it. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assertDefined } from '../../../src/core/platform/lookups.ts';
import { isTemporaryName } from '../../../src/system/files/folder-lock.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needsOverlay, overlayOn } from '../../support/processes/overlay.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, imported, SITE_BODY, SITE_FILE } from '../../support/registries/imported.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'change-before-rename.mjs');

/** A folder with an imported registry, and a repository that has one more commit. */
async function scene() {
  const repository = gitRepository();
  const folder = temporaryFolder();
  repository.commit({ files: BASE });
  await imported(repository.folder, {}, join(folder, 'registry-data'));
  repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) } });
  const importIn = (cwd: string, change?: string, renamed = 'registry-data') => {
    const changing = { NODE_OPTIONS: `--import ${PRELOAD}`, RENAMED: renamed, CHANGE: `cd '${cwd}' && ${change}` };
    const args = ['import', repository.folder, '-o', 'registry-data'];
    return gridpress(args, { cwd, ...(change === undefined ? {} : { env: changing }) });
  };
  return { folder, importIn };
}

function registryFiles(folder: string) {
  const files = Object.entries(folderContents(folder));
  return Object.fromEntries(files.filter(([file]) => !file.split('/').some(isTemporaryName)));
}

const changed = (files: string) => ({
  status: 2,
  stdout: '',
  stderr: `error: ${files} changed while the import ran. The registry was not changed. [import-changed]\n  Run the import again.\n`,
});

const GRID_YAML = 'registry-data/grid.yaml';

test.each([
  ['a new file', 'echo todo > registry-data/NEW.txt', 'registry-data/NEW.txt'],
  ['a new folder', 'mkdir registry-data/notes', 'registry-data/notes'],
  ['a deleted file', `rm ${GRID_YAML}`, GRID_YAML],
  ['a file that is edited in place', `echo "a: 1" >> ${GRID_YAML}`, GRID_YAML],
  ['another file of the same size and time', `cp -p ${GRID_YAML} grid && mv grid ${GRID_YAML}`, GRID_YAML],
])('an import keeps changes that are made while it runs: %s', async (_, change, files) => {
  const { folder, importIn } = await scene();
  expect(await importIn(folder, `${change} && cp -a registry-data expected`)).toEqual(changed(files));
  expect(registryFiles(join(folder, 'registry-data'))).toEqual(registryFiles(join(folder, 'expected')));
  expect(readdirSync(folder).filter(isTemporaryName)).toEqual([]);
});

test('an import keeps files that are not resources', async () => {
  const { folder, importIn } = await scene();
  cpSync(join(folder, GRID_YAML), join(folder, 'registry-data', 'notes', 'copy'));
  // Only Linux has names that are not UTF-8.
  const name = Buffer.from(process.platform === 'linux' ? '/registry-data/n-\xff' : '/registry-data/n', 'latin1');
  writeFileSync(Buffer.concat([Buffer.from(folder), name]), '');
  expect(await importIn(folder)).toMatchObject({ status: 0, stderr: '' });
  const names = readdirSync(join(folder, 'registry-data'), 'latin1').sort();
  expect(names).toEqual(['grid.yaml', 'history', expect.stringMatching(/^n/), 'notes', 'sites']);
});

const { isMissing, because } = needsOverlay();

test.skipIf(isMissing)(`the same in an overlay file system${because}`, async () => {
  const { folder: lower, importIn } = await scene();
  const { folder, remove } = assertDefined(overlayOn(lower));
  try {
    expect(await importIn(folder, 'echo todo > registry-data/NEW.txt')).toEqual(changed('registry-data/NEW.txt'));
    expect(registryFiles(join(folder, 'registry-data'))).toEqual({
      ...registryFiles(join(lower, 'registry-data')),
      'NEW.txt': 'todo\n',
    });
  } finally {
    remove();
  }
});

test.skipIf(isMissing)(`an import that is killed while it deletes the old folder is undone${because}`, async () => {
  const { folder: lower, importIn } = await scene();
  const { folder, remove } = assertDefined(overlayOn(lower));
  try {
    const half = 'mkdir registry-data && cp -a .registry-data.gridpress/whole/sites registry-data';
    expect(await importIn(folder, `${half} && kill -9 $PPID`, 'next')).toMatchObject({ status: null });
    expect(readdirSync(join(folder, 'registry-data'))).toEqual(['sites']);
    expect(await gridpress(['check'], { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
    expect(registryFiles(join(folder, 'registry-data'))).toEqual(registryFiles(join(lower, 'registry-data')));
  } finally {
    remove();
  }
});
