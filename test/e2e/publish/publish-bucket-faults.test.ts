/**
 * Publishes to a bucket of a real object store under faults: cut connections, delayed and lost responses, an overloaded
 * store, killed publishers, concurrent publishers.
 */

import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject } from '../../../src/core/model/json.ts';
import { splitClaim } from '../../../src/system/trees/claimed-manifest.ts';
import { newFolder } from '../../support/folders.ts';
import { startGridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import {
  expectedDigests,
  newBucket,
  publishTo,
  type StoreWithTrees,
  storedDigests,
  storeWithTrees,
  type TestBucket,
} from '../../support/services/bucket.ts';
import { CEPH, CREDENTIALS } from '../../support/services/ceph.ts';
import { type Fate, storeProxy } from '../../support/services/store-proxy.ts';
import { clientOf, manifestOf } from '../../support/trees/served.ts';
import { random } from '../../support/values/random.ts';

let store: string;
let trees: StoreWithTrees['trees'];

beforeAll(async () => {
  if (!CEPH.isMissing) ({ store, trees } = await storeWithTrees());
});

/** Every object of the tree has its bytes; objects of other trees may exist too. */
async function expectWhole(bucket: TestBucket, tree: string): Promise<void> {
  const stored = await storedDigests(bucket);
  const expected = expectedDigests(tree, '', 'index');
  const found = [...expected].map(([key]) => [key, stored.get(key)] as const);
  expect(new Map(found)).toEqual(expected);
}

const index = { keys: 'index' } as const;

/** Counts the objects that differ between two trees, without the manifest. */
function changedObjects(tree: string, before: string): number {
  const there = expectedDigests(before, '', 'index');
  return [...expectedDigests(tree, '', 'index')].filter(([key, digest]) => there.get(key) !== digest).length - 1;
}

/**
 * Starts clients that read from the root repeatedly. Each body must be from one of the trees, and every link must
 * answer.
 */
function readersOf(bucket: TestBucket, allowed: readonly string[]) {
  const client = clientOf(Number(new URL(store).port));
  const revisions = new Map(allowed.map((tree) => [manifestOf(tree).revision, tree]));
  const wrong: string[] = [];
  let [isOver, reads] = [false, 0];
  const read = async (href: string): Promise<string[]> => {
    const file = href === '/' ? 'index.json' : `${href.slice(1)}.json`;
    const { status, body } = await client.get(`/${bucket.name}/${file}`);
    reads++;
    if (status !== 200) wrong.push(`${href} answers ${status}`);
    const parsed: unknown = status === 200 ? JSON.parse(body) : {};
    const tree = revisions.get(isJsonObject(parsed) ? String(parsed['version']) : '');
    if (tree === undefined || readFileSync(join(tree, file), 'utf8') !== body) wrong.push(`${href} is of no tree`);
    return [...body.matchAll(/"rel":"(?:sites|clusters|nodes|version|versions)","href":"([^"]*)"/g)].map(
      ([, to = '']) => to,
    );
  };
  const walk = async () => {
    while (!isOver) {
      for (const collection of await read('/')) {
        const hrefs = await read(collection);
        for (const href of hrefs.slice(0, 6)) await read(href);
      }
    }
  };
  const walking = walk();
  return async () => {
    isOver = true;
    await walking;
    return { wrong: [...new Set(wrong)], reads };
  };
}

const FATES: readonly Fate[] = ['cut-before', 'cut-after', 'half', 500, 503];

describe.skipIf(CEPH.isMissing)(`a bucket${CEPH.because}`, () => {
  // Ten publications with ten faults each.
  test.each(Array.from({ length: 10 }, (_, seed) => seed))('is complete after faults, seed %i', async (seed) => {
    const bucket = await newBucket(store);
    await publishTo(store, `s3://${bucket.name}`, trees.first, index);
    const { below, pick } = random(seed);
    const most = changedObjects(trees.second, trees.first) + 4;
    const points = new Set([0, 1, 2, most - 1].slice(seed % 4, (seed % 4) + 1));
    while (points.size < 10) points.add(below(most));
    const proxy = await storeProxy(store);
    let [count, faults] = [0, 0];
    proxy.decide = async () => {
      if (!points.has(count++)) return 'pass';
      faults++;
      const fate = pick([...FATES, 'delay' as const]);
      if (fate !== 'delay') return fate;
      await sleep(below(100));
      return 'pass';
    };
    const stop = readersOf(bucket, [trees.first, trees.second]);
    await publishTo(proxy.url, `s3://${bucket.name}`, trees.second, index);
    const { wrong, reads } = await stop();
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    expect(faults).toBe(10);
    await expectWhole(bucket, trees.second);
  });

  test.each(Array.from({ length: 6 }, (_, seed) => seed))(
    'gets only missing objects after a network failure, seed %i',
    async (seed) => {
      const bucket = await newBucket(store);
      const place = `s3://${bucket.name}`;
      await publishTo(store, place, trees.first, index);
      const changed = changedObjects(trees.second, trees.first);
      // Three requests come first: read the manifest, upload the new one, write the claim.
      const sent = random(seed).below(changed);
      const proxy = await storeProxy(store);
      proxy.decide = () => (proxy.asked.length <= 3 + sent ? 'pass' : 'cut-before');
      const state = newFolder();
      const options = { ...index, parallel: 1, state };
      expect(await failureOf(() => publishTo(proxy.url, place, trees.second, options))).toContain(
        '[bucket-unreachable]',
      );
      proxy.asked.length = 0;
      proxy.decide = () => 'pass';
      await publishTo(proxy.url, place, trees.second, options);
      expect(proxy.asked.map(({ method }) => method)).toEqual([
        'GET',
        // Lists the manifests of unfinished publications.
        'GET',
        ...Array(1 + (changed - sent) + 1).fill('PUT'),
      ]);
      await expectWhole(bucket, trees.second);
    },
  );

  test.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'gets only missing objects after the publisher was killed, seed %i',
    async (seed) => {
      const bucket = await newBucket(store);
      const place = `s3://${bucket.name}`;
      await publishTo(store, place, trees.first, index);
      const proxy = await storeProxy(store);
      const folder = newFolder();
      const call = [
        ...['publish', place, '--tree', trees.second, '--endpoint', proxy.url, '--keys', 'index'],
        ...['--parallel', '1', '--state', folder, '--json'],
      ];
      const fatal = 1 + random(seed).below(changedObjects(trees.second, trees.first) + 4);
      const killed = startGridpress(call, { cwd: folder, env: CREDENTIALS });
      proxy.decide = () => {
        if (proxy.asked.length === fatal) killed.kill('SIGKILL');
        return proxy.asked.length >= fatal ? 'cut-before' : 'pass';
      };
      await once(killed, 'close');
      expect(killed.signalCode).toBe('SIGKILL');
      const before = proxy.asked.splice(0).filter(({ status }) => status === 200);
      proxy.decide = () => 'pass';
      const next = startGridpress(call, { cwd: folder, env: CREDENTIALS });
      await once(next, 'close');
      expect(next.exitCode).toBe(0);
      const documents = (asked: typeof before) =>
        asked.filter(({ method, key }) => method === 'PUT' && !/_manifest/.test(key)).map(({ key }) => key);
      const [done, then] = [documents(before), documents(proxy.asked)];
      expect(then.filter((key) => done.includes(key))).toEqual([]);
      expect(done.length + then.length).toBe(changedObjects(trees.second, trees.first));
      await expectWhole(bucket, trees.second);
    },
  );

  test('is complete if another publisher continues without the journal', async () => {
    const bucket = await newBucket(store);
    const place = `s3://${bucket.name}`;
    await publishTo(store, place, trees.first, index);
    const proxy = await storeProxy(store);
    const changed = changedObjects(trees.other, trees.first);
    proxy.decide = () => (proxy.asked.length <= 3 + changed - 5 ? 'pass' : 'cut-before');
    await failureOf(() => publishTo(proxy.url, place, trees.other, { ...index, state: newFolder() }));
    await publishTo(store, place, trees.second, { ...index, state: newFolder(), force: true });
    await expectWhole(bucket, trees.second);
  });

  test('has one winner of two concurrent publications, in any order of requests', async () => {
    const seen = new Set<string>();
    const { second, other } = trees;
    for (let seed = 0; seed < 20; seed++) {
      const bucket = await newBucket(store);
      const place = `s3://${bucket.name}`;
      const isFirst = seed % 3 === 0;
      if (!isFirst) await publishTo(store, place, trees.first, index);
      const turns = await turnsOf(seed, 2);
      const said = await Promise.all(
        [second, other].map((tree, i) => {
          const { url, end } = turns[i] ?? { url: '', end: () => {} };
          const state = newFolder();
          return failureOf(() => publishTo(url, place, tree, { ...index, parallel: 1, state })).finally(end);
        }),
      );
      const codes = said.map((text) => /\[([^\]]*)\]/.exec(text)?.[1] ?? 'published');
      seen.add(codes.join());
      const manifest = (await bucket.get('_manifest.json')).body;
      const winner = [second, other].find((tree) => readFileSync(join(tree, '_manifest.json')).equals(manifest)) ?? '';
      expect(codes[winner === second ? 0 : 1]).toBe('published');
      await expectWhole(bucket, winner);
    }
    expect(seen).toContain('published,bucket-lost');
    expect(seen).toContain('bucket-lost,published');
    expect(seen).toContain('published,bucket-claimed');
  });

  test('stays claimed while a publication runs', async () => {
    const bucket = await newBucket(store);
    await publishTo(store, `s3://${bucket.name}`, trees.first, index);
    const proxy = await storeProxy(store);
    proxy.decide = async ({ key }): Promise<Fate> => {
      if (!key.startsWith('_manifest')) await sleep(250);
      return 'pass';
    };
    // Longer than a lease lasts: about ninety objects, four at a time.
    const options = { ...index, parallel: 4, leaseSeconds: 3 };
    await publishTo(proxy.url, `s3://${bucket.name}`, trees.second, options);
    const claims = proxy.asked.filter(({ method, key }) => method === 'PUT' && key === '_manifest.json');
    expect(claims.length).toBeGreaterThan(3);
    await expectWhole(bucket, trees.second);
  });

  test('is left alone by a publisher that was suspended beyond its claim', async () => {
    const bucket = await newBucket(store);
    const place = `s3://${bucket.name}`;
    await publishTo(store, place, trees.first, index);
    const proxy = await storeProxy(store);
    const bed = new EventEmitter();
    const awake = once(bed, 'wake');
    // Holds all requests from the tenth on, including renewals of the claim.
    proxy.decide = async () => {
      if (proxy.asked.length < 10) return 'pass';
      await awake;
      return 'cut-before';
    };
    const options = { ...index, parallel: 1, leaseSeconds: 2, state: newFolder() };
    const first = failureOf(() => publishTo(proxy.url, place, trees.other, options));
    expect(await first).toMatch(
      /^error: The claim on s3:\S+ could not be renewed in time\. The command stopped before another publisher could begin\. \[bucket-lease\]/,
    );
    const { claim } = splitClaim((await bucket.get('_manifest.json')).body);
    // The dates of the store are whole seconds.
    await sleep(((claim?.until ?? Number.NaN) + 1) * 1000 - Date.now());
    await publishTo(store, place, trees.second, { ...index, state: newFolder() });
    bed.emit('wake');
    await expectWhole(bucket, trees.second);
  });
});

/** Returns proxies that let one request through at a time, in an order that depends on the seed. */
async function turnsOf(seed: number, publishers: number) {
  const { pick } = random(seed);
  const waiting = new Map<number, () => void>();
  const running = new Set(Array.from({ length: publishers }, (_, i) => i));
  const next = () => {
    if (waiting.size === 0 || waiting.size < running.size) return;
    const chosen = pick([...waiting.keys()].sort());
    const go = waiting.get(chosen);
    waiting.delete(chosen);
    go?.();
  };
  return Promise.all(
    [...running].map(async (i) => {
      const proxy = await storeProxy(store);
      proxy.decide = ({ method }) =>
        method === 'HEAD'
          ? 'pass'
          : new Promise((resolve) => {
              waiting.set(i, () => resolve('pass'));
              next();
            });
      const end = () => {
        running.delete(i);
        next();
      };
      return { url: proxy.url, end };
    }),
  );
}
