/** Symbolic links in a registry. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resourceAt } from '../../../src/core/model/state.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { log } from '../../../src/features/revisions/log.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { NODE, NODE_UID, registryOf, type TestRegistry } from '../../support/registries/registry.ts';

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

test('check ignores the links of Emacs to files with unsaved changes', () => {
  const given = registryOf();
  given.record('First');
  symlinkSync('ada@host.example.org.1234:1796010752', join(given.registry, 'sites/lyra/.#site.yaml'));
  expect(given.findings()).toBe('');
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

describe('a link to a place outside the registry', () => {
  /** Moves a file or folder of a recorded registry out of the registry, and puts a link in its place. */
  function moved(fileOf: (last: string) => string) {
    const given = registryOf();
    given.record('First');
    given.write({ 'sites/lyra/site.yaml': 'type: site\nuid: lyra\nname: Vega\nsite_class: baremetal\n' });
    const file = fileOf(given.record('Second').file);
    renameSync(join(given.registry, file), join(given.folder, 'outside'));
    symlinkSync(join(given.folder, 'outside'), join(given.registry, file));
    const locking = () => lock({ nodes: [NODE_UID], from: given.registry, timeout: 1, maxRequests: 1 });
    const error = `registry-data/${file}: error: The symbolic link points outside the folder that is read, to outside. [symlink-outside]
  Replace the link with the file itself.
`;
    return { ...given, locking, error };
  }

  test.each([
    ['a revision', (last: string) => last],
    ['the history', () => 'history'],
  ])('in place of %s is not followed', async (_, fileOf) => {
    const { registry, failure, locking, error } = moved(fileOf);
    expect(await failure(() => log({ registry }))).toBe(error);
    expect(await failure(locking)).toBe(error);
  });

  test('in place of a locked node is not followed', async () => {
    const { failure, locking, error } = moved(() => NODE);
    expect(await failure(locking)).toBe(error);
  });
});
