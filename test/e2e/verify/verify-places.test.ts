/** What `verify` and `apply` say of files and folders that are something else than what they take. */
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { registryOf } from '../../support/registries/registry.ts';
import { archived, unpacked } from '../../support/trees/archived.ts';

let folder: string;
/** An archive and a bundle of the same registry. */
let tar: string;
let carried: string;

beforeAll(async () => {
  folder = newFolder();
  const { registry, record } = registryOf({}, newFolder());
  record('First');
  const { archives, out } = await archived(registry);
  tar = join(out, archives[0]?.tar.file ?? '');
  const tree = join(newFolder(), 'dist');
  await build({ registry, out: tree, showsProgress: false });
  carried = join(newFolder(), 'x.bundle');
  await bundle({ registry, tree, out: carried, showsProgress: false });
});

const run = (...args: string[]) => gridpress(args, { cwd: folder });
const refused = (stderr: string) => ({ status: 2, stdout: '', stderr });
const NO_KIND = (file: string) =>
  refused(`error: ${file} is neither an archive nor a bundle of gridpress. [file-of-no-kind]
  Name a file that "gridpress archive" or "gridpress bundle" made, or the folder or the URL of a tree.
`);
const IS_ARCHIVE = (file: string) =>
  refused(`error: ${file} is an archive, and no bundle. [bundle-is-archive]
  Unpack it with "tar -xf ${file}"; the tree is in its folder data/tree: "gridpress publish" puts it anywhere.
`);

describe('a file of another kind', () => {
  test.each([
    ['gridpress.yaml', Buffer.from('cluster_uid: main\n')],
    ['empty', Buffer.alloc(0)],
    ['empty.tar', Buffer.alloc(0)],
    ['empty.tar.gz', Buffer.alloc(0)],
    ['notes.tar', Buffer.from('no tar')],
    ['notes.gz', gzipSync('no tar')],
    ['zeros', Buffer.alloc(2048)],
  ])('is told to be neither an archive nor a bundle: %s', async (file, bytes) => {
    writeFileSync(join(folder, file), bytes);
    expect(await run('verify', file)).toEqual(NO_KIND(file));
    expect(await run('apply', file, 'mirror')).toEqual(NO_KIND(file));
    expect(existsSync(join(folder, 'mirror'))).toBe(false);
  });
});

describe('of several places', () => {
  test('each is told of, though one of them is none', async () => {
    writeFileSync(join(folder, 'notes'), 'no tree');
    const whole = (await run('verify', carried)).stdout;
    expect(whole).toMatch(/ is whole: /);
    const { stdout, stderr, status } = await run('verify', carried, 'notes', 'nowhere', carried);
    expect({ stdout, status }).toEqual({ stdout: whole + whole, status: 2 });
    expect(stderr).toBe(
      `${NO_KIND('notes').stderr}error: There is no tree at nowhere. [no-tree]\n  Make one: gridpress build.\n`,
    );
    const { places } = JSON.parse((await run('verify', 'notes', carried, '--json')).stdout);
    expect(places).toMatchObject([
      { place: 'notes', findings: [{ code: 'file-of-no-kind' }] },
      { place: carried, findings: [] },
    ]);
  });
});

describe('an archive', () => {
  test('is known to apply, which says what to do', async () => {
    for (const [from, file] of [
      [tar, 'x.tar'],
      [`${tar}.gz`, 'x.tar.gz'],
      [tar, 'x.bundle'],
    ] as const) {
      cpSync(from, join(folder, file));
      expect(await run('apply', file, 'mirror')).toEqual(IS_ARCHIVE(file));
    }
    expect(readdirSync(folder)).not.toContain('mirror');
  });

  test('is verified under any name, as a bundle is', async () => {
    for (const [from, file] of [
      [tar, 'saved'],
      [`${tar}.gz`, 'saved.tgz'],
      [carried, 'carried.tar'],
    ] as const) {
      cpSync(from, join(folder, file));
      const { status, stdout, stderr } = await run('verify', file);
      expect([file, status, stderr]).toEqual([file, 0, '']);
      expect(stdout).toContain(`${file} is whole: `);
    }
  });

  test('that is unpacked leads to the tree in it', async () => {
    cpSync(unpacked(tar), join(folder, 'bag'), { recursive: true });
    expect(await run('verify', 'bag')).toEqual(
      refused(`error: bag is an unpacked archive; the tree is in bag/data/tree. [archive-unpacked]
  gridpress verify bag/data/tree verifies it, and "sha256sum -c manifest-sha256.txt" in bag what is beside it.
`),
    );
    expect(await run('verify', 'bag/data/tree')).toMatchObject({ status: 0, stderr: '' });
  });
});

test.each(['ftp://x/', 'file:///srv/api', 's3://bucket/api'])('%s is told to be no URL for it', async (url) => {
  expect(await run('verify', url)).toEqual(
    refused(`error: "${url}" is not an HTTP URL. [bad-url]
  Write it like https://api.example.org/ or http://127.0.0.1:8080/v1.
`),
  );
});

test('the help names all that can be verified', async () => {
  const { stdout } = await run('help', 'verify');
  expect(stdout.replace(/\s+/g, ' ')).toContain('folders of trees, archives (.tar, .tar.gz), bundles, or base URLs');
  expect(stdout).toContain('  $ gridpress verify dist mirror.bundle\n');
});
