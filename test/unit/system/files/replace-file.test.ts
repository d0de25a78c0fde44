import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
import { replaceFiles } from '../../../../src/system/files/replace-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The file `a` is also the folder of another file, so it cannot be put in its place. */
test.each([
  ['first', ['a', 'a/b', 'c'], true],
  ['second', ['c', 'a', 'a/b'], false],
])('if the %s rename fails, the message says whether the existing files are unchanged', (_, files, kept) => {
  const folder = temporaryFolder();
  replaceFiles(folder, new Map([['c', 'old']]));
  let caught: unknown;
  try {
    replaceFiles(folder, new Map(files.map((file) => [file, 'new'])));
  } catch (error) {
    caught = error;
  }
  expect(caught instanceof Failure && caught.findings[0]?.args).toMatchObject({ reason: 'it is a folder', kept });
  expect(readFileSync(join(folder, 'c'), 'utf8')).toBe(kept ? 'old' : 'new');
  expect(readdirSync(folder).sort()).toEqual(['a', 'c']);
});
