/** Symbolic links in a registry. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resourceAt } from '../../../src/core/model/state.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { registryOf, type TestRegistry } from '../../support/registries/registry.ts';

function withLink(target: string, link: string): TestRegistry {
  const given = registryOf({ 'sites/lyra/flavors/m1.yaml': 'type: flavor\nuid: m1\n' });
  writeFileSync(join(given.folder, 'secret.yaml'), 'type: flavor\nuid: m2\n');
  mkdirSync(join(given.folder, 'elsewhere'));
  symlinkSync(target, join(given.registry, link));
  return given;
}

test('check rejects a symbolic link to a file outside the registry', () => {
  const given = withLink('../../../../secret.yaml', 'sites/lyra/flavors/m2.yaml');
  expect(
    given.findings(),
  ).toBe(`registry-data/sites/lyra/flavors/m2.yaml: error: The symbolic link points outside the folder that is read, to secret.yaml. [symlink-outside]
  Replace the link with the file itself.
`);
  expect(resourceAt(loadSources({ registry: given.registry }).worktree, 'sites/lyra/flavors/m2')).toBeUndefined();
});

test('check rejects a symbolic link to a folder outside the registry', () => {
  expect(
    withLink('../../elsewhere', 'sites/vega').findings(),
  ).toBe(`registry-data/sites/vega: error: The symbolic link points outside the folder that is read, to elsewhere. [symlink-outside]
  Replace the link with the file itself.
`);
});

test('check reports a symbolic link to another folder of the registry', () => {
  expect(
    withLink('lyra', 'sites/vega').findings(),
  ).toBe(`registry-data/sites/vega: error: The symbolic link points to the folder registry-data/sites/lyra. gridpress follows only links to files. [symlink-to-folder]
  Replace the link with the folder itself.
`);
});

test.each(['nowhere.yaml', 'loop.yaml'])('check reports a symbolic link without a target: %s', (target) => {
  expect(
    withLink(target, 'loop.yaml').findings(),
  ).toBe(`registry-data/loop.yaml: error: The symbolic link points to a missing file. [link-broken]
  Remove the link, or restore its target.
`);
});

test('check follows a symbolic link to a file of the registry', () => {
  const given = withLink('m1.yaml', 'sites/lyra/flavors/m2.yaml');
  expect(
    given.findings(),
  ).toBe(`registry-data/sites/lyra/flavors/m2.yaml:2:6: error: The uid "m1" occurs twice. The other file is registry-data/sites/lyra/flavors/m1.yaml. [uid-twice]
  1 | type: flavor
> 2 | uid: m1
    |      ^
  Write "uid: m2" as the path of the file requires, or remove one of the two files.
`);
});
