/** Locks over HTTP from services that are older, move meanwhile, fail, are slow, or are none of this API at all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { type LockOptions, lock } from '../../../src/features/lock/take-lock.ts';
import { type VerifyOptions, verifyLock } from '../../../src/features/lock/verify-lock.ts';
import { retryAfterMs } from '../../../src/system/client/api-over-http.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';
import { START } from '../../support/registries/three-revisions.ts';
import { type OlderNode, olderService } from '../../support/services/older-service.ts';
import { type Given, type Handler, serviceOf } from '../../support/services/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REACH = { timeout: 10, limit: 100, pauseMs: 1 };
const PATH = NODE.slice(0, -'.yaml'.length);

const folder = newFolder();
const file = join(folder, 'experiment.lock.json');
const trees = { old: join(folder, 'old'), head: join(folder, 'head') };

/** A disk is replaced between the lock and the head. */
beforeAll(async () => {
  const { registry, write, record } = registryOf(
    { [NODE]: `${START}node_name: lyra-1\nstorage_devices:\n  - {device: sda, serial: A1}\n` },
    newFolder(),
  );
  record('First');
  await build({ registry, out: trees.old, snapshots: 'none', showsProgress: false });
  write({ [NODE]: `${START}node_name: lyra-1\nstorage_devices:\n  - {device: sda, serial: A2}\n` });
  record('Replace the disk');
  await build({ registry, out: trees.head, snapshots: 'none', showsProgress: false });
  await lock({ ...REACH, nodes: ['lyra-1'], from: trees.old, out: file });
});

/** What a tree answers below the root of its server. */
function answerOf(tree: string, path: string): Given {
  try {
    return { body: readFileSync(join(tree, path === '/' ? 'index.json' : `${path}.json`), 'utf8') };
  } catch {
    return { status: 404 };
  }
}

/** The tree of the head, with some answers before those that it gives. */
const headBut =
  (before: Handler): Handler =>
  (path, response, n) => {
    const given = before(path, response, n);
    return given?.status === undefined && given?.body === undefined && !response.headersSent && given
      ? answerOf(trees.head, path)
      : given;
  };

/** Asks the tree itself. */
const AS_IS: Given = {};

const verify = (against: string, more: Partial<VerifyOptions> = {}) =>
  verifyLock({ ...REACH, file, against, class: ['hardware', 'component', 'firmware'], ...more });
const take = (from: string, more: Partial<LockOptions> = {}) => lock({ ...REACH, nodes: ['lyra-1'], from, ...more });

/** What the failure of a call says in its first line, with the service's own address left out. */
async function said(call: () => unknown, origin = 'http://service'): Promise<string> {
  const text = await failureOf(call);
  return (text.split('\n')[0] ?? '').replaceAll(origin, 'http://service');
}

describe('a service of the older family', () => {
  const A: OlderNode = { uid: NODE_UID, type: 'node', node_name: 'lyra-1', gpu: false, serial: 'A' };
  const versions = { old: 'a'.repeat(40), head: 'b'.repeat(40) };

  test('is locked and verified by bodies alone', async () => {
    let now = { version: versions.old, nodes: [A] };
    const { origin } = await serviceOf(
      olderService(
        () => now.version,
        () => now.nodes,
      ),
    );
    const older = join(temporaryFolder(), 'older.lock.json');
    const { lock: taken } = await take(`${origin}/3.0`, { out: older });
    expect(taken.revision).toEqual({ id: versions.old });
    const keys = taken.nodes.map((node) => Object.keys(node));
    expect(keys).toEqual([['path', 'uid', 'node_name', 'digest', 'classes']]);

    now = { version: versions.head, nodes: [A] };
    const same = await verify(`${origin}/3.0/`, { file: older });
    expect([same.ok, same.to, same.nodes.map(({ status }) => status)]).toEqual([true, { id: versions.head }, ['same']]);

    now = { version: versions.head, nodes: [{ ...A, serial: 'B', gpu: true }] };
    const changed = await verify(`${origin}/3.0/`, { file: older });
    expect(changed.nodes).toMatchObject([{ status: 'changed', fails: true, classes: ['hardware', 'component'] }]);
    expect(changed.nodes.map(({ revisions, fields }) => [revisions, fields])).toEqual([[undefined, undefined]]);

    now = { version: versions.head, nodes: [] };
    const removed = await verify(`${origin}/3.0`, { file: older });
    expect(removed.nodes).toMatchObject([{ status: 'removed', fails: true }]);
    expect(removed.nodes.map(({ revisions, removal }) => [revisions, removal])).toEqual([[undefined, undefined]]);
  });

  test('proves the same as a tree with the same bodies', async () => {
    const { storage_devices } = JSON.parse(answerOf(trees.old, `/${PATH}`).body?.toString() ?? '');
    const same: OlderNode = { storage_devices, node_name: 'lyra-1', uid: NODE_UID, type: 'node' };
    const { origin } = await serviceOf(
      olderService(
        () => versions.old,
        () => [same],
      ),
    );
    expect((await verify(`${origin}/3.0`)).ok).toBe(true);
    const older = join(temporaryFolder(), 'older.lock.json');
    await take(`${origin}/3.0`, { out: older });
    const verified = await verify(trees.head, { file: older });
    expect(verified.nodes).toMatchObject([{ status: 'changed', classes: ['component'] }]);
  });
});

describe('a service that publishes something new while it is read', () => {
  /** From the nth request on, the head is there. */
  const movingAt =
    (n: number): Handler =>
    (path, _, asked) =>
      answerOf(asked < n ? trees.old : trees.head, path);

  test.each([2, 3, 4, 5])('is read anew, once: at request %i', async (n) => {
    const { origin, asked, headersOf } = await serviceOf(movingAt(n));
    const expected = await verify(trees.head);
    const { nodes, to } = await verify(origin);
    // After the last answer that can change, nothing mixes any more: what was read is the old revision, as a whole.
    const isOld = n > 4;
    expect(to).toEqual(isOld ? (await verify(trees.old)).to : expected.to);
    expect(nodes).toEqual(isOld ? (await verify(trees.old)).nodes : expected.nodes);
    if (!isOld) {
      expect(asked.filter((path) => path === '/').length).toBe(2);
      expect([headersOf(0)['cache-control'], headersOf(asked.length - 1)['cache-control']]).toEqual([
        undefined,
        'no-cache',
      ]);
    }
  });

  test('is read anew when only a history shows it', async () => {
    // The root, the sites, the clusters and the nodes are the head's, and their histories the older tree's.
    const { origin, asked } = await serviceOf((path, _, n) => answerOf(n > 4 ? trees.old : trees.head, path));
    expect((await verify(origin)).nodes).toMatchObject([{ status: 'same' }]);
    expect(asked.length).toBe(4 + 1 + 4);
  });

  test('and does so again, is not read to its end', async () => {
    let turn = 0;
    const { origin } = await serviceOf((path) => {
      if (path === '/') turn++;
      return answerOf(path === '/sites/lyra/clusters' ? trees.old : trees.head, path);
    });
    const [old, head] = [trees.old, trees.head].map(
      (tree) => JSON.parse(readFileSync(join(tree, 'index.json'), 'utf8')).version,
    );
    expect(await said(() => verify(origin), origin)).toBe(
      `error: http://service/sites/lyra/clusters reflects the revision ${old.slice(0, 8)}, but what was read before it ${head.slice(0, 8)}: twice something new was published meanwhile. [site-moved]`,
    );
    expect(turn).toBe(2);
  });

  test('and does not say so in every answer, is asked again at the end', async () => {
    const tree = (path: string, n: number) => {
      const { body } = answerOf(n <= 4 ? trees.old : trees.head, path);
      const { version, ...rest } = JSON.parse(body?.toString() ?? '');
      return { body: path === '/' ? { version, ...rest } : rest };
    };
    const { origin, asked } = await serviceOf((path, _, n) => tree(path, n));
    expect((await verify(origin)).nodes).toMatchObject([{ status: 'changed' }]);
    expect(asked.filter((path) => path === '/').length).toBe(4);
  });
});

describe('a service that fails', () => {
  test.each([500, 502, 503, 504, 429])('with %i, is asked again', async (status) => {
    const failed = new Set<string>();
    const { origin, asked } = await serviceOf(
      headBut((path) => {
        if (failed.has(path)) return AS_IS;
        failed.add(path);
        return { status, headers: { 'Retry-After': '0' } };
      }),
    );
    expect((await verify(origin)).nodes).toEqual((await verify(trees.head)).nodes);
    expect(asked.length).toBe(failed.size * 2);
  });

  test('by cutting the connection, is asked again', async () => {
    const { origin } = await serviceOf(
      headBut((_, response, n) => {
        if (n % 2 === 0) return AS_IS;
        response.destroy();
        return undefined;
      }),
    );
    expect((await verify(origin)).ok).toBe(false);
  });

  test('in the middle of an answer, is asked again', async () => {
    const { origin } = await serviceOf(
      headBut((_, response, n) => {
        if (n % 2 === 0) return AS_IS;
        response.writeHead(200, { 'Content-Length': '1000' });
        response.write('{"type":', () => response.destroy());
        return undefined;
      }),
    );
    expect((await verify(origin)).ok).toBe(false);
  });

  test('always, is asked four times', async () => {
    const { origin, asked } = await serviceOf(() => ({ status: 500 }));
    expect(await said(() => verify(origin), origin)).toBe(
      'error: http://service/ answers with the status 500. [site-status]',
    );
    expect(asked.length).toBe(4);
  });

  test('and wants to be left alone for long, is', async () => {
    const { origin, asked } = await serviceOf(() => ({ status: 503, headers: { 'Retry-After': '3600' } }));
    expect(await said(() => verify(origin), origin)).toBe(
      'error: http://service/ asks to be left alone for 3,600 seconds. [site-busy]',
    );
    expect(asked.length).toBe(1);
  });

  test('with a status that does not pass, is not asked again', async () => {
    const { origin, asked } = await serviceOf(() => ({ status: 403 }));
    expect(await said(() => verify(origin), origin)).toBe(
      'error: http://service/ answers with the status 403. [site-status]',
    );
    expect(asked.length).toBe(1);
  });

  test('to answer in time, whether it is silent or sends a byte now and then', async () => {
    const { origin } = await serviceOf((path, response) => {
      if (path === '/silent/') return undefined;
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
      return undefined;
    });
    for (const base of [`${origin}/silent`, `${origin}/drips`])
      expect(await said(() => verify(base, { timeout: 0.05 }), base)).toBe(
        'error: http://service/ gave no answer: no answer in time. [no-answer]',
      );
  });

  test('to say how long in other words', () => {
    const now = Date.parse('Thu, 01 Jan 2026 12:00:00 GMT');
    const after = (text: string) => retryAfterMs({ headers: { 'retry-after': text } }, now);
    expect(['7', 'Thu, 01 Jan 2026 12:00:09 GMT', 'Thu, 01 Jan 2026 11:00:00 GMT', 'soon', ''].map(after)).toEqual([
      7000, 9000, 0, 0, 0,
    ]);
  });
});

describe('a service is refused', () => {
  const root = (sites: string) => ({ uid: 'x', version: 'v', links: [{ rel: 'sites', href: sites }] });

  test.each<[string, Handler, string]>([
    [
      'that answers with a page',
      () => ({ body: '<!doctype html>', headers: { 'Content-Type': 'text/html' } }),
      'error: http://service/ does not answer with a JSON object. [site-not-json]',
    ],
    [
      'that is another API',
      () => ({ body: { hello: 'world' } }),
      'error: There is no root of this API at http://service/. [no-api]',
    ],
    ['that is not there', () => ({ status: 404 }), 'error: There is no root of this API at http://service/. [no-api]'],
    [
      'that has no items',
      (path) => ({ body: path === '/' ? root('/sites') : { version: 'v' } }),
      'error: http://service/sites lacks items. [site-shape]',
    ],
    [
      'whose items have no uid',
      (path) => ({ body: path === '/' ? root('/sites') : { version: 'v', items: ['lyra'] } }),
      'error: http://service/sites lacks a uid in each of its items. [site-shape]',
    ],
    [
      'whose sites lead nowhere, so that no node seems removed',
      (path) => ({ body: path === '/' ? root('/sites') : { version: 'v', items: [{ uid: 'lyra' }] } }),
      'error: http://service/sites lacks a link to its clusters. [site-shape]',
    ],
    [
      'that gives a collection in pages',
      (path) => ({ body: path === '/' ? root('/sites') : { version: 'v', total: 9, items: [{ uid: 'a' }] } }),
      'error: http://service/sites holds 1 of 9 items. [site-incomplete]',
    ],
    [
      'that links to what is not there',
      (path) => (path === '/' ? { body: root('/sites') } : { status: 404 }),
      'error: http://service/sites is not there, though it is linked to. [site-dead-link]',
    ],
    [
      'that links to another server',
      () => ({ body: root('http://other.example/sites') }),
      'error: http://service/ leads to http://other.example/sites, which is on another server. [site-other-origin]',
    ],
    [
      'that redirects to another server',
      () => ({ status: 301, headers: { Location: '//other.example/' } }),
      'error: http://service/ leads to //other.example/, which is on another server. [site-other-origin]',
    ],
    [
      'that redirects in a circle',
      () => ({ status: 302, headers: { Location: '/' } }),
      'error: http://service/ redirects again and again. [site-redirects]',
    ],
  ])('%s', async (_, handler, expected) => {
    const { origin } = await serviceOf(handler);
    expect(await said(() => verify(origin), origin)).toBe(expected);
    expect(await said(() => take(origin), origin)).toBe(
      expected.includes('[site-shape]') && expected.includes('a link')
        ? 'error: There is no node lyra-1. [unknown-node]'
        : expected,
    );
  });

  test('that answers with more than is allowed', async () => {
    const { origin } = await serviceOf(() => ({ body: 'x'.repeat(10_000) }));
    expect(await said(() => verify(origin, { largestBody: 1000 }), origin)).toBe(
      'error: http://service/ cannot be read: the response has more than the 1,000 bytes that are read. [too-large]',
    );
  });

  test('when it would take more requests than are allowed', async () => {
    const { origin, asked } = await serviceOf(headBut(() => AS_IS));
    expect(await said(() => verify(origin, { limit: 3 }))).toBe(
      'error: More than 3 requests would be needed; it stopped. [site-requests]',
    );
    expect(asked.length).toBe(3);
  });

  test('when nothing listens', async () => {
    expect(await said(() => verify('http://127.0.0.1:1/'))).toBe(
      'error: http://127.0.0.1:1/ gave no answer: connect ECONNREFUSED 127.0.0.1:1. [no-answer]',
    );
  });
});

describe('a service', () => {
  test('may redirect within its own server', async () => {
    const { origin } = await serviceOf((path) => {
      if (path === '/api/') return { status: 302, headers: { Location: '/v1/' } };
      if (!path.startsWith('/v1/')) return { status: 404 };
      if (path === '/v1/sites') return { status: 301, headers: { Location: '/v1/sites.json' } };
      return answerOf(trees.head, path.slice('/v1'.length).replace(/\.json$/, ''));
    });
    expect((await verify(`${origin}/api`)).nodes).toEqual((await verify(trees.head)).nodes);
  });

  test('is asked for few things at once', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const sites = Array.from({ length: 20 }, (_, i) => ({
      uid: `s${i}`,
      links: [{ rel: 'clusters', href: `/sites/s${i}/clusters` }],
    }));
    const { origin } = await serviceOf((path, response) => {
      if (path === '/') return { body: { version: 'v', links: [{ rel: 'sites', href: '/sites' }] } };
      if (path === '/sites') return { body: { version: 'v', items: sites } };
      // Nothing is answered before as many are asked for as ever will be.
      waiting.push(() => response.end('{"version":"v","items":[]}'));
      if (waiting.length === 4) setImmediate(() => setImmediate(release));
      return undefined;
    });
    const release = () => {
      most = Math.max(most, waiting.length);
      for (const answer of waiting.splice(0)) answer();
    };
    expect(await said(() => take(origin))).toBe('error: There is no node lyra-1. [unknown-node]');
    expect(most).toBe(4);
  });

  test('of which two nodes have a name is asked for one by its path or uid', async () => {
    const { registry, record } = registryOf({
      [NODE.replace('7c9e', '8c9e')]: `type: node\nuid: ${NODE_UID.replace('7c9e', '8c9e')}\nnode_name: lyra-1\n`,
    });
    record('Twins');
    const other = PATH.replace('7c9e', '8c9e');
    expect(await said(() => take(registry))).toBe(
      `error: 2 nodes are called lyra-1: ${PATH}, ${other}. [ambiguous-node]`,
    );
    const { nodes } = (await take(registry, { nodes: [other] })).lock;
    expect(nodes.map(({ path }) => path)).toEqual([other]);
  });
});
