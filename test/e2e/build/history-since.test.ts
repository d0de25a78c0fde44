/**
 * `history.since` limits the history of a tree. The tree is built, served, crawled, verified, published and archived.
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { versionUrl } from '../../../src/core/api/urls.ts';
import { build } from '../../../src/features/build/build.ts';
import type { BuildOptions } from '../../../src/features/build/build-options.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { checkout } from '../../support/registries/revisions.ts';
import { nodeUid, type RevisionName, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { archived, unpacked, verifiedArchive } from '../../support/trees/archived.ts';
import { manifestOf, type Served, serveTree } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

const SINCE = '2026-01-06';
const MOMENT = '2026-01-06T00:00:00Z';
const NODE = (site: string, n: number) => `sites/${site}/clusters/main/nodes/${nodeUid(n)}`;

let bed: Testbed;
let whole: string;
let bounded: string;
let served: Served;

const press = async (options: Partial<BuildOptions>, out = join(newFolder(), 'dist')) => {
  const { digest } = await build({ registry: bed.registry, out, showsProgress: false, ...options });
  return { out, digest };
};
const idOf = (name: RevisionName) => bed.revisions[name].id;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  whole = (await press({})).out;
  writeFileSync(join(bed.folder, 'gridpress.yaml'), `cluster_uid: main\nhistory:\n  since: ${SINCE}\n`);
  bounded = (await press({})).out;
  served = await serveTree(bed.registry, bounded);
});

test('the history begins with the versions of that date, and every link in the tree answers', async () => {
  const versions = JSON.parse((await served.client.get(`/${NODE('lyra', 1)}/versions`)).body);
  expect(versions.total).toBe(1);
  // Nobody changed the node after the firmware update on the side branch.
  expect(versions.items[0]).toMatchObject({ uid: idOf('side'), older_left_out: true });
  const { findings } = await served.crawl();
  expect(findings).toEqual([]);
  const { history_since } = JSON.parse((await served.client.get('/links')).body);
  expect(history_since).toBe(MOMENT);
});

test('shared files have the same bytes as in the full tree, and log still lists the full history', async () => {
  const ofRevision = `/${idOf('flavored')}`;
  const shared = filesBelow(bounded).filter((file) => file.includes(ofRevision));
  expect(shared.length).toBeGreaterThan(40);
  for (const file of shared) {
    const [all, told] = [whole, bounded].map((out) => readFileSync(join(out, file), 'utf8'));
    // If an older version answers, its snapshot and earlier history are omitted.
    if (told?.includes(`"version":"${idOf('flavored')}"`)) expect(told, file).toBe(all);
  }
  const { stdout } = await gridpress(['log', '--registry', bed.registry]);
  expect(stdout.trim().split('\n')).toHaveLength(Object.keys(bed.revisions).length);
  expect((await press({ since: 'all' })).digest).toBe((await press({ since: '2020-01-01' })).digest);
});

test('resources removed after the history start have a tombstone, resources removed earlier are unknown', async () => {
  const statusOf = async (path: string) => (await served.client.get(path)).status;
  expect(await statusOf(`/${NODE('vega', 4)}`)).toBe(410);
  expect(await statusOf('/sites/dune')).toBe(404);
  expect(await statusOf(versionUrl('sites/dune', idOf('side')))).toBe(404);
  expect(await statusOf(versionUrl('', idOf('first')))).toBe(404);
  expect(await statusOf(`/snapshots/${idOf('grown')}`)).toBe(404);
  expect(await statusOf(`/snapshots/${idOf('merged')}`)).toBe(200);
});

test('verify checks the history start and reports it', async () => {
  const { status, stdout } = await gridpress(['verify', bounded]);
  const { digest, revision } = manifestOf(bounded);
  expect(stdout).toMatch(
    new RegExp(
      `^.* is complete and unaltered: [0-9,]+ files, revision ${revision}, history only since ${MOMENT}, digest ${digest}\\.\n$`,
    ),
  );
  expect(status).toBe(0);
});

test('a lock from before the start is verified with the known history, and the message explains the limit', async () => {
  const lock = join(newFolder(), 'lock.json');
  const old = (await press({ at: idOf('grown'), since: 'all', snapshots: 'none' })).out;
  expect((await gridpress(['lock', 'node-1', 'node-4', '--from', old, '-o', lock])).status).toBe(0);
  const { status, stdout } = await gridpress(['verify-lock', lock, '--against', bounded]);
  expect(stdout).toContain(`changed  ${NODE('lyra', 1)} (node-1): firmware
  when and in which revision is not known: the history there begins at ${MOMENT}
removed  ${NODE('vega', 4)} (node-4)
  ${idOf('closed').slice(0, 8)} 2026-01-09T08:00:00Z Close vega`);
  expect(status).toBe(1);
});

test('find --at accepts dates from the start on', async () => {
  const found = (date: string) =>
    gridpress(['find', 'bios.version IS NOT NULL', '--from', bounded, '--at', date, '--uids']);
  expect((await found(SINCE)).stdout).toContain(nodeUid(1));
  expect((await found('2026-01-02')).stderr).toContain('The history begins after 2026-01-02. [before-history]');
  const id = idOf('first');
  expect((await found(id)).stderr).toBe(
    `error: There is no revision "${id}" at ${bounded}/versions.json. [unlisted-revision]\n  The history there begins at ${MOMENT} (history_since). Name a later revision.\n`,
  );
});

test('a build over another tree gives the same tree as a new one', async () => {
  const out = join(newFolder(), 'dist');
  for (const since of ['2026-01-03', '2026-01-08', '2099-01-01', '2026-01-05']) {
    const { digest } = await press({ since }, out);
    expect(digest, since).toBe((await press({ since })).digest);
  }
  const folder = newFolder();
  cpSync(bed.folder, folder, { recursive: true });
  const registry = join(folder, 'registry-data');
  checkout(folder, bed.revisions.described);
  const { digest } = await press({ registry }, out);
  expect(digest).toBe((await press({ registry })).digest);
});

test('a date after the head leaves one version of each resource', async () => {
  const { out } = await press({ since: '2099-01-01', snapshots: 'none', versionLinks: 'none' });
  const lists = filesBelow(out).filter((file) => /\/versions\.json$/.test(file));
  expect(lists.length).toBeGreaterThan(10);
  expect((await gridpress(['verify', out])).status).toBe(0);
  const { crawl } = await serveTree(bed.registry, out);
  expect((await crawl()).findings).toEqual([]);
});

test('a named snapshot is included for any date', async () => {
  const { out } = await press({ snapshots: [idOf('grown')] });
  expect(existsSync(join(out, `snapshots/${idOf('grown')}/${NODE('vega', 4)}.json`))).toBe(true);
  const { crawl } = await serveTree(bed.registry, out);
  expect((await crawl()).findings).toEqual([]);
  expect((await gridpress(['verify', out])).status).toBe(0);
});

test('publish deletes the files before the start', async () => {
  const site = join(newFolder(), 'www');
  const older = `versions/${idOf('first')}.json`;
  for (const [tree, isThere] of [
    [whole, true],
    [bounded, false],
  ] as const) {
    expect((await gridpress(['publish', site, '--tree', tree])).status).toBe(0);
    expect(existsSync(join(site, older))).toBe(isThere);
  }
});

test('archives contain the full history', async () => {
  const { out } = await archived(bed.registry, { revisions: [idOf('joined')] });
  const tar = join(out, `gridpress-testgrid-${idOf('joined')}.tar`);
  const { findings, history_since } = await verifiedArchive(tar);
  expect({ findings, history_since }).toEqual({ findings: [], history_since: undefined });
  const unpackedTree = join(unpacked(tar), 'data/tree');
  expect(existsSync(join(unpackedTree, `versions/${idOf('first')}.json`))).toBe(true);
});
