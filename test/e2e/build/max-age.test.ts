/** The setting `max_age` and the option `--max-age`: every place that states how long caches may store documents. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cacheControlOf } from '../../../src/core/api/endpoints.ts';
import { apply } from '../../../src/features/bundle/apply.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { publishFolder } from '../../../src/features/publish/publish-folder.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { writeFiles } from '../../support/registries/revisions.ts';
import { type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { newBucket, publishTo } from '../../support/services/bucket.ts';
import { CEPH, CREDENTIALS, startCeph } from '../../support/services/ceph.ts';
import { builtTree, treeState } from '../../support/trees/bundled.ts';
import { manifestOf, serveTree } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

const HOSTED = { hosts: ['nginx', 'caddy'] } as const;
const VERSION = (id: string) => `/sites/lyra/versions/${id}`;

let bed: Testbed;
/** A tree with the default, and a tree with 300 seconds. */
let plain: string;
let tree: string;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  plain = await builtTree(bed.registry, HOSTED);
  tree = await builtTree(bed.registry, { ...HOSTED, maxAge: 300 });
});

afterAll(() => {
  vi.unstubAllEnvs();
});

const mutableOf = (out: string) => manifestOf(out).cache_control?.mutable;
const textsBelow = (folder: string) => filesBelow(folder).map((file) => readFileSync(join(folder, file), 'utf8'));

describe('build', () => {
  test('writes a tree again if only the option differs, and prefers the option to the setting', async () => {
    const { registry } = writeTestbed(newFolder());
    const out = join(newFolder(), 'dist');
    const run = async (...more: string[]) => {
      const { status, stdout, stderr } = await gridpress(['build', '--registry', registry, '--out', out, ...more]);
      return [status, stderr, stdout.split(' ', 1)[0], mutableOf(out)];
    };
    const [built, same] = [(seconds: number) => [0, '', 'Built', cacheControlOf(seconds).mutable], 'Up'];
    expect(await run()).toEqual(built(60));
    expect(await run('--max-age', '300')).toEqual(built(300));
    expect(await run('--max-age', '300')).toEqual(built(300).with(2, same));
    expect(await run('--max-age', '0')).toEqual(built(0));
    writeFiles(join(registry, '..'), [['gridpress.yaml', 'cluster_uid: main\nmax_age: 86400\n']]);
    expect(await run()).toEqual(built(86_400));
    expect(await run('--max-age', '10')).toEqual(built(10));
  });

  test.each(['', '-1', '1.5', '86401', 'x'])('rejects --max-age %j', async (given) => {
    const { status, stderr } = await gridpress(['build', '--registry', bed.registry, '--max-age', given]);
    expect([status, stderr.split('\n', 1)[0]]).toEqual([
      2,
      `error: option '--max-age <seconds>' argument '${given}' is invalid. It must be a whole number from 0 to 86400.`,
    ]);
  });

  test('changes neither the bytes nor the times of documents', () => {
    const { documents } = manifestOf(plain);
    expect(manifestOf(tree).documents).toEqual(documents);
    for (const { file } of documents)
      expect([file, statSync(join(tree, file)).mtimeMs]).toEqual([file, statSync(join(plain, file)).mtimeMs]);
  });
});

test('a server and its probe read it from the manifest of a tree', async () => {
  const { client, port, manifest } = await serveTree(bed.registry, tree);
  const cacheOf = async (path: string) => (await client.get(path)).headers['cache-control'];
  const { mutable, immutable } = cacheControlOf(300);
  for (const path of ['/', '/sites.json', '/versions/timemap.link', '/_manifest.json'])
    expect([path, await cacheOf(path)]).toEqual([path, mutable]);
  expect(await cacheOf(VERSION(manifest.revision))).toBe(immutable);
  const probed = await gridpress(['probe', `http://127.0.0.1:${port}/`, '--rate', '10000']);
  expect([probed.status, probed.stdout]).toEqual([0, expect.stringMatching(/^cache-classes +holds$/m)]);
});

describe('a tree that differs only in it', () => {
  test('is published to a folder, with every mutable URL to purge', async () => {
    const folder = join(newFolder(), 'api');
    const place = { destination: folder, registry: bed.registry, dryRun: false, older: false, showsProgress: false };
    publishFolder({ ...place, tree: plain });
    const purgeFile = join(newFolder(), 'purge.txt');
    expect(publishFolder({ ...place, tree, purgeFile }).isWritten).toBe(true);
    expect(treeState(folder)).toEqual(treeState(tree));
    const purged = readFileSync(purgeFile, 'utf8').split('\n');
    expect(purged).toEqual(expect.arrayContaining(['/sites', '/sites.json', '/_manifest.json']));
    expect(purged).not.toContain(VERSION(manifestOf(tree).revision));
  });

  test.skipIf(CEPH.isMissing)(`is published to a bucket${CEPH.because}`, async () => {
    for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
    const store = await startCeph();
    const bucket = await newBucket(store);
    const cacheOf = async (key: string) => (await bucket.get(key)).cache;
    for (const [out, seconds] of [
      [plain, 60],
      [tree, 300],
    ] as const) {
      await publishTo(store, `s3://${bucket.name}/api`, out);
      const { mutable, immutable } = cacheControlOf(seconds);
      for (const key of ['api/sites', 'api/sites.json', 'api/_manifest.json'])
        expect([key, await cacheOf(key)]).toEqual([key, mutable]);
      expect(await cacheOf(`api${VERSION(manifestOf(out).revision)}`)).toBe(immutable);
    }
  });
});

test('a bundle since a revision applies to a tree with the same option', async () => {
  const before = bed.revisions.closed.id;
  const mirror = await builtTree(bed.registry, { ...HOSTED, maxAge: 300, at: before });
  const file = join(newFolder(), 'x.bundle');
  await bundle({ registry: bed.registry, tree, since: before, out: file, showsProgress: false });
  apply({ file, folder: mirror, older: false, showsProgress: false });
  expect(treeState(mirror)).toEqual(treeState(tree));
  expect(textsBelow(join(mirror, '_hosts')).join('')).toContain(cacheControlOf(300).mutable);
});
