/** What a swap does to files of other programs in the replaced folder. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pruneTrees, treesOf } from '../../../../src/system/trees/output-place.ts';
import { closeStage, openStage, swap } from '../../../../src/system/trees/staging.ts';
import { newFolder } from '../../../support/folders.ts';
import { failureOf } from '../../../support/processes/failure.ts';
import { folderContents } from '../../../support/trees/folder-contents.ts';

/** Stages the files, calls `meanwhile`, and swaps. Returns the failure. */
async function replaced(out: string, files: Readonly<Record<string, string>>, meanwhile: () => void): Promise<string> {
  const stage = openStage(out);
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(stage.next, file, '..'), { recursive: true });
      writeFileSync(join(stage.next, file), text);
    }
    meanwhile();
    return await failureOf(() => swap(stage, false));
  } finally {
    closeStage(stage);
  }
}

test.each([
  ['a folder with files of a host', true],
  ['a new folder', false],
])('%s that gets other files during a build stays as it is', async (_, isThere) => {
  const out = join(newFolder(), 'site');
  if (isThere) {
    mkdirSync(out);
    writeFileSync(join(out, 'CNAME'), 'host');
  }
  const failure = await replaced(out, { 'index.json': '{}' }, () => {
    mkdirSync(join(out, 'data'), { recursive: true });
    writeFileSync(join(out, 'notes.txt'), 'precious');
    writeFileSync(join(out, 'data', 'x'), 'x');
  });
  expect(failure).toContain('[output-not-ours]');
  const own = isThere ? { CNAME: 'host' } : {};
  expect(folderContents(out)).toEqual({ ...own, 'notes.txt': 'precious', 'data/x': 'x' });
});

test('a folder of the operator is merged with a folder of the new tree', () => {
  const out = join(newFolder(), 'site');
  mkdirSync(join(out, '.github'), { recursive: true });
  writeFileSync(join(out, '.github', 'own'), 'own');
  writeFileSync(join(out, '.github', 'both'), 'old');
  const stage = openStage(out);
  mkdirSync(join(stage.next, '.github'));
  writeFileSync(join(stage.next, '.github', 'both'), 'new');
  swap(stage, false);
  closeStage(stage);
  expect(readFileSync(join(out, '.github', 'own'), 'utf8')).toBe('own');
  expect(readFileSync(join(out, '.github', 'both'), 'utf8')).toBe('new');
});

test('a replaced tree is deleted ten minutes after another tree replaced it', () => {
  const place = join(newFolder(), 'site');
  const hoursOld = { 1: 0, 2: 1, 3: 0, 4: 0 };
  for (const [number, hours] of Object.entries(hoursOld)) {
    const tree = join(treesOf(place), number);
    mkdirSync(tree, { recursive: true });
    const seconds = Date.now() / 1000 - hours * 3600;
    utimesSync(tree, seconds, seconds);
  }
  symlinkSync('.site.gridpress-trees/4', place);
  pruneTrees(place);
  // Tree 2 replaced tree 1 an hour ago, and tree 3 has just replaced tree 2.
  expect(readdirSync(treesOf(place))).toEqual(['2', '3', '4']);
});
