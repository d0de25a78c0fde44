/** A clone with Windows line endings gives the same bytes for trees and archives. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { archived, bytesIn } from '../../support/trees/archived.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

test('a clone with other line endings gives the same tree and archive', async () => {
  const given = registryOf({}, newFolder());
  given.record('First\n\nWith a body.');
  given.write({ [NODE]: `${given.read(NODE)}note: |\n  one\n  two\nquoted: "a\n\n  b"\n` });
  given.record('Second');
  const clone = newFolder();
  cpSync(given.folder, clone, { recursive: true });
  const files = Object.keys(folderContents(clone)).filter((file) => file.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(6);
  for (const file of files) {
    const path = join(clone, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
  }
  const trees = [given.folder, clone].map((folder) => ({
    registry: join(folder, 'registry-data'),
    out: join(newFolder(), 'api'),
  }));
  for (const { registry, out } of trees) {
    const checked = await gridpress(['check', '--registry', registry]);
    expect(checked.stdout + checked.stderr).toMatch(/^No errors: /);
    expect((await gridpress(['build', '--registry', registry, '--out', out])).status).toBe(0);
  }
  const [one, other] = trees.map(({ out }) => folderContents(out));
  expect(other).toEqual(one);
  const [first, second] = await Promise.all(trees.map(async ({ registry }) => bytesIn((await archived(registry)).out)));
  expect(second).toEqual(first);
});
