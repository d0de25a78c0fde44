/** Publishes to local folders over trees from different sources. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/core/model/digest.ts';
import { describeFolder, publishFolder } from '../../../src/features/publish/publish-folder.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { needs, unless } from '../../support/processes/programs.ts';
import type { Testbed } from '../../support/registries/testbed.ts';
import { rewrite } from '../../support/trees/altered-tree.ts';
import { builtTree, carriedTrees, inodeOf, treeState } from '../../support/trees/bundled.ts';
import { manifestOf } from '../../support/trees/served.ts';

let tree: string;
let older: string;
let before: string;
let testbed: Testbed;

beforeAll(async () => {
  ({ tree, older, before, testbed } = await carriedTrees());
});

const published = (destination: string, more = {}) =>
  publishFolder({ destination, tree, dryRun: false, older: false, showsProgress: false, ...more });

/** Returns the digest of each document and each other file of a tree by path. */
function digestsIn(folder: string): ReadonlyMap<string, string> {
  const { documents, files } = manifestOf(folder);
  return new Map(
    [...documents, ...files.map(({ file }) => ({ path: `/${file}`, file }))].map(({ path, file }) => [
      path,
      sha256(readFileSync(join(folder, file))),
    ]),
  );
}

/** Ways to copy a tree to its place. */
const WAYS: Readonly<Record<string, (folder: string) => void>> = {
  publish: (folder) => void published(folder, { tree: older }),
  'cp -r': (folder) => execFileSync('cp', ['-r', older, folder]),
  'cp -a': (folder) => execFileSync('cp', ['-a', older, folder]),
  'rsync -r': (folder) => execFileSync('rsync', ['-r', `${older}/`, folder]),
  'rsync -a': (folder) => execFileSync('rsync', ['-a', `${older}/`, folder]),
  'rsync -aH': (folder) => execFileSync('rsync', ['-aH', `${older}/`, folder]),
};

test('publishing after a change of the umask gives all files the same mode', () => {
  const folder = join(newFolder(), 'www');
  const mask = process.umask(0o077);
  try {
    published(folder, { tree: older });
  } finally {
    process.umask(mask);
  }
  published(folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => statSync(join(folder, name))).filter((status) => status.isFile());
  expect(new Set(files.map(({ mode }) => mode & 0o777))).toEqual(new Set([0o666 & ~mask]));
});

test.runIf(process.getuid?.() === 0)('publishing after a change of the group gives all files the new group', () => {
  const www = newFolder();
  const folder = join(www, 'api');
  published(folder, { tree: older });
  chownSync(www, 0, 12_345);
  chmodSync(www, 0o2755);
  published(folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(new Set(names.map((name) => statSync(join(folder, name)).gid))).toEqual(new Set([12_345]));
});

test('a linked tree of another user is replaced', async () => {
  const www = newFolder();
  const [folder, copy] = [join(www, 'api'), join(www, 'dist')];
  published(folder, { tree: older, isLinked: true });
  cpSync(tree, copy, { recursive: true, preserveTimestamps: true });
  for (const shared of [www, join(www, '.api.gridpress-trees')]) chmodSync(shared, 0o777);
  await asOrdinaryUser(() => published(folder, { tree: copy, isLinked: true }));
  expect(digestsIn(folder)).toEqual(digestsIn(tree));
});

describe('publishing over a tree that was copied by', () => {
  describe.each(Object.entries(WAYS))('%s', (way, bring) => {
    const { isMissing, because } = way.startsWith('rsync') ? needs('rsync') : needs();
    test.skipIf(isMissing)(`gives the same tree${because}`, () => {
      const folder = join(newFolder(), 'www');
      bring(folder);
      const file = `versions/${before}.json`;
      const [kept, time] = [inodeOf(folder, file), statSync(join(folder, file)).mtimeMs];
      const result = published(folder);
      expect(treeState(folder)).toEqual(treeState(tree));
      expect(inodeOf(folder, file) === kept).toBe(time === statSync(join(tree, file)).mtimeMs);
      expect(result.isWritten).toBe(true);
      expect(readdirSync(join(folder, '..'))).toEqual(['www']);
      expect(published(folder)).toMatchObject({ isWritten: false, written: 0, difference: { sent: [], obsolete: [] } });
    });
  });
});

describe('a publication that was killed between the two renames', () => {
  const NODE_OPTIONS = `--import ${join(import.meta.dirname, '../../support/processes/kill-at-change.mjs')}`;
  /** The renames create the lock, move the old tree and move the new tree. */
  const KILL_AT_RENAME = '3';

  async function killed() {
    const cwd = newFolder();
    const www = join(cwd, 'www');
    published(www, { tree: older });
    const publishing = ['publish', 'www', '--tree', tree];
    expect(await gridpress(publishing, { cwd, env: { NODE_OPTIONS, KILL_AT_RENAME } })).toMatchObject({ status: null });
    expect(existsSync(www)).toBe(false);
    return { cwd, www, publishing };
  }

  test('leaves the old tree, which the next publication restores first', async () => {
    const { cwd, www, publishing } = await killed();
    const verified = await gridpress(['verify', 'www'], { cwd });
    expect(verified).toMatchObject({
      status: 2,
      stderr:
        'error: The tree at www is missing, because a command was interrupted while it replaced the tree. The old tree is in .www.gridpress/old. [tree-set-aside]\n  Run the interrupted command again as the same user. It restores the old tree first.\n',
    });
    expect(await gridpress(publishing, { cwd })).toMatchObject({ status: 0, stderr: '' });
    expect(treeState(www)).toEqual(treeState(tree));
    expect(readdirSync(cwd)).toEqual(['www']);
  });

  test('is explained to a user who may only read', async () => {
    const { cwd, www } = await killed();
    chmodSync(cwd, 0o755);
    const serving = () => serve({ registry: cwd, folder: www, port: 0, host: '127.0.0.1', onBug: () => {} });
    expect(await failureOf(() => asOrdinaryUser(serving))).toContain(
      `The old tree is in ${cwd}/.www.gridpress/old. [tree-set-aside]`,
    );
    await (await serve({ registry: cwd, folder: www, port: 0, host: '127.0.0.1', onBug: () => {} })).close();
    expect(treeState(www)).toEqual(treeState(older));
  });

  test('does not keep a user who may only read from serving a whole tree', async () => {
    const { cwd, www, publishing } = await killed();
    await gridpress(publishing, { cwd });
    mkdirSync(join(cwd, '.www.gridpress'));
    chmodSync(cwd, 0o755);
    const serving = () => serve({ registry: cwd, folder: www, port: 0, host: '127.0.0.1', onBug: () => {} });
    await (await asOrdinaryUser(serving)).close();
  });
});

describe('an unreadable file', () => {
  /** Copies both trees to a folder in which everyone may write. */
  function copies() {
    const cwd = newFolder();
    chmodSync(cwd, 0o777);
    for (const [name, from] of [
      ['new', tree],
      ['old', older],
    ] as const)
      cpSync(from, join(cwd, name), { recursive: true, preserveTimestamps: true });
    const publishing = (name: string) => published(join(cwd, 'www'), { tree: join(cwd, name) });
    return { cwd, publishing: (name: string) => asOrdinaryUser(() => publishing(name)) };
  }

  test('of the old tree is written again', async () => {
    const { cwd, publishing } = copies();
    await publishing('old');
    chmodSync(join(cwd, 'www/404.json'), 0);
    await publishing('new');
    expect(treeState(join(cwd, 'www'))).toEqual(treeState(tree));
  });

  test('of the new tree is reported', async () => {
    const { cwd, publishing } = copies();
    chmodSync(join(cwd, 'new/404.json'), 0);
    expect(await failureOf(() => publishing('new'))).toBe(
      'error: 404.json cannot be read: permission denied. [read-failed]\n  Check that it exists, and that you may read it.\n',
    );
    expect(readdirSync(cwd)).toEqual(['new', 'old']);
  });
});

test('publish counts the documents that the new tree lacks', () => {
  const folder = join(newFolder(), 'www');
  published(folder);
  const [all, fewer] = [tree, older]
    .map(manifestOf)
    .map(({ documents, files }) => [...documents, ...files].map(({ file }) => file));
  const gone = all?.filter((file) => !fewer?.includes(file)) ?? [];
  expect(gone.length).toBeGreaterThan(0);
  expect(describeFolder(published(folder, { tree: older, older: true }))).toMatch(
    new RegExp(`, ${gone.length} removed\\.\\n$`),
  );
});

test('publish writes only new files', () => {
  const folder = join(newFolder(), 'www');
  expect(published(folder, { tree: older })).toMatchObject({ kept: 0, isWritten: true });
  const [there, comes] = [older, tree].map(
    (out) =>
      new Map(
        manifestOf(out).documents.flatMap((each) => ('sha256' in each ? [[each.file, each.sha256] as const] : [])),
      ),
  );
  const fresh = [...(comes ?? [])].filter(([file, digest]) => there?.get(file) !== digest);
  const size = fresh.reduce((sum, [file]) => sum + statSync(join(tree, file)).size, 0);
  const others = manifestOf(tree).files.filter(
    ({ file, sha256: digest }) => !manifestOf(older).files.some((each) => each.file === file && each.sha256 === digest),
  );
  expect(others).toEqual([]);
  expect(published(folder)).toMatchObject({ written: fresh.length, bytes: size });
});

test('a hard link with another time is copied, so that the old tree keeps its times', () => {
  const folder = join(newFolder(), 'www');
  published(folder, { tree: older });
  const file = '404.json';
  const backup = join(newFolder(), 'backup');
  linkSync(join(folder, file), backup);
  const time = statSync(backup).mtimeMs;
  published(folder);
  expect(statSync(backup).mtimeMs).toBe(time);
  expect(statSync(join(folder, file)).mtimeMs).toBe(statSync(join(tree, file)).mtimeMs);
  expect(time).not.toBe(statSync(join(tree, file)).mtimeMs);
});

test('publish replaces a symbolic link to a folder instead of writing into it', () => {
  const folder = join(newFolder(), 'www');
  const elsewhere = join(newFolder(), 'versions');
  published(folder, { tree: older });
  cpSync(join(older, 'versions'), elsewhere, { recursive: true, preserveTimestamps: true });
  rmSync(join(folder, 'versions'), { recursive: true });
  symlinkSync(elsewhere, join(folder, 'versions'));
  const state = treeState(elsewhere);
  published(folder);
  expect(treeState(folder)).toEqual(treeState(tree));
  expect(treeState(elsewhere)).toEqual(state);
  expect(inodeOf(folder, `versions/${before}.json`)).not.toBe(inodeOf(elsewhere, `${before}.json`));
});

test('--purge-file writes the URLs that caches must purge', async () => {
  const [folder, cwd] = [join(newFolder(), 'www'), newFolder()];
  const base = 'https://api.example.org/v1';
  const call = ['publish', folder, '--tree', tree];
  const listing = (file: string) => [...call, '--base-url', `${base}/`, '--purge-file', file];
  published(folder, { tree: older });
  await gridpress([...listing('purge.txt'), '--dry-run'], { cwd });
  expect(existsSync(join(cwd, 'purge.txt'))).toBe(false);
  expect((await gridpress(call, { cwd })).status).toBe(0);
  expect(readdirSync(cwd)).toEqual([]);
  published(folder, { tree: older, older: true });
  expect((await gridpress(listing('purge.txt'), { cwd })).status).toBe(0);
  const lines = readFileSync(join(cwd, 'purge.txt'), 'utf8').split('\n');
  for (const form of ['', '/', '/sites', '/sites/', '/sites/index.json', '/sites.json', '/_manifest.json'])
    expect(lines).toContain(`${base}${form}`);
  expect(lines.filter((line) => /[0-9a-f]{40}/.test(line))).toEqual([]);
  // Without a readable old manifest, all mutable URLs are listed.
  rewrite(folder, '_manifest.json', (text) => text.replace('"size":', '"size":1'));
  expect((await gridpress(listing('all.txt'), { cwd })).status).toBe(0);
  const mutable = manifestOf(tree).documents.filter(({ cache }) => cache === 'mutable');
  const all = readFileSync(join(cwd, 'all.txt'), 'utf8').split('\n');
  for (const { path } of mutable) expect(all).toContain(`${base}${path === '/' ? '' : path}`);
});

test('--purge-file lists immutable documents with other content, because caches keep them for a year', async () => {
  const [folder, purgeFile] = [join(newFolder(), 'www'), join(newFolder(), 'purge.txt')];
  published(folder);
  const old = digestsIn(folder);
  const other = await builtTree(testbed.registry, { dialect: 'legacy' });
  published(folder, { tree: other, purgeFile });
  const now = digestsIn(folder);
  const changed = manifestOf(other)
    .documents.filter(({ cache }) => cache === 'immutable')
    .map(({ path }) => path)
    .filter((path) => old.has(path) && old.get(path) !== now.get(path));
  expect(changed).toContain(`/versions/${before}`);
  expect(readFileSync(purgeFile, 'utf8').split('\n')).toEqual(expect.arrayContaining(changed));
});

test('--purge-file lists the documents that the new tree lacks', () => {
  const [folder, purgeFile] = [join(newFolder(), 'www'), join(newFolder(), 'purge.txt')];
  published(folder);
  published(folder, { tree: older, older: true, purgeFile });
  const left = new Set(manifestOf(older).documents.map(({ path }) => path));
  const removed = manifestOf(tree)
    .documents.map(({ path }) => path)
    .filter((path) => !left.has(path));
  expect(removed.length).toBeGreaterThan(1);
  expect(readFileSync(purgeFile, 'utf8').split('\n')).toEqual(expect.arrayContaining(removed));
});

test('--purge-file is rejected inside a tree, also inside the new tree', async () => {
  const cwd = newFolder();
  published(join(cwd, 'www'), { tree: older });
  const state = treeState(join(cwd, 'www'));
  for (const [folder, file] of [
    ['www', 'www/sites.json'],
    ['www', join(tree, 'purge.txt')],
    ['new', 'new/purge.txt'],
  ] as const) {
    const { status, stderr } = await gridpress(['publish', folder, '--tree', tree, '--purge-file', file], { cwd });
    expect([status, stderr]).toEqual([2, expect.stringContaining('[output-in-tree]')]);
  }
  expect(treeState(join(cwd, 'www'))).toEqual(state);
  expect([readdirSync(cwd), existsSync(join(tree, 'purge.txt'))]).toEqual([['www'], false]);
});

/** Runs in a new folder, where purge.txt is written. */
const asked = (args: readonly string[]) => gridpress(args, { cwd: newFolder() });

describe('gridpress publish', () => {
  test('reports its changes, and with --dry-run the planned changes', async () => {
    const folder = join(newFolder(), 'www');
    const { revision, documents, files } = manifestOf(tree);
    const own = documents.filter((each) => 'sha256' in each).length + files.length;
    const call = ['publish', folder, '--tree', tree];
    const listed = await asked(['--verbose', ...call, '--dry-run']);
    expect(listed.stdout).toContain('create /sites: it is new\n');
    const dry = await asked([...call, '--dry-run']);
    expect(dry.stderr).toBe('');
    const [counts = ''] = dry.stdout.split('\n');
    expect(counts).toMatch(new RegExp(`^create ${documents.length + files.length}: \\d+ snapshots, .*\\d+ versions`));
    expect(dry.stdout.split('\n').length).toBe(3);
    expect(dry.stdout).toMatch(
      new RegExp(`\\n${documents.length + files.length} changes would be made in ${folder}\\.\\n$`),
    );
    expect(existsSync(folder)).toBe(false);
    const { status, stdout } = await asked(call);
    expect(status).toBe(0);
    const size =
      documents.reduce((sum, each) => sum + ('size' in each ? each.size : 0), 0) +
      files.reduce((sum, each) => sum + each.size, 0);
    expect(stdout).toBe(
      `${counts}\nPublished revision ${revision.slice(0, 8)} in ${folder}: ${own} files written (${(size / 1e6).toFixed(1)} MB), 0 kept, 0 removed.\n`,
    );
    expect(await asked(call)).toEqual({
      status: 0,
      stderr: '',
      stdout: `Up to date: ${folder} at revision ${revision.slice(0, 8)}.\n`,
    });
  });

  test('lists changes with their reasons', async () => {
    const folder = join(newFolder(), 'www');
    published(folder);
    const { stdout } = await asked(['publish', folder, '--tree', older, '--older', '--dry-run', '--json']);
    const { changes, ...record } = JSON.parse(stdout);
    const [comes, stands] = [digestsIn(older), digestsIn(tree)];
    const paths = {
      create: [...comes.keys()].filter((path) => !stands.has(path)),
      update: [...comes].filter(([path, digest]) => ![undefined, digest].includes(stands.get(path))),
      delete: [...stands.keys()].filter((path) => !comes.has(path)),
    };
    const { serial, digest } = manifestOf(older);
    expect(record).toEqual({
      ok: true,
      destination: folder,
      revision: before,
      serial,
      digest,
      dry_run: true,
      is_written: false,
      documents: {
        create: paths.create.length,
        update: paths.update.length,
        delete: paths.delete.length,
        unchanged: comes.size - paths.create.length - paths.update.length,
      },
      objects: expect.any(Number),
      bytes: expect.any(Number),
      requests: 0,
      previous: manifestOf(tree).revision,
      reloads: [],
      findings: [],
    });
    const { revision } = manifestOf(tree);
    const changed = (wanted: string) =>
      changes.flatMap(({ action, path }: { action: string; path: string }) => (action === wanted ? [path] : [])).sort();
    expect(changed('create')).toEqual(paths.create.sort());
    expect(changed('update')).toEqual(paths.update.map(([path]) => path).sort());
    expect(changed('delete')).toEqual(paths.delete.sort());
    expect(changes).toContainEqual({ path: '/sites', action: 'update', reason: 'other-content' });
    expect(changes).toContainEqual({ path: `/versions/${revision}`, action: 'delete', reason: 'not-in-tree' });
    expect(treeState(folder)).toEqual(treeState(tree));
    const { written, bytes } = published(folder, { tree: older, older: true });
    expect(record).toMatchObject({ objects: written, bytes });
  });

  test('rejects an older tree without --older', async () => {
    const folder = join(newFolder(), 'www');
    published(folder);
    const [there, comes] = [manifestOf(tree).serial, manifestOf(older).serial];
    expect(await asked(['publish', folder, '--tree', older])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${folder} contains a newer tree: it has the serial ${there}, and the tree to install has ${comes}. Nothing was changed. [install-older]\n  To install the older tree, use --older.\n`,
    });
    expect((await asked(['publish', folder, '--tree', older, '--older'])).status).toBe(0);
    expect(treeState(folder)).toEqual(treeState(older));
  });

  test('rejects a damaged tree', async () => {
    const folder = join(newFolder(), 'www');
    const broken = join(newFolder(), 'dist');
    cpSync(tree, broken, { recursive: true });
    rewrite(broken, 'sites.json', (text) => text.replace('lyra', 'lira'));
    published(folder, { tree: older });
    const { status, stderr } = await asked(['publish', folder, '--tree', broken]);
    const [computed, stated] = [broken, tree].map((out) => sha256(readFileSync(join(out, 'sites.json'))));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `sites.json: error: The file has the digest ${computed} instead of ${stated}. [verify-differs]\n  Restore the file from a copy, or rebuild the tree with --force.\n`,
    });
    rewrite(broken, '_manifest.json', (text) => text.replace('"size":', '"size":1'));
    expect((await asked(['publish', folder, '--tree', broken])).stderr).toContain('[verify-manifest-digest]');
    expect(treeState(folder)).toEqual(treeState(older));
    expect(readdirSync(join(folder, '..'))).toEqual(['www']);
  });

  test('rejects a folder inside the registry', async () => {
    const registry = newFolder();
    writeFileSync(join(registry, 'grid.yaml'), 'type: grid\nuid: testgrid\n');
    const { stderr } = await asked(['publish', join(registry, 'www'), '--tree', tree, '--registry', registry]);
    expect(stderr).toContain('overlap. [output-in-registry]');
    expect(readdirSync(registry)).toEqual(['grid.yaml']);
  });

  test('rejects its own tree, folders inside it, and foreign folders', async () => {
    const itself = join(newFolder(), 'dist');
    cpSync(tree, itself, { recursive: true });
    for (const folder of [itself, join(itself, 'sites')])
      expect((await asked(['publish', folder, '--tree', itself])).stderr).toBe(
        `error: The folder ${folder} and the tree ${itself} overlap. [publish-into-itself]\n  Publish to a folder outside the tree, or name another tree with --tree.\n`,
      );
    const foreign = newFolder();
    mkdirSync(join(foreign, 'photos'));
    expect((await asked(['publish', foreign, '--tree', tree])).stderr).toBe(
      `error: ${foreign} was not written by gridpress: it is not empty and has no _manifest.json of gridpress. [output-not-ours]\n  Name another folder, or empty this one yourself.\n`,
    );
    expect((await asked(['publish', foreign, '--tree', tree, '--prune'])).stderr).toBe(
      `error: ${foreign} is a folder. Publishing to a folder leaves nothing to prune. [publish-prunes-no-folder]\n  If other programs copied files there, prune it with "gridpress prune ${foreign}".\n`,
    );
    for (const place of ['ftp://host/x', 'user@host:/x', 'host:x', 'rsync://host/x'])
      expect((await asked(['publish', place, '--tree', tree])).stderr).toBe(
        `error: "${place}" is not a destination for publishing. [publish-destination]\n  Name a bucket, such as s3://bucket/prefix, or a folder.\n`,
      );
  });
});

const { isMissing: isMac, because: onMac } = unless(process.platform === 'linux', 'file names must be valid UTF-8');

test.skipIf(isMac).each([false, true])(
  `keeps foreign files whose names are not UTF-8${onMac} (as a link: %s)`,
  (isLinked) => {
    const folder = join(newFolder(), 'www');
    published(folder, { tree: older, isLinked });
    const nameIn = (at: string, name: string) => Buffer.concat([Buffer.from(`${at}/`), Buffer.from(name, 'latin1')]);
    const foreign = [
      nameIn(folder, 'n-\xff.txt'),
      nameIn(`${folder}/sites`, 'n-\xfe.json'),
      nameIn(folder, 'notes/n-\xfd.txt'),
    ];
    mkdirSync(join(folder, 'notes'));
    for (const path of foreign) writeFileSync(path, 'foreign');
    const inFolder = nameIn(`${folder}/sites`, 'f-\xfc');
    mkdirSync(inFolder);
    const link = nameIn(`${folder}/notes`, 'l-\xfb');
    symlinkSync(Buffer.from('n-\xff', 'latin1'), link);
    for (const next of [tree, older]) {
      published(folder, { tree: next, isLinked, older: true });
      expect(foreign.map((path) => readFileSync(path, 'utf8'))).toEqual(['foreign', 'foreign', 'foreign']);
      expect(existsSync(inFolder)).toBe(true);
      expect(readlinkSync(link, 'latin1')).toBe('n-\xff');
    }
  },
);

test('a foreign API catalog is not replaced', () => {
  const folder = join(newFolder(), 'www');
  const catalog = join(folder, '.well-known', 'api-catalog');
  mkdirSync(join(catalog, '..'), { recursive: true });
  writeFileSync(catalog, '{"linkset":[]}');
  expect(() => published(folder)).toThrow('output-not-ours');
  expect(readFileSync(catalog, 'utf8')).toBe('{"linkset":[]}');
});

test.each([{ isLinked: false }, { isLinked: true }])(
  'a first tree is added next to files that the host of the folder needs: %j',
  ({ isLinked }) => {
    const folder = join(newFolder(), 'www');
    mkdirSync(join(folder, '.well-known'), { recursive: true });
    writeFileSync(join(folder, 'CNAME'), 'api.testbed.example.org\n');
    writeFileSync(join(folder, '.well-known', 'security.txt'), 'Contact: x\n');
    expect(published(folder, { isLinked }).isWritten).toBe(true);
    expect(readFileSync(join(folder, 'CNAME'), 'utf8')).toBe('api.testbed.example.org\n');
    expect(readFileSync(join(folder, '.well-known', 'security.txt'), 'utf8')).toBe('Contact: x\n');
    expect(manifestOf(folder)).toEqual(manifestOf(tree));
    expect(published(folder, { isLinked }).isWritten).toBe(false);
  },
);
