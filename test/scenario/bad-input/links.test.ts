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

test('a link to a file outside the registry is not followed', () => {
  const given = withLink('../../../../secret.yaml', 'sites/lyra/flavors/m2.yaml');
  expect(
    given.findings(),
  ).toBe(`registry-data/sites/lyra/flavors/m2.yaml: error: The symbolic link leads out of the registry, to secret.yaml. [symlink-outside]
  Replace it by the file itself.
`);
  expect(resourceAt(loadSources({ registry: given.registry }).worktree, 'sites/lyra/flavors/m2')).toBeUndefined();
});

test('a link to a folder outside the registry is not followed', () => {
  expect(
    withLink('../../elsewhere', 'sites/vega').findings(),
  ).toBe(`registry-data/sites/vega: error: The symbolic link leads out of the registry, to elsewhere. [symlink-outside]
  Replace it by the file itself.
`);
});

test('a link to another folder of the registry is told of, not passed over', () => {
  expect(
    withLink('lyra', 'sites/vega').findings(),
  ).toBe(`registry-data/sites/vega: error: The symbolic link leads to a folder, registry-data/sites/lyra; only links to files are followed. [symlink-to-folder]
  Replace it by the folder itself.
`);
});

test.each(['nowhere.yaml', 'loop.yaml'])('a link to %s', (target) => {
  expect(
    withLink(target, 'loop.yaml').findings(),
  ).toBe(`registry-data/loop.yaml: error: The symbolic link leads nowhere. [link-broken]
  Remove it, or restore its target.
`);
});

test('a link to a file of the registry is followed', () => {
  const given = withLink('m1.yaml', 'sites/lyra/flavors/m2.yaml');
  expect(
    given.findings(),
  ).toBe(`registry-data/sites/lyra/flavors/m2.yaml:2:6: error: The uid "m1" is there twice: also in registry-data/sites/lyra/flavors/m1.yaml. [uid-twice]
  1 | type: flavor
> 2 | uid: m1
    |      ^
  Write "uid: m2", which is what the file's place says, or remove one of the two.
`);
});
