/** Publishes to a bucket of a real object store. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { dialectOf } from '../../../src/core/api/dialect.ts';
import { CACHE_CONTROL } from '../../../src/core/api/endpoints.ts';
import { crawl } from '../../../src/features/verify/crawl.ts';
import { setVerbosity } from '../../../src/system/terminal/terminal.ts';
import { splitClaim, withClaim } from '../../../src/system/trees/claimed-manifest.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import {
  expectedDigests,
  newBucket,
  publishTo,
  type StoreWithTrees,
  smallTrees,
  storedDigests,
  storeWithTrees,
} from '../../support/services/bucket.ts';
import { carelessStore } from '../../support/services/careless-store.ts';
import { CEPH, CREDENTIALS } from '../../support/services/ceph.ts';
import { storeProxy } from '../../support/services/store-proxy.ts';
import { rewrite, withDigest } from '../../support/trees/altered-tree.ts';
import { clientOf, manifestOf } from '../../support/trees/served.ts';

let store: string;
let trees: StoreWithTrees['trees'];

beforeAll(async () => {
  if (!CEPH.isMissing) ({ store, trees } = await storeWithTrees());
});

/** Returns the keys of the documents of a tree that are new or different in another tree. */
function differing(tree: string, other: string, prefix: string, keys: 'exact' | 'index' = 'exact'): string[] {
  const there = expectedDigests(other, prefix, keys);
  return [...expectedDigests(tree, prefix, keys)].filter(([key, sha]) => there.get(key) !== sha).map(([key]) => key);
}

describe.skipIf(CEPH.isMissing)(`a bucket${CEPH.because}`, () => {
  test('contains the tree at every form of each path, with metadata, and passes a crawl', async () => {
    const bucket = await newBucket(store);
    const { record, findings } = await publishTo(store, `s3://${bucket.name}/api/v1`, trees.first);
    expect(findings).toEqual([]);
    const expected = expectedDigests(trees.first, 'api/v1', 'exact');
    expect(await storedDigests(bucket)).toEqual(expected);
    expect(record).toMatchObject({
      destination: `s3://${bucket.name}/api/v1`,
      revision: manifestOf(trees.first).revision,
      // All objects except the manifest.
      objects: expected.size - 1,
    });
    const { metadata, ...sites } = await bucket.get('api/v1/sites');
    expect(sites).toEqual({
      body: readFileSync(join(trees.first, 'sites.json')),
      type: 'application/json',
      cache: CACHE_CONTROL.mutable,
    });
    const listed = manifestOf(trees.first).documents.find(({ path }) => path === '/sites');
    if (!listed || 'alias_of' in listed) throw new Error('there are no sites');
    expect(metadata).toEqual({ sha256: listed.sha256, mtime: String(listed.modified) });
    const version = await bucket.get(`api/v1/versions/${manifestOf(trees.first).revision}.json`);
    expect(version.cache).toBe(CACHE_CONTROL.immutable);
    expect((await bucket.get('api/v1/404.json')).type).toBe('application/problem+json');

    const client = clientOf(Number(new URL(store).port));
    const dialect = dialectOf({ dialect: 'current', vendor: 'gridpress', release: '1.0.0' });
    const report = await crawl({ fetch: (url) => client.get(`/${bucket.name}/api/v1${url}`), dialect });
    expect(report.findings).toEqual([]);
  });

  test('gets only differing objects and two more requests, the manifest last', async () => {
    const bucket = await newBucket(store);
    const proxy = await storeProxy(store);
    const place = `s3://${bucket.name}/api`;
    await publishTo(store, place, trees.first);
    await publishTo(proxy.url, place, trees.second, { parallel: 1 });
    const changed = differing(trees.second, trees.first, 'api');
    const [got, archived, claimed, ...sent] = proxy.asked.map(({ method, key }) => `${method} ${key}`);
    expect([got, claimed]).toEqual(['GET api/_manifest.json', 'PUT api/_manifest.json']);
    expect(archived).toMatch(/^PUT api\/_manifests\/00000002-[0-9a-f]{64}\.json$/);
    expect(sent.toSorted()).toEqual(changed.map((key) => `PUT ${key}`).sort());
    expect(sent.at(-1)).toBe('PUT api/_manifest.json');
    // The copy of the manifest in _manifests is new too.
    expect(proxy.asked).toHaveLength(changed.length + 1 + 2);
    expect(await storedDigests(bucket)).toEqual(
      new Map([...expectedDigests(trees.first, 'api', 'exact'), ...expectedDigests(trees.second, 'api', 'exact')]),
    );

    proxy.asked.length = 0;
    const { text } = await publishTo(proxy.url, place, trees.second);
    expect(proxy.asked).toEqual([{ method: 'GET', key: 'api/_manifest.json', status: 200 }]);
    expect(text).toBe(`${place} has revision ${manifestOf(trees.second).revision.slice(0, 8)} already.\n`);
  });

  test('receives immutable documents, items, collections, indexes and the root in this order', async () => {
    const bucket = await newBucket(store);
    const proxy = await storeProxy(store);
    await publishTo(store, `s3://${bucket.name}`, trees.first);
    await publishTo(proxy.url, `s3://${bucket.name}`, trees.second, { keys: 'exact' });
    const { revision } = manifestOf(trees.second);
    const stage = (key: string) => {
      if (key.includes(revision)) return 'immutable';
      if (key === 'index.json') return 'root';
      if (/^sites\/lyra(\/clusters\/main(\/nodes\/[-0-9]+)?)?(\/|\/index\.json|\.json)?$/.test(key)) return 'items';
      if (/\/versions\/latest(\/|\/index\.json|\.json)?$/.test(`/${key}`)) return 'items';
      if (/^(sites|.*\/clusters|.*\/nodes)(\/|\/index\.json|\.json)?$/.test(key)) return 'collections';
      return key === '_manifest.json' ? 'manifest' : 'indexes';
    };
    const stages = proxy.asked.slice(3).map(({ key }) => stage(key));
    expect(stages.filter((name, i) => name !== stages[i - 1])).toEqual([
      ...['immutable', 'items', 'collections', 'indexes', 'root', 'manifest'],
    ]);
  });

  test('of a website contains only index documents and .json keys', async () => {
    const bucket = await newBucket(store);
    await publishTo(store, `s3://${bucket.name}`, trees.first, { keys: 'index' });
    expect(await storedDigests(bucket)).toEqual(expectedDigests(trees.first, '', 'index'));
    // Another key style shares no objects with this one.
    const { record } = await publishTo(store, `s3://${bucket.name}`, trees.first, { keys: 'exact', dryRun: true });
    expect(record).toMatchObject({ objects: expectedDigests(trees.first, '', 'exact').size - 1 });
  });

  test('is unchanged by --dry-run, which lists all changes', async () => {
    const bucket = await newBucket(store);
    const proxy = await storeProxy(store);
    const place = `s3://${bucket.name}/api`;
    await publishTo(store, place, trees.second);
    const { text: counted } = await publishTo(proxy.url, place, trees.third, { dryRun: true });
    expect(counted).toMatch(/^create \d+: .*\nupdate \d+: .*\ndelete \d+: .*\nDocuments: .*\n$/);
    setVerbosity('verbose');
    const { text } = await publishTo(proxy.url, place, trees.third, { dryRun: true });
    setVerbosity('normal');
    expect(proxy.asked.map(({ method }) => method)).toEqual(['GET', 'GET']);
    // Changes of folders are listed in the same form.
    const folder = join(newFolder(), 'www');
    for (const dryRun of [true, false]) {
      const [here, there] = [folder, `${place}/${dryRun}`].map(
        async (to) => (await publishTo(store, to, trees.third, { dryRun })).record,
      );
      expect(Object.keys((await here) ?? {})).toEqual(Object.keys((await there) ?? {}));
      expect(await here).toMatchObject({ dry_run: dryRun, is_written: !dryRun });
    }
    const [before, after] = [manifestOf(trees.second).revision, manifestOf(trees.third).revision];
    const lines = text.split('\n');
    expect(lines).toContain('update /sites: its content differs');
    expect(lines).toContain(`create /sites/versions/${after}: it is new`);
    // The newest version of the cluster was an alias at the previous head.
    const left = lines.filter((line) => line.startsWith('delete '));
    expect(left).toContain(
      `delete /sites/lyra/clusters/main/nodes/00000000-0000-4000-8000-000000000002/versions/${before}: the tree does not have it: gridpress prune removes it later`,
    );
  });

  test('writes a list of URLs to purge from caches', async () => {
    const bucket = await newBucket(store);
    const place = `s3://${bucket.name}`;
    const purgeFile = join(newFolder(), 'purge.txt');
    await publishTo(store, place, trees.first);
    await publishTo(store, place, trees.second, { purgeFile, baseUrl: 'https://api.example.org/v1/' });
    const lines = readFileSync(purgeFile, 'utf8').split('\n');
    const base = 'https://api.example.org/v1';
    for (const form of ['', '/', '/sites', '/sites/', '/sites.json', '/changes/feed.atom', '/_manifest.json'])
      expect(lines).toContain(`${base}${form}`);
    expect(lines.filter((line) => line.includes('/versions/') && /[0-9a-f]{40}/.test(line))).toEqual([]);
  });

  test('never receives any part of a damaged tree', async () => {
    const bucket = await newBucket(store);
    const proxy = await storeProxy(store);
    const folder = join(newFolder(), 'dist');
    await cp(trees.second, folder, { recursive: true });
    writeFileSync(join(folder, 'sites.json'), '{}');
    await publishTo(store, `s3://${bucket.name}`, trees.first);
    const said = await failureOf(() => publishTo(proxy.url, `s3://${bucket.name}`, folder));
    expect(said).toBe(
      `error: The tree at ${folder} is damaged: sites.json does not have the digest in the manifest. Its manifest was not published. [bucket-tree-damaged]\n  List all damage with "gridpress verify", and rebuild the tree: gridpress build --force.\n`,
    );
    expect(proxy.asked.map(({ method }) => method)).toEqual(['GET']);
  });

  test('with a newer or foreign tree is left unchanged', async () => {
    const bucket = await newBucket(store);
    const place = `s3://${bucket.name}`;
    await publishTo(store, place, trees.second);
    for (const force of [false, true])
      expect(await failureOf(() => publishTo(store, place, trees.first, { force }))).toBe(
        `error: ${place} contains a newer tree: it has the serial 2, and the tree to publish has 1. Nothing was written. [bucket-older]\n  Build from the newest revision. To publish the older tree, use --older.\n`,
      );
    await publishTo(store, place, trees.first, { older: true });
    expect((await bucket.get('_manifest.json')).body).toEqual(readFileSync(join(trees.first, '_manifest.json')));

    await bucket.put('else/_manifest.json', '{"name":"something else"}');
    expect(await failureOf(() => publishTo(store, `${place}/else`, trees.first))).toBe(
      `error: ${place}/else has a _manifest.json that gridpress did not write. Nothing was written. [bucket-foreign]\n  Name another prefix, or overwrite it with --force.\n`,
    );
    await publishTo(store, `${place}/else`, trees.first, { force: true });
    expect((await bucket.get('else/sites')).body).toEqual(readFileSync(join(trees.first, 'sites.json')));
  });

  test('receives everything if its manifest is unreadable', async () => {
    const bucket = await newBucket(store);
    const place = `s3://${bucket.name}`;
    await publishTo(store, place, trees.first);
    const { body, metadata } = await bucket.get('_manifest.json');
    // The manifest claims that the new objects exist, but its digest is wrong.
    const later = manifestOf(trees.second).documents.find(({ path }) => path === '/sites');
    const now = manifestOf(trees.first).documents.find(({ path }) => path === '/sites');
    const digestOf = (each: typeof later) => (each && 'sha256' in each ? each.sha256 : '');
    const lying = body.toString().replace(digestOf(now), digestOf(later));
    expect(lying).not.toBe(body.toString());
    for (const text of [lying, body.toString().replace('"cache":', '"added_later":1,"cache":')]) {
      await bucket.put('_manifest.json', text, metadata);
      const { record } = await publishTo(store, place, trees.second, { dryRun: true });
      const everything = expectedDigests(trees.second, '', 'exact').size - 1;
      expect(record).toMatchObject({ objects: everything, documents: { unchanged: 0 } });
    }
  });

  test('in use by another publisher is left unchanged until that claim expires', async () => {
    const bucket = await newBucket(store);
    const proxy = await storeProxy(store);
    const place = `s3://${bucket.name}/api`;
    await publishTo(store, place, trees.first);
    // The other publisher stops after ten objects, as after a power failure.
    const going = () => proxy.asked.filter(({ method }) => method === 'PUT').length <= 12;
    proxy.decide = () => (going() ? 'pass' : 'cut-before');
    expect(await failureOf(() => publishTo(proxy.url, place, trees.other, { parallel: 1 }))).toMatch(
      /^error: http:\/\/127\.0\.0\.1:\d+ gives no usable answer: ECONNRESET\. \[bucket-unreachable\]/,
    );
    const claimed = splitClaim((await bucket.get('api/_manifest.json')).body);
    expect(claimed.manifest).toEqual(readFileSync(join(trees.first, '_manifest.json')));
    expect(claimed.claim).toMatchObject({ purpose: 'publish', revision: manifestOf(trees.other).revision });
    expect((claimed.claim?.until ?? 0) - (claimed.claim?.since ?? 0)).toBeGreaterThanOrEqual(300);

    const state = newFolder();
    const said = await failureOf(() => publishTo(store, place, trees.second, { state }));
    expect(said).toMatch(
      new RegExp(
        `^error: Another publication \\(revision ${manifestOf(trees.other).revision.slice(0, 8)}\\) of ${place} has been running since 2\\S+Z\\. Its claim ends at 2\\S+Z\\. \\[bucket-claimed\\]`,
      ),
    );
    await publishTo(store, place, trees.second, { state, force: true });
    const stored = await storedDigests(bucket);
    for (const [key, digest] of expectedDigests(trees.second, 'api', 'exact'))
      expect([key, stored.get(key)]).toEqual([key, digest]);
  });

  test('with an expired claim is taken over', async () => {
    const bucket = await newBucket(store);
    await publishTo(store, `s3://${bucket.name}`, trees.first);
    const { manifest } = splitClaim((await bucket.get('_manifest.json')).body);
    const claim = { nonce: 'other', purpose: 'publish', since: 1, until: 2 } as const;
    await bucket.put('_manifest.json', withClaim(manifest, { ...claim, begun: [] }).toString());
    await publishTo(store, `s3://${bucket.name}`, trees.second);
    expect((await bucket.get('_manifest.json')).body).toEqual(readFileSync(join(trees.second, '_manifest.json')));
  });
});

test.each(['ignores', 'refuses'] as const)(
  'a store that %s conditional writes is rejected without --force',
  async (how) => {
    for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
    const careless = await carelessStore(how);
    const { first } = await smallTrees();
    expect(await failureOf(() => publishTo(careless.url, 's3://bucket/api', first))).toBe(
      'error: The store of s3://bucket/api does not prevent two publishers from writing at the same time: it ignores the conditions If-Match and If-None-Match. [bucket-unconditional]\n  Make sure that only one publisher runs at a time, and use --force.\n',
    );
    expect([...careless.objects.keys()]).toEqual([]);
    const { findings } = await publishTo(careless.url, 's3://bucket/api', first, { force: true });
    expect(findings).toEqual([{ code: 'bucket-unguarded', args: { place: 's3://bucket/api' } }]);
    expect(careless.objects.get('api/_manifest.json')).toEqual(readFileSync(join(first, '_manifest.json')));
  },
);

test('each object is sent with a checksum, also without a journal', async () => {
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
  const careless = await carelessStore('ignores');
  const { first } = await smallTrees();
  const state = join(newFolder(), 'none');
  const { findings } = await publishTo(careless.url, 's3://bucket', first, { force: true, state });
  expect(findings.map(({ code }) => code)).toEqual(['bucket-unguarded', 'bucket-no-journal']);
  const sums = [...careless.objects].map(([key, body]) => [key, createHash('sha256').update(body).digest('base64')]);
  const sent = [...careless.headers].map(([key, headers]) => [key, headers['x-amz-checksum-sha256']]);
  expect(sent).toEqual(expect.arrayContaining(sums));
});

test('objects are sent again if their Cache-Control header changed', async () => {
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
  const careless = await carelessStore('ignores');
  const { first } = await smallTrees();
  const again = async (options: { readonly dryRun: boolean }) =>
    (await publishTo(careless.url, 's3://bucket', first, { force: true, ...options })).record;
  await again({ dryRun: false });
  expect(await again({ dryRun: true })).toMatchObject({ objects: 0, changes: [] });
  const caching = 'public, max-age=7';
  rewrite(first, '_manifest.json', (text) => withDigest(text.replace(CACHE_CONTROL.mutable, caching)));
  const paths = manifestOf(first).documents.flatMap(({ path, cache }) => (cache === 'mutable' ? [path] : []));
  expect(await again({ dryRun: true })).toMatchObject({
    changes: [...paths, '/404.json'].sort().map((path) => ({ path, action: 'update', reason: 'other-headers' })),
  });
  await again({ dryRun: false });
  expect(await again({ dryRun: true })).toMatchObject({ objects: 0, changes: [] });
  expect(careless.headers.get('sites')).toMatchObject({ 'cache-control': caching });
});
