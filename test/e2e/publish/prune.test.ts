/** Prunes a folder: deletes the leftovers of plain copies and nothing else. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { pruneFolder } from '../../../src/features/publish/prune-folder.ts';
import { stageOf } from '../../../src/system/trees/staging.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { builtTree, treeState } from '../../support/trees/bundled.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

let testbed: Testbed;

beforeAll(() => {
  testbed = writeTestbed(newFolder());
});

const pruned = (folder: string, more: Partial<Parameters<typeof pruneFolder>[0]> = {}) =>
  pruneFolder({ destination: folder, maxDeletes: 10_000, dryRun: false, showsProgress: false, ...more });

const unlisted = (files: readonly string[]) => files.map((name) => ({ name, reason: 'the manifest does not list it' }));

/** An older tree with a newer one copied over it. */
async function copiedOver(options: Parameters<typeof builtTree>[1] = {}) {
  const before = await builtTree(testbed.registry, {
    ...options,
    snapshots: 'none',
    at: testbed.revisions.flavored.id,
  });
  const after = await builtTree(testbed.registry, { ...options, snapshots: 'none' });
  const folder = join(newFolder(), 'www');
  cpSync(before, folder, { recursive: true, preserveTimestamps: true });
  cpSync(after, folder, { recursive: true, preserveTimestamps: true });
  const there = new Set(filesBelow(after));
  return { folder, after, stale: filesBelow(before).filter((file) => !there.has(file)) };
}

describe('a leftover of a plain copy', () => {
  test.each([
    ['current', []],
    ['legacy', []],
    ['current', ['nginx']],
    ['legacy', ['apache', 'netlify']],
  ] as const)('is deleted, %s with files for the hosts %j', async (dialect, hosts) => {
    const { folder, after, stale } = await copiedOver({ dialect, hosts });
    // Vega was removed in between: its documents and the aliases of the former head are leftovers.
    expect(stale).toContain('sites/vega.json');
    expect(stale).toContain(`sites/vega/clusters/main/nodes/${nodeUid(4)}.json`);
    expect(pruned(folder)).toEqual({
      destination: folder,
      dryRun: false,
      requests: 0,
      removed: unlisted(stale),
      left: [],
    });
    expect(filesBelow(folder)).toEqual(filesBelow(after));
    expect(treeState(folder)).toEqual(treeState(after));
    expect(readdirSync(join(folder, '..'))).toEqual(['www']);
  });

  test('is deleted with the folders that become empty', async () => {
    const after = await builtTree(testbed.registry, { snapshots: 'none' });
    const before = await builtTree(testbed.registry);
    const folder = join(newFolder(), 'www');
    cpSync(before, folder, { recursive: true });
    cpSync(after, folder, { recursive: true });
    mkdirSync(join(folder, 'sites', 'empty'));
    pruned(folder);
    expect(existsSync(join(folder, 'snapshots', testbed.revisions.first.id))).toBe(false);
    expect(existsSync(join(folder, 'sites', 'empty'))).toBe(true);
  });

  test('may be a tombstone of a restored resource, a feed or a link format', async () => {
    const tree = await builtTree(testbed.registry, { hosts: ['nginx'], snapshots: 'none' });
    const closed = await builtTree(testbed.registry, {
      at: testbed.revisions.first.id,
      hosts: ['nginx'],
      snapshots: 'none',
    });
    const folder = join(newFolder(), 'www');
    cpSync(tree, folder, { recursive: true });
    cpSync(closed, folder, { recursive: true });
    const there = new Set(filesBelow(closed));
    const stale = filesBelow(tree).filter((file) => !there.has(file));
    for (const part of [
      '_gone/sites/vega.json',
      'sites/vega/changes/feed.atom',
      'sites/vega/versions/timemap.link',
      '_pretty/sites/vega/versions.json.br',
    ])
      expect(stale).toContain(part);
    expect(pruned(folder)).toMatchObject({ removed: unlisted(stale), left: [] });
    expect(filesBelow(folder)).toEqual(filesBelow(closed));
  });
});

test('a variant of the root with a base path in its links is a leftover', async () => {
  const { registry } = writeTestbed(newFolder());
  appendFileSync(join(registry, '..', 'gridpress.yaml'), 'base_path: /api/v1\nprefixed_links: true\n');
  const before = await builtTree(registry, { hosts: ['nginx'], snapshots: 'none' });
  const folder = await builtTree(registry, { snapshots: 'none' });
  const variants = ['_pretty/index.json', '_pretty/index.json.gz'];
  mkdirSync(join(folder, '_pretty'));
  for (const file of variants) cpSync(join(before, file), join(folder, file));
  expect(pruned(folder)).toMatchObject({ removed: unlisted(variants), left: [] });
});

describe('a list of Prometheus targets', () => {
  let without: string;

  beforeAll(() => {
    const { registry } = writeTestbed(newFolder());
    without = registry;
    appendFileSync(join(registry, '..', 'gridpress.yaml'), 'exports: false\n');
  });

  test('is deleted if the tree has no exports', async () => {
    const hosts = ['nginx'];
    const before = await builtTree(testbed.registry, { hosts, snapshots: 'none' });
    const folder = await builtTree(without, { hosts, snapshots: 'none' });
    const lists = [
      '_pretty/exports/prometheus.json',
      '_pretty/exports/prometheus.json.gz',
      'exports/prometheus.json',
      'exports/prometheus/index.json',
    ];
    for (const file of lists) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      cpSync(join(before, file.replace('/index.json', '.json')), join(folder, file));
    }
    expect(pruned(folder)).toMatchObject({ removed: unlisted(lists), left: [] });
  });

  test('is kept if another program wrote it', async () => {
    const folder = await builtTree(without, { snapshots: 'none' });
    mkdirSync(join(folder, 'exports'));
    writeFileSync(join(folder, 'exports/prometheus.json'), '[{"targets":["switch"],"labels":{"rack":"1"}}]');
    expect(pruned(folder)).toMatchObject({ removed: [], left: [{ name: 'exports/prometheus.json' }] });
  });
});

describe('a file without proof of its origin', () => {
  test('is kept, and the reason is reported', async () => {
    const { folder, stale } = await copiedOver();
    const text = readFileSync(join(folder, 'sites/lyra.json'), 'utf8');
    const versions = readFileSync(join(folder, 'sites/versions.json'), 'utf8');
    const elsewhere = join(newFolder(), 'x.json');
    writeFileSync(elsewhere, text);
    const place = 'no document has this path';
    const other = 'it does not contain the document of its path';
    const link = 'it is a link or a device';
    const foreign: Readonly<Record<string, readonly [content: string | Uint8Array, reason: string]>> = {
      '.htaccess': ['Deny from all\n', place],
      CNAME: ['api.example.org\n', place],
      'notes.json': ['{"my":"notes"}', place],
      // The document of another path, an altered, an indented and a truncated document.
      'sites/nova.json': [text, other],
      'sites/lira.json': [text.replaceAll('lyra', 'lira').replace('"version":"', '"version":"x'), other],
      'sites/lima.json': [JSON.stringify(JSON.parse(text.replaceAll('lyra', 'lima')), null, 2), other],
      'sites/luna.json': [text.replaceAll('lyra', 'luna').slice(0, -1), other],
      'sites/lyra/photo-1.json': ['{}', place],
      'sites/lyra/versions.json.gz': [gzipSync(versions), other],
      'sites/lyra.json.br': ['no brotli', other],
      '_gone/sites/nova.json': ['{"status":410}', other],
      'sites/nova/changes/feed.atom': ['<?xml version="1.0"?>\n<feed/>', other],
    };
    for (const [file, [content]] of Object.entries(foreign)) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    symlinkSync(elsewhere, join(folder, 'sites', 'linked.json'));
    symlinkSync(join(elsewhere, '..'), join(folder, 'pages'));
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git', 'sites.json'), text);
    const left = [
      ...Object.entries(foreign).map(([name, [, reason]]) => ({ name, reason })),
      ...['sites/linked.json', 'pages'].map((name) => ({ name, reason: link })),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(pruned(folder)).toEqual({ destination: folder, dryRun: false, requests: 0, removed: unlisted(stale), left });
    for (const [file, [content]] of Object.entries(foreign))
      expect(readFileSync(join(folder, file))).toEqual(Buffer.from(content));
    expect(readFileSync(elsewhere, 'utf8')).toBe(text);
    expect(existsSync(join(folder, '.git', 'sites.json'))).toBe(true);
  });
});

describe('gridpress prune', () => {
  test('lists the files first, and rejects more than --max-deletes', async () => {
    const { folder, stale } = await copiedOver();
    writeFileSync(join(folder, 'CNAME'), 'x');
    const state = treeState(folder);
    expect(await gridpress(['prune', folder, '--dry-run'])).toEqual({
      status: 0,
      stderr: '',
      stdout: `${stale.map((file) => `remove ${file}: the manifest does not list it\n`).join('')}leave CNAME: no document has this path\n${folder}: ${stale.length} files would be removed, 1 left that no manifest lists.\n`,
    });
    expect(await gridpress(['prune', folder, '--max-deletes', String(stale.length - 1)])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: The command would delete ${stale.length} files, which is more than ${stale.length - 1}. Nothing was deleted. [prune-too-many]\n  List them with --dry-run, then allow more with --max-deletes.\n`,
    });
    expect(treeState(folder)).toEqual(state);
    const { status, stdout } = await gridpress(['prune', folder, '--max-deletes', String(stale.length), '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      destination: folder,
      dry_run: false,
      requests: 0,
      findings: [],
      removed: unlisted(stale),
      left: [{ name: 'CNAME', reason: 'no document has this path' }],
    });
  });

  test('is rejected while another command writes there', async () => {
    const { folder, stale } = await copiedOver();
    const { lock } = stageOf(folder);
    mkdirSync(lock);
    // Process 1 always runs.
    writeFileSync(join(lock, 'owner-1'), '');
    expect(await gridpress(['prune', folder])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: Another gridpress is writing ${folder} (process 1). [build-running]\n  Wait until it has finished. If that process is not gridpress, remove ${lock}.\n`,
    });
    expect(filesBelow(folder)).toEqual(expect.arrayContaining(stale));
  });

  test('is rejected without a complete tree', async () => {
    const folder = newFolder();
    expect((await gridpress(['prune', folder])).stderr).toBe(
      `error: There is no tree at ${folder}. [no-tree]\n  Build one: gridpress build.\n`,
    );
    const { folder: tree } = await copiedOver();
    const text = readFileSync(join(tree, '_manifest.json'), 'utf8');
    writeFileSync(join(tree, '_manifest.json'), text.replace('"size":', '"size":1'));
    const state = filesBelow(tree);
    expect((await gridpress(['prune', tree])).stderr).toContain('[verify-manifest-digest]');
    expect(filesBelow(tree)).toEqual(state);
  });
});
