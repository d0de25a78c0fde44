/** Locks over HTTP from older, changing, failing, slow and foreign services. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { type LockOptions, lock } from '../../../src/features/lock/take-lock.ts';
import { type VerifyOptions, verifyLock } from '../../../src/features/lock/verify-lock.ts';
import { retryAfterMs } from '../../../src/system/client/retry.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';
import { START } from '../../support/registries/three-revisions.ts';
import { type OlderNode, olderService } from '../../support/services/older-service.ts';
import { type Given, type Handler, serviceOf } from '../../support/services/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REACH = { timeout: 10, maxRequests: 100, pauseMs: 1 };
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

/** Returns the response of a tree at the root of its server. */
function answerOf(tree: string, path: string): Given {
  try {
    return { body: readFileSync(join(tree, path === '/' ? 'index.json' : `${path}.json`), 'utf8') };
  } catch {
    return { status: 404 };
  }
}

/** Serves the head's tree, except for responses that the test replaces. */
const headBut =
  (before: Handler): Handler =>
  (path, response, n) => {
    const given = before(path, response, n);
    return given?.status === undefined && given?.body === undefined && !response.headersSent && given
      ? answerOf(trees.head, path)
      : given;
  };

/** Answers from the tree itself. */
const AS_IS: Given = {};

const verify = (against: string, more: Partial<VerifyOptions> = {}) =>
  verifyLock({ ...REACH, file, against, class: ['hardware', 'component', 'firmware'], ...more });
const take = (from: string, more: Partial<LockOptions> = {}) => lock({ ...REACH, nodes: ['lyra-1'], from, ...more });

/** Returns the first line of a failure, without the address of the service. */
async function firstLineOf(call: () => unknown, origin = 'http://service'): Promise<string> {
  const text = await failureOf(call);
  return (text.split('\n')[0] ?? '').replaceAll(origin, 'http://service');
}

describe('an older service', () => {
  const A: OlderNode = { uid: NODE_UID, type: 'node', node_name: 'lyra-1', gpu: false, serial: 'A' };
  const versions = { old: 'a'.repeat(40), head: 'b'.repeat(40) };

  test('can be locked and verified by bodies alone', async () => {
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

  test('gives the same verdict as a tree with the same bodies', async () => {
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

describe('a service that publishes another revision while it is read', () => {
  /** The head is served from the nth request on. */
  const movingAt =
    (n: number): Handler =>
    (path, _, asked) =>
      answerOf(asked < n ? trees.old : trees.head, path);

  test.each([2, 3, 4, 5])('is read again once: at request %i', async (n) => {
    const { origin, asked, headersOf } = await serviceOf(movingAt(n));
    const expected = await verify(trees.head);
    const { nodes, to } = await verify(origin);
    // After the last response that can change, everything read is from the old revision.
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

  test('is read again if only a history shows the change', async () => {
    // The root, the sites, the clusters and the nodes are from the head; their histories are from the older tree.
    const { origin, asked } = await serviceOf((path, _, n) => answerOf(n > 4 ? trees.old : trees.head, path));
    expect((await verify(origin)).nodes).toMatchObject([{ status: 'same' }]);
    expect(asked.length).toBe(4 + 1 + 4);
  });

  test('is given up after the second change', async () => {
    let turn = 0;
    const { origin } = await serviceOf((path) => {
      if (path === '/') turn++;
      return answerOf(path === '/sites/lyra/clusters' ? trees.old : trees.head, path);
    });
    const [old, head] = [trees.old, trees.head].map(
      (tree) => JSON.parse(readFileSync(join(tree, 'index.json'), 'utf8')).version,
    );
    expect(await firstLineOf(() => verify(origin), origin)).toBe(
      `error: http://service/sites/lyra/clusters has the revision ${old.slice(0, 8)}, but earlier answers had ${head.slice(0, 8)}: new trees were published twice in the meantime. [site-moved]`,
    );
    expect(turn).toBe(2);
  });

  test('is checked again at the end if only some responses contain the version', async () => {
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

describe('a failing service', () => {
  test.each([500, 502, 503, 504, 429])('is asked again after %i', async (status) => {
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

  test('is asked again after a closed connection', async () => {
    const { origin } = await serviceOf(
      headBut((_, response, n) => {
        if (n % 2 === 0) return AS_IS;
        response.destroy();
        return undefined;
      }),
    );
    expect((await verify(origin)).ok).toBe(false);
  });

  test('is asked again after an incomplete response', async () => {
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

  test('is asked four times at most', async () => {
    const { origin, asked } = await serviceOf(() => ({ status: 500 }));
    expect(await firstLineOf(() => verify(origin), origin)).toBe(
      'error: http://service/ answers with the status 500. [site-status]',
    );
    expect(asked.length).toBe(4);
  });

  test('is not asked again if Retry-After is too long', async () => {
    const { origin, asked } = await serviceOf(() => ({ status: 503, headers: { 'Retry-After': '3600' } }));
    expect(await firstLineOf(() => verify(origin), origin)).toBe(
      'error: http://service/ asks clients to wait for 3,600 seconds. [site-busy]',
    );
    expect(asked.length).toBe(1);
  });

  test('is not asked again after a permanent error', async () => {
    const { origin, asked } = await serviceOf(() => ({ status: 403 }));
    expect(await firstLineOf(() => verify(origin), origin)).toBe(
      'error: http://service/ answers with the status 403. [site-status]',
    );
    expect(asked.length).toBe(1);
  });

  test('fails if it is silent, or sends one byte at a time', async () => {
    const { origin } = await serviceOf((path, response) => {
      if (path === '/silent/') return undefined;
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
      return undefined;
    });
    for (const base of [`${origin}/silent`, `${origin}/drips`])
      expect(await firstLineOf(() => verify(base, { timeout: 0.05 }), base)).toBe(
        'error: http://service/ does not answer: no answer in time. [no-answer]',
      );
  });

  test('may give Retry-After as a number or a date', () => {
    const now = Date.parse('Thu, 01 Jan 2026 12:00:00 GMT');
    const after = (text: string) => retryAfterMs(text, now);
    expect(after('9'.repeat(400))).toBe(1e12);
    expect(['7', 'Thu, 01 Jan 2026 12:00:09 GMT', 'Thu, 01 Jan 2026 11:00:00 GMT', 'soon', ''].map(after)).toEqual([
      7000, 9000, 0, 0, 0,
    ]);
  });
});

describe('a service is rejected', () => {
  const root = (sites: string) => ({ uid: 'x', version: 'v', links: [{ rel: 'sites', href: sites }] });

  test.each<[string, Handler, string]>([
    [
      'that sends a page',
      () => ({ body: '<!doctype html>', headers: { 'Content-Type': 'text/html' } }),
      'error: http://service/ does not answer with a JSON object. [site-not-json]',
    ],
    [
      'that sends other bytes than UTF-8',
      (_, response) => {
        response.end(Buffer.from('{"uid":"x","version":"v\xe9","links":[]}', 'latin1'));
        return undefined;
      },
      'error: http://service/ does not answer with a JSON object. [site-not-json]',
    ],
    [
      'that is another API',
      () => ({ body: { hello: 'world' } }),
      'error: http://service/ is not the root of the API. [no-api]',
    ],
    ['that does not exist', () => ({ status: 404 }), 'error: http://service/ is not the root of the API. [no-api]'],
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
      'whose sites have no links, so that no node seems removed',
      (path) => ({ body: path === '/' ? root('/sites') : { version: 'v', items: [{ uid: 'lyra' }] } }),
      'error: http://service/sites lacks a link to its clusters. [site-shape]',
    ],
    [
      'that gives a collection in pages',
      (path) => ({ body: path === '/' ? root('/sites') : { version: 'v', total: 9, items: [{ uid: 'a' }] } }),
      'error: http://service/sites contains 1 of 9 items. [site-incomplete]',
    ],
    [
      'with a dead link',
      (path) => (path === '/' ? { body: root('/sites') } : { status: 404 }),
      'error: http://service/sites does not exist, although another document links to it. [site-dead-link]',
    ],
    [
      'with a link to another server',
      () => ({ body: root('http://other.example/sites') }),
      'error: http://service/ refers to http://other.example/sites, which is on another server. [site-other-origin]',
    ],
    [
      'with a redirect to another server',
      () => ({ status: 301, headers: { Location: '//other.example/' } }),
      'error: http://service/ refers to //other.example/, which is on another server. [site-other-origin]',
    ],
    [
      'with a redirect loop',
      () => ({ status: 302, headers: { Location: '/' } }),
      'error: http://service/ redirects too often. [site-redirects]',
    ],
  ])('%s', async (_, handler, expected) => {
    const { origin } = await serviceOf(handler);
    expect(await firstLineOf(() => verify(origin), origin)).toBe(expected);
    expect(await firstLineOf(() => take(origin), origin)).toBe(
      expected.includes('[site-shape]') && expected.includes('a link')
        ? 'error: There is no node "lyra-1". [unknown-node]'
        : expected,
    );
  });

  test('that sends more than the limit', async () => {
    const { origin } = await serviceOf(() => ({ body: 'x'.repeat(10_000) }));
    expect(await firstLineOf(() => verify(origin, { largestBody: 1000 }), origin)).toBe(
      'error: http://service/ cannot be read: the response has more than the 1,000 bytes that are read. [too-large]',
    );
  });

  test('that would need more requests than the limit', async () => {
    const { origin, asked } = await serviceOf(headBut(() => AS_IS));
    expect(await firstLineOf(() => verify(origin, { maxRequests: 3 }))).toBe(
      'error: The command needs more than 3 requests, so it stopped. [site-requests]',
    );
    expect(asked.length).toBe(3);
  });

  test('that does not listen', async () => {
    expect(await firstLineOf(() => verify('http://127.0.0.1:1/'))).toBe(
      'error: http://127.0.0.1:1/ does not answer: connect ECONNREFUSED 127.0.0.1:1. [no-answer]',
    );
  });
});

describe('a valid service', () => {
  test('may redirect within its own server', async () => {
    const { origin } = await serviceOf((path) => {
      if (path === '/api/') return { status: 302, headers: { Location: '/v1/' } };
      if (!path.startsWith('/v1/')) return { status: 404 };
      if (path === '/v1/sites') return { status: 301, headers: { Location: '/v1/sites.json' } };
      return answerOf(trees.head, path.slice('/v1'.length).replace(/\.json$/, ''));
    });
    expect((await verify(`${origin}/api`)).nodes).toEqual((await verify(trees.head)).nodes);
  });

  test('gets few requests at a time', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const sites = Array.from({ length: 20 }, (_, i) => ({
      uid: `s${i}`,
      links: [{ rel: 'clusters', href: `/sites/s${i}/clusters` }],
    }));
    const { origin } = await serviceOf((path, response) => {
      if (path === '/') return { body: { version: 'v', links: [{ rel: 'sites', href: '/sites' }] } };
      if (path === '/sites') return { body: { version: 'v', items: sites } };
      // Holds all responses until no more requests arrive.
      waiting.push(() => response.end('{"version":"v","items":[]}'));
      if (waiting.length === 4) setImmediate(() => setImmediate(release));
      return undefined;
    });
    const release = () => {
      most = Math.max(most, waiting.length);
      for (const answer of waiting.splice(0)) answer();
    };
    expect(await firstLineOf(() => take(origin))).toBe('error: There is no node "lyra-1". [unknown-node]');
    expect(most).toBe(4);
  });

  test('with two nodes of one name needs a path or a uid', async () => {
    const { registry, record } = registryOf({
      [NODE.replace('7c9e', '8c9e')]: `type: node\nuid: ${NODE_UID.replace('7c9e', '8c9e')}\nnode_name: lyra-1\n`,
    });
    record('Twins');
    const other = PATH.replace('7c9e', '8c9e');
    expect(await firstLineOf(() => take(registry))).toBe(
      `error: "lyra-1" names 2 nodes: ${PATH}, ${other}. [ambiguous-node]`,
    );
    const { nodes } = (await take(registry, { nodes: [other] })).lock;
    expect(nodes.map(({ path }) => path)).toEqual([other]);
  });
});
