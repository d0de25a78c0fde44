/** Output folders that cannot or must not be written. Existing files stay unchanged. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { FILLER, fillUp, needsSmallDisk, smallDisk } from '../../support/processes/small-disk.ts';
import { NODE, NODE_UID, registryOf, type TestRegistry } from '../../support/registries/registry.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

/** A valid registry, and a function that builds it and returns the message. */
function recorded() {
  const given = registryOf();
  given.record('First');
  const out = (name: string) => join(given.folder, name);
  const told = (name: string) => given.failure(() => buildInto(given, out(name)));
  return { ...given, out, told };
}

function buildInto({ registry }: TestRegistry, out: string) {
  return build({ registry, out, showsProgress: false });
}

/** Removes permissions from a folder until the end of the test. */
function forbid(folder: string, mode: number): void {
  chmodSync(folder, mode);
  onTestFinished(() => chmodSync(folder, 0o755));
}

const ELSEWHERE = 'Name another folder.';
const CHECK = 'Check its permissions, or name another folder.';

describe('build rejects an output that is', () => {
  test('a file', async () => {
    const { out, told } = recorded();
    writeFileSync(out('dist'), 'mine');
    expect(await told('dist')).toBe(`error: dist is a file, not a folder. [output-is-file]\n  ${ELSEWHERE}\n`);
    expect(readFileSync(out('dist'), 'utf8')).toBe('mine');
  });

  test('a symbolic link to a file', async () => {
    const { out, told } = recorded();
    symlinkSync('gridpress.yaml', out('dist'));
    expect(await told('dist')).toBe(`error: dist is a file, not a folder. [output-is-file]\n  ${ELSEWHERE}\n`);
  });

  test('a symbolic link without a target', async () => {
    const { out, told } = recorded();
    symlinkSync('nowhere', out('dist'));
    expect(await told('dist')).toBe(
      `error: dist cannot be written: it is a broken symbolic link. [output-not-writable]\n  ${CHECK}\n`,
    );
  });

  test('below a file', async () => {
    const { told } = recorded();
    expect(await told('gridpress.yaml/dist')).toBe(
      `error: gridpress.yaml/dist cannot be written: a part of the path is not a folder. [output-not-writable]\n  ${CHECK}\n`,
    );
  });

  test('in a folder without write permission', async () => {
    const { folder, told, out } = recorded();
    chmodSync(folder, 0o755);
    mkdirSync(out('theirs'));
    forbid(out('theirs'), 0o555);
    expect(await asOrdinaryUser(() => told('theirs/dist'))).toBe(
      `error: theirs cannot be written: permission denied. [output-not-writable]\n  ${CHECK}\n`,
    );
    expect(readdirSync(out('theirs'))).toEqual([]);
  });

  test('in a folder without read permission', async () => {
    const { folder, told, out } = recorded();
    chmodSync(folder, 0o755);
    mkdirSync(out('theirs'));
    forbid(out('theirs'), 0o000);
    expect(await asOrdinaryUser(() => told('theirs/dist'))).toBe(
      `error: theirs/dist cannot be written: permission denied. [output-not-writable]\n  ${CHECK}\n`,
    );
  });

  test('with the lock of an ended command of another user', async () => {
    const { folder, told, out } = recorded();
    chmodSync(folder, 0o777);
    const lock = out('.dist.gridpress');
    mkdirSync(lock);
    writeFileSync(join(lock, 'owner-999999999'), '');
    forbid(lock, 0o555);
    expect(await asOrdinaryUser(() => told('dist'))).toBe(
      `error: .dist.gridpress cannot be written: permission denied. [output-not-writable]\n  ${CHECK}\n`,
    );
  });

  test.skipIf(!existsSync('/proc/self'))('in a folder of the system', async () => {
    const given = recorded();
    expect(await given.failure(() => buildInto(given, '/proc/gridpress/dist'))).toBe(
      `error: /proc/gridpress cannot be written: no such file or folder. [output-not-writable]\n  ${CHECK}\n`,
    );
  });

  test.each([
    ['in the registry', 'registry-data/dist'],
    ['the registry', 'registry-data'],
    ['in the registry, through a symbolic link', 'link/dist'],
  ])('%s', async (_, name) => {
    const { out, told, registry } = recorded();
    symlinkSync('registry-data', out('link'));
    const before = folderContents(registry);
    expect(await told(name)).toBe(
      `error: The output ${name} and the registry registry-data overlap. [output-in-registry]\n  Name a folder outside the registry.\n`,
    );
    expect(folderContents(registry)).toEqual(before);
  });

  test('a parent of the registry', async () => {
    const given = recorded();
    expect(await given.failure(() => buildInto(given, given.folder))).toBe(
      `error: The output ${given.folder} and the registry registry-data overlap. [output-in-registry]\n  Name a folder outside the registry.\n`,
    );
  });

  test.each([
    ['a folder with foreign files', 'notes.txt', 'mine'],
    ['a folder of another program', '_manifest.json', '{"name": "app", "documents": []}'],
    ['a folder with only a hidden file', '.keep', ''],
  ])('%s', async (_, file, content) => {
    const { out, told } = recorded();
    mkdirSync(out('dist'));
    writeFileSync(out(`dist/${file}`), content);
    expect(await told('dist')).toBe(
      'error: dist was not written by gridpress: it is not empty and has no _manifest.json of gridpress. [output-not-ours]\n  Name another folder, or empty this one yourself.\n',
    );
    expect(folderContents(out('dist'))).toEqual({ [file]: content });
  });
});

test('build accepts an existing empty folder', async () => {
  const { out, told } = recorded();
  mkdirSync(out('dist'));
  expect(await told('dist')).toBe('');
  expect(existsSync(out('dist/index.json'))).toBe(true);
});

test('build keeps foreign files in its tree', async () => {
  const given = recorded();
  expect(await given.told('dist')).toBe('');
  const others = new Map([
    ['CNAME', 'api.example.org'],
    ['.git/config', '[core]'],
    ['.well-known/data.json', '{}'],
    ['sites/lyra/notes.txt', 'mine'],
    ['sites/lyra/README.md', '# Hardware of our rack'],
    ['docs/admin.md.gz', 'mine'],
    ['docs.md', '# How we install a node'],
    ['sites/lyra/photos/rack.png', 'png'],
  ]);
  for (const [file, content] of others) {
    mkdirSync(join(given.out('dist'), file, '..'), { recursive: true });
    writeFileSync(given.out(`dist/${file}`), content);
  }
  given.write({ 'sites/lyra/flavors/m1.yaml': 'type: flavor\nuid: m1\n' });
  given.record('Second');
  expect(await given.told('dist')).toBe('');
  const files = folderContents(given.out('dist'));
  expect(Object.keys(files)).toContain('sites/lyra/flavors/m1.json');
  for (const [file, content] of others) expect([file, files[file]]).toEqual([file, content]);
  expect(readdirSync(given.folder).sort()).toEqual(['dist', 'gridpress.yaml', 'registry-data']);
});

const disk = needsSmallDisk();
describe.skipIf(disk.isMissing)(`a small disk${disk.because}`, () => {
  test('that is full gives a finding, and the old tree stays unchanged', async () => {
    const given = recorded();
    const disk = smallDisk(4096);
    const out = join(disk, 'dist');
    expect(await given.failure(() => buildInto(given, out))).toBe('');
    const before = folderContents(out);
    fillUp(disk, 128);
    given.write({ [NODE]: `type: node\nuid: ${NODE_UID}\nnote: ${'x'.repeat(1 << 20)}\n` });
    given.record('Second');
    expect(await given.failure(() => buildInto(given, out))).toBe(
      'error: deep.json cannot be written: the disk is full. [write-failed]\n  The existing files are unchanged. Correct the cause, and run the command again.\n',
    );
    expect(folderContents(out)).toEqual(before);
    expect(readdirSync(disk)).toEqual(['dist', FILLER]);
  });

  test('cannot itself be the output, because it cannot be swapped', async () => {
    const given = recorded();
    const out = smallDisk(1024);
    expect((await given.failure(() => buildInto(given, out))).replaceAll(out, 'OUT')).toBe(
      'error: OUT cannot be written: it is in use, or another file system is mounted there. [write-failed]\n  The existing files are unchanged. Correct the cause, and run the command again.\n',
    );
    expect(readdirSync(out)).toEqual([]);
    expect(readdirSync(join(out, '..')).filter((name) => name.includes(basename(out)))).toEqual([basename(out)]);
  });

  test('stops a build wherever it is full, and no partial tree is left', async () => {
    const given = recorded();
    const disk = smallDisk(4096);
    const out = join(disk, 'dist');
    expect(await given.failure(() => buildInto(given, out))).toBe('');
    const before = folderContents(out);
    given.write({ [NODE]: `type: node\nuid: ${NODE_UID}\nnode_name: lyra-2\n` });
    given.record('Second');
    const told = new Set<string>();
    let isDone = false;
    for (let free = 0; !isDone; free += 12) {
      fillUp(disk, free);
      const message = await given.failure(() => buildInto(given, out));
      rmSync(join(disk, FILLER));
      isDone = message === '';
      if (!isDone) expect(folderContents(out)).toEqual(before);
      told.add(message.replace(/(error: Writing|error:) \S+/, '$1 FILE'));
    }
    const { documents } = JSON.parse(readFileSync(join(out, '_manifest.json'), 'utf8'));
    for (const { file } of documents) expect(existsSync(join(out, file))).toBe(true);
    expect(told).toEqual(
      new Set([
        'error: FILE cannot be written: the disk is full. [write-failed]\n  The existing files are unchanged. Correct the cause, and run the command again.\n',
        '',
      ]),
    );
  });

  test('leaves no partial revision', async () => {
    const given = registryOf({}, smallDisk(128));
    given.write({ '../filler': 'x'.repeat(90 << 10) });
    const told = await given.failure(() => given.record(`First\n${'x'.repeat(32 << 10)}`));
    expect(told.replace(/0001-[0-9a-f]{8}/, '0001-ID')).toBe(
      'error: registry-data/history/000001-ID.yaml cannot be written: the disk is full. [write-failed]\n  The existing files are unchanged. Correct the cause, and run the command again.\n',
    );
    const history = join(given.registry, 'history');
    expect(existsSync(history) ? readdirSync(history) : []).toEqual([]);
  });
});
