/** `verify` and `apply` with files and folders of the wrong kind. */
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
  Name a file that "gridpress archive" or "gridpress bundle" wrote, or the folder or the URL of a tree.
`);
const IS_ARCHIVE = (file: string) =>
  refused(`error: ${file} is an archive, not a bundle. [bundle-is-archive]
  Unpack it with "tar -xf ${file}". Its folder data/tree contains the tree, which "gridpress publish" can publish.
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
  ])('is reported as neither an archive nor a bundle: %s', async (file, bytes) => {
    writeFileSync(join(folder, file), bytes);
    expect(await run('verify', file)).toEqual(NO_KIND(file));
    expect(await run('apply', file, 'mirror')).toEqual(NO_KIND(file));
    expect(existsSync(join(folder, 'mirror'))).toBe(false);
  });
});

describe('verify with several places', () => {
  test('reports each place, even if one is invalid', async () => {
    writeFileSync(join(folder, 'notes'), 'no tree');
    const whole = (await run('verify', carried)).stdout;
    expect(whole).toMatch(/ is complete and unaltered: /);
    const { stdout, stderr, status } = await run('verify', carried, 'notes', 'nowhere', carried);
    expect({ stdout, status }).toEqual({ stdout: whole + whole, status: 2 });
    expect(stderr).toBe(
      `${NO_KIND('notes').stderr}error: There is no tree at nowhere. [no-tree]\n  Build one: gridpress build.\n`,
    );
    const { places } = JSON.parse((await run('verify', 'notes', carried, '--json')).stdout);
    expect(places).toMatchObject([
      { place: 'notes', findings: [{ code: 'file-of-no-kind' }] },
      { place: carried, findings: [] },
    ]);
  });
});

describe('an archive', () => {
  test('is rejected by apply with a remedy', async () => {
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

  test('is verified under any name, like a bundle', async () => {
    for (const [from, file] of [
      [tar, 'saved'],
      [`${tar}.gz`, 'saved.tgz'],
      [carried, 'carried.tar'],
    ] as const) {
      cpSync(from, join(folder, file));
      const { status, stdout, stderr } = await run('verify', file);
      expect([file, status, stderr]).toEqual([file, 0, '']);
      expect(stdout).toContain(`${file} is complete and unaltered: `);
    }
  });

  test('that is unpacked is rejected, and the message names the tree inside it', async () => {
    cpSync(unpacked(tar), join(folder, 'bag'), { recursive: true });
    expect(await run('verify', 'bag')).toEqual(
      refused(`error: bag is an unpacked archive. Its tree is in bag/data/tree. [archive-unpacked]
  Verify the tree with "gridpress verify bag/data/tree", and the other files with "sha256sum -c manifest-sha256.txt" in bag.
`),
    );
    expect(await run('verify', 'bag/data/tree')).toMatchObject({ status: 0, stderr: '' });
  });
});

test.each(['ftp://x/', 'file:///srv/api', 's3://bucket/api'])('verify rejects the URL %s', async (url) => {
  expect(await run('verify', url)).toEqual(
    refused(`error: "${url}" is not an HTTP URL. [bad-url]
  Use the form https://api.example.org/ or http://127.0.0.1:8080/v1.
`),
  );
});

test('the help lists everything that can be verified', async () => {
  const { stdout } = await run('help', 'verify');
  expect(stdout.replace(/\s+/g, ' ')).toContain('folders of trees, archives (.tar, .tar.gz), bundles, or base URLs');
  expect(stdout).toContain('  $ gridpress verify dist mirror.bundle\n');
});
