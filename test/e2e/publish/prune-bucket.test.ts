/** Prunes a bucket of a real object store. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { describePruned } from '../../../src/features/publish/publish.ts';
import { splitClaim } from '../../../src/system/trees/claimed-manifest.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import {
  expectedDigests,
  newBucket,
  pruneAt,
  publishTo,
  type StoreWithTrees,
  storeWithTrees,
  type TestBucket,
} from '../../support/services/bucket.ts';
import { CEPH } from '../../support/services/ceph.ts';
import { storeProxy } from '../../support/services/store-proxy.ts';
import { withDigest } from '../../support/trees/altered-tree.ts';

let store: string;
let trees: StoreWithTrees['trees'];

beforeAll(async () => {
  if (CEPH.isMissing) return;
  ({ store, trees } = await storeWithTrees());
  shared = await published();
});

interface Published {
  readonly bucket: TestBucket;
  readonly place: string;
}

/** Shared by tests that delete nothing. */
let shared: Published;

/** A bucket with three successive publications and foreign objects. */
async function published(): Promise<Published> {
  const bucket = await newBucket(store);
  const place = `s3://${bucket.name}/api`;
  for (const tree of [trees.first, trees.second, trees.third]) await publishTo(store, place, tree);
  for (const key of FOREIGN) await bucket.put(key, 'not ours');
  return { bucket, place };
}

/** Foreign objects below the prefix and outside it. */
const FOREIGN = ['api/notes.txt', 'api/sites/lyra.html', 'apiary/sites', 'else', 'api/sites/zeta.json'];

/** Foreign objects whose keys look like keys of a tree. */
const UNPROVEN = ['api/sites/lyra.html', 'api/sites/zeta.json'].map((name) => ({
  name,
  reason: 'no manifest lists it, and it lacks the digest that gridpress stores',
}));

function withoutArchive(keys: readonly string[]): string[] {
  return keys.filter((key) => !key.startsWith('api/_manifests/'));
}

function needed(...of: readonly string[]): string[] {
  return [...new Set([...of.flatMap((tree) => [...expectedDigests(tree, 'api', 'exact').keys()]), ...FOREIGN])].sort();
}

describe.skipIf(CEPH.isMissing)(`pruning a bucket${CEPH.because}`, () => {
  test('deletes objects that no recent manifest lists, and no foreign objects', async () => {
    const { bucket, place } = await published();
    expect(withoutArchive(await bucket.keys())).toEqual(needed(trees.first, trees.second, trees.third));
    await pruneAt(store, place, { keep: 2 });
    expect(withoutArchive(await bucket.keys())).toEqual(needed(trees.second, trees.third));
    await pruneAt(store, place);
    const left = await bucket.keys();
    expect(withoutArchive(left)).toEqual(needed(trees.third));
    expect(left.filter((key) => key.startsWith('api/_manifests/00000003-'))).toHaveLength(1);
    expect(left.filter((key) => key.startsWith('api/_manifests/'))).toHaveLength(1);
    expect((await bucket.get('api/_manifest.json')).body).toEqual(readFileSync(join(trees.third, '_manifest.json')));
    const { record } = await publishTo(store, place, trees.third);
    expect(record).toMatchObject({ objects: 0, requests: 1 });
  });

  test('keeps objects that are younger than the grace period', async () => {
    const { bucket, place } = shared;
    const before = await bucket.keys();
    expect(await pruneAt(store, place, { grace: 1 })).toMatchObject({ removed: [], left: [] });
    expect(await bucket.keys()).toEqual(before);
  });

  test('--dry-run lists the objects to delete, and writes nothing', async () => {
    const { bucket, place } = shared;
    const proxy = await storeProxy(store);
    const pruned = await pruneAt(proxy.url, place, { dryRun: true });
    const gone = needed(trees.first, trees.second, trees.third).filter((key) => !needed(trees.third).includes(key));
    const old = (await bucket.keys()).filter((key) => /_manifests\/0000000[12]-/.test(key));
    const requests = proxy.asked.length + proxy.askedHeads.length;
    expect(pruned).toMatchObject({ destination: place, dryRun: true, requests });
    expect(describePruned(pruned).split('\n')).toEqual([
      ...old.map((key) => `remove ${key}: it is not a recent manifest`),
      ...gone.map((key) => `remove ${key}: no recent manifest lists it`),
      ...UNPROVEN.map(({ name, reason }) => `leave ${name}: ${reason}`),
      `${place}: ${gone.length + 2} objects would be removed, 2 left that no manifest lists.`,
      '',
    ]);
    expect(proxy.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('prune --json and publish --prune --json print the same record', async () => {
    const { bucket, place } = await published();
    const removable = (await bucket.keys()).filter((key) => /_manifests\/0000000[12]-/.test(key));
    const ask = async (...args: string[]) => {
      const run = await gridpress([...args, '--endpoint', store, '--keep', '1', '--grace', '0', '--json']);
      return { ...run, record: JSON.parse(run.stdout) };
    };
    const planned = await ask('prune', place, '--dry-run');
    const { removed } = planned.record;
    expect(removed).toEqual(
      expect.arrayContaining(removable.map((name) => ({ name, reason: 'it is not a recent manifest' }))),
    );
    const same = { ok: true, destination: place, removed, left: UNPROVEN };
    const requests = expect.any(Number);
    expect(planned.record).toEqual({ ...same, dry_run: true, requests, findings: [] });
    const done = await ask('publish', place, '--prune');
    expect(done.record).toMatchObject({ ...same, dry_run: false });
    expect(done.record.findings).toEqual([
      {
        code: 'publish-prune-moved',
        severity: 'warning',
        message: `"gridpress publish --prune" is deprecated. The command is "gridpress prune ${place}".`,
        fix: 'Use the new command. A later version may remove the option.',
      },
    ]);
    expect(done.status).toBe(0);
    expect(withoutArchive(await bucket.keys())).toEqual(needed(trees.third));
  });

  test('deletes nothing if it would exceed --max-deletes', async () => {
    const { bucket, place } = await published();
    const before = await bucket.keys();
    const said = await failureOf(() => pruneAt(store, place, { maxDeletes: 3 }));
    expect(said).toMatch(
      /^error: The command would delete \d+ objects, which is more than 3 \(--max-deletes\)\. Nothing was deleted\. \[bucket-max-deletes\]\n {2}List them with --dry-run, then allow more\.\n$/,
    );
    expect(await bucket.keys()).toEqual(before);
    // The grace period is zero.
    await pruneAt(store, place);
    expect(withoutArchive(await bucket.keys())).toEqual(needed(trees.third));
  });

  test('deletes nothing if a recent manifest disappears before it is read', async () => {
    const { bucket, place } = shared;
    const before = await bucket.keys();
    const proxy = await storeProxy(store);
    proxy.decide = ({ method, key }) => (method === 'GET' && key.includes('_manifests/') ? 404 : 'pass');
    expect(await failureOf(() => pruneAt(proxy.url, place, { keep: 2 }))).toMatch(
      /The manifest api\/_manifests\/00000003-\S+ cannot be read completely, so it is unknown which objects \S+ needs\. Nothing was deleted\. \[bucket-unreadable-manifest\]/,
    );
    expect(await bucket.keys()).toEqual(before);
  });

  /** Alters the live manifest or the newest one in _manifests, like a newer or a faulty program. */
  const alterations: Readonly<Record<string, (text: string) => string>> = {
    'has a line that is not known': (text) =>
      withDigest(text.replace('"cache":"mutable"', '"cache":"mutable","added_later":1')),
    'has another line than its seal says': (text) => text.replace('"cache":"mutable"', '"cache":"immutable"'),
    'has lost a line': (text) => text.replace(/\n[^\n]*,\n/, '\n'),
    'is cut': (text) => text.slice(0, -20),
  };
  test.each(Object.keys(alterations))('deletes nothing if a recent manifest %s', async (what) => {
    const { bucket, place } = shared;
    const alter = alterations[what] ?? String;
    const newest = (await bucket.keys()).find((key) => key.startsWith('api/_manifests/00000003-')) ?? '';
    const text = (await bucket.get(newest)).body.toString();
    expect(alter(text)).not.toBe(text);
    const before = (await bucket.keys()).toSorted();
    const refused = (key: string) =>
      `error: The manifest ${key} cannot be read completely, so it is unknown which objects ${place} needs. Nothing was deleted. [bucket-unreadable-manifest]\n  A newer gridpress may be able to read it. Otherwise publish again. If the object is below _manifests, you can delete it instead.\n`;
    await bucket.put(newest, alter(text));
    for (const dryRun of [true, false])
      expect(await failureOf(() => pruneAt(store, place, { dryRun }))).toBe(refused(newest));
    // Kept manifests count as well.
    await bucket.put(newest, text);
    const oldest = before.find((key) => key.startsWith('api/_manifests/00000001-')) ?? '';
    const old = (await bucket.get(oldest)).body.toString();
    await bucket.put(oldest, alter(old));
    expect(await failureOf(() => pruneAt(store, place, { keep: 3 }))).toBe(refused(oldest));
    await bucket.put(oldest, old);
    await bucket.put('api/_manifest.json', alter(text));
    expect(await failureOf(() => pruneAt(store, place))).toBe(refused('api/_manifest.json'));
    await bucket.put('api/_manifest.json', text);
    expect((await bucket.keys()).toSorted()).toEqual(before);
  });

  test.each(['POST', 'DELETE'])('deletes nothing after its claim has expired (%s)', async (how) => {
    const { bucket, place } = await published();
    const before = (await bucket.keys()).toSorted();
    const proxy = await storeProxy(store);
    const of = (wanted: string) => proxy.asked.filter(({ method }) => method === wanted);
    proxy.decide = async ({ method, key }) => {
      if (method === 'PUT' && key === 'api/_manifest.json' && of('PUT').length > 1) return 'cut-before';
      if (method === 'POST' && how === 'DELETE') return 501;
      if (method !== how || of(how).length > 1) return 'pass';
      await sleep(2500);
      return 503;
    };
    expect(await failureOf(() => pruneAt(proxy.url, place, { leaseSeconds: 2 }))).toBe(
      `error: The claim on ${place} could not be renewed in time. The command stopped before another publisher could begin. [bucket-lease]\n  Check the network, and run the command again. It continues where it stopped.\n`,
    );
    expect(of(how)).toHaveLength(1);
    expect((await bucket.keys()).toSorted()).toEqual(before);
  });

  test('waits for a publication in progress', async () => {
    const { bucket, place } = await published();
    const before = await bucket.keys();
    const proxy = await storeProxy(store);
    proxy.decide = () => (proxy.asked.length <= 10 ? 'pass' : 'cut-before');
    await failureOf(() => publishTo(proxy.url, place, trees.second, { older: true, state: newFolder() }));
    expect(splitClaim((await bucket.get('api/_manifest.json')).body).claim?.begun).toHaveLength(1);
    const said = await failureOf(() => pruneAt(store, place, { force: true }));
    expect(said).toBe(
      `error: A publication of ${place} was started and not finished. [bucket-unfinished]\n  Publish first, then prune.\n`,
    );
    expect(await bucket.keys()).toEqual(before);
  });

  test.each([501, 204])('deletes one object at a time if the store lacks bulk deletion (%i)', async (status) => {
    const { bucket, place } = await published();
    const proxy = await storeProxy(store);
    proxy.decide = ({ method }) => (method === 'POST' ? status : 'pass');
    await pruneAt(proxy.url, place);
    expect(withoutArchive(await bucket.keys())).toEqual(needed(trees.third));
    expect(proxy.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('fails if nothing is published', async () => {
    const { name } = await newBucket(store);
    expect(await failureOf(() => pruneAt(store, `s3://${name}`))).toBe(
      `error: Nothing is published at s3://${name}. [bucket-nothing]\n  Check the bucket and the prefix.\n`,
    );
  });
});
