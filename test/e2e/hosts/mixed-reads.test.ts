/** A service switches to another revision while clients read it: no reader combines two revisions. */
import { cpSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { CAPABILITIES } from '../../../src/core/hosts/host.ts';
import type { Probed } from '../../../src/core/hosts/probe/probe.ts';
import { isJsonObject, itemsIn, type JsonObject } from '../../../src/core/model/json.ts';
import { fileOfUrl } from '../../../src/core/tree/layout.ts';
import { build } from '../../../src/features/build/build.ts';
import { crawlService } from '../../../src/features/verify/crawl-service.ts';
import { probeUrl } from '../../../src/features/verify/probe-service.ts';
import { verifyFiles } from '../../../src/features/verify/verify-files.ts';
import { folderFiles } from '../../../src/system/trees/tree-files.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { httpClient } from '../../support/services/http.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { swapping } from '../../support/trees/swapping.ts';
import { random } from '../../support/values/random.ts';

let bed: Testbed;
let older: string;
let newer: string;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  const built = async (at: string) => {
    const out = join(newFolder(), 'dist');
    await build({ registry: bed.registry, out, at, snapshots: 'none', showsProgress: false });
    return out;
  };
  older = await built(bed.revisions.flavored.id);
  newer = await built(bed.revisions.joined.id);
});

const BOUNDS = { timeout: 10, maxRequests: 10_000, pauseMs: 1 };

const crawled = (url: string) => crawlService({ ...BOUNDS, url, older: true, thorough: false, showsProgress: false });
const verified = (place: string) => verifyTree({ ...BOUNDS, place, older: true, trust: {}, showsProgress: false });
const probed = async (url: string) => {
  let results: string[] = [];
  let again = 0;
  const onResult = ({ capability, outcome }: Probed) => results.push(`${capability} ${outcome}`);
  await probeUrl({ ...BOUNDS, url, rate: 0 }, onResult, () => {
    results = [];
    again++;
  });
  return { results, again };
};

const moved = (origin: string) =>
  `error: ${origin} was replaced twice while it was read. [place-moved]\n` +
  '  Run the command again when the new tree is completely published and caches no longer serve the old one.\n';

describe('a revision that is published during reads', () => {
  test('restarts a crawl, which then reports the new revision', async () => {
    const { origin, swaps, asked } = await swapping([older, newer], (_, n) => n === 20);
    const { revision, findings, documents } = await crawled(origin);
    expect([revision, findings, swaps()]).toEqual([bed.revisions.joined.id, [], 1]);
    // The crawl restarted before it reached the end.
    expect(asked.length).toBeLessThan(documents + 60);
  });

  test('restarts a probe', async () => {
    const { origin, swaps } = await swapping([older, newer], (_, n) => n === 100);
    const { results, again } = await probed(origin);
    expect([again, swaps()]).toEqual([1, 1]);
    // The trees have one media type, are served at the root, and contain no snapshots.
    const outcomes = new Map([
      ['accept', 'not-applicable'],
      ['prefixes', 'not-applicable'],
    ]);
    const expected = Object.keys(CAPABILITIES).map((name) => `${name} ${outcomes.get(name) ?? 'holds'}`);
    expect(results).toEqual(expected);
  });

  test('restarts verify', async () => {
    const { origin, swaps } = await swapping([older, newer], (_, n) => n === 20);
    const { revision, findings } = await verified(origin);
    expect([revision, findings, swaps()]).toEqual([bed.revisions.joined.id, [], 1]);
  });

  test('is detected before the last request', async () => {
    const whole = await swapping([older, newer], () => false);
    await crawled(whole.origin);
    const last = whole.asked.length;
    const { origin, swaps } = await swapping([older, newer], (_, n) => n === last);
    const { revision, findings } = await crawled(origin);
    expect([revision, findings, swaps()]).toEqual([bed.revisions.joined.id, [], 1]);
  });
});

describe('repeated publishing is reported', () => {
  test('by a crawl', async () => {
    const { origin } = await swapping([older, newer], (_, n) => n % 25 === 0);
    expect(await failureOf(() => crawled(origin))).toBe(moved(origin));
  });

  test('by a probe', async () => {
    const { origin } = await swapping([older, newer], (_, n) => n % 100 === 0);
    expect(await failureOf(() => probed(origin))).toBe(moved(origin));
  });

  test('by verify', async () => {
    let manifests = 0;
    const isTime = (path: string) => path === '/_manifest.json' && ++manifests > 1;
    const { origin } = await swapping([older, newer], isTime);
    expect(await failureOf(() => verified(origin))).toBe(moved(origin));
    expect(manifests).toBe(4);
  });
});

test('verify reports a tree that is swapped while it is read', async () => {
  const folder = newFolder();
  const [place, next, old] = [join(folder, 'dist'), join(folder, 'next'), join(folder, 'old')];
  cpSync(older, place, { recursive: true });
  cpSync(newer, next, { recursive: true });
  const files = folderFiles(place);
  let reads = 0;
  const read: typeof files.read = (name) => {
    if (++reads === 50) {
      renameSync(place, old);
      renameSync(next, place);
    }
    return files.read(name);
  };
  expect(await verifyFiles({ ...files, read }, { fields: 'any' })).toBeUndefined();
  const again = await verifyFiles(files, { fields: 'any' });
  expect([again?.manifest?.summary.revision, again?.findings]).toEqual([bed.revisions.joined.id, []]);
});

/** Collects all sites and nodes of the root's revision, as a correct client does. */
async function gathered(get: (path: string) => Promise<JsonObject | undefined>): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    const version = (await get('/'))?.['version'];
    const bodies = new Map<string, string>();
    const waiting = ['/'];
    let isWhole = true;
    for (let url = waiting.shift(); url !== undefined && isWhole; url = waiting.shift()) {
      const body = await get(url);
      isWhole = body?.['version'] === version;
      if (!body || !isWhole) break;
      bodies.set(url, JSON.stringify(body));
      const holders = [body, ...itemsIn(body['items']).filter(isJsonObject)];
      for (const link of holders.flatMap(({ links }) => itemsIn(links)).filter(isJsonObject)) {
        const { rel, href } = link;
        if (['sites', 'clusters', 'nodes'].includes(String(rel)) || rel === 'self') waiting.push(String(href));
      }
      const fresh = new Set(waiting.filter((href) => !bodies.has(href)));
      waiting.splice(0, waiting.length, ...fresh);
    }
    if (isWhole) return bodies;
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a client that keeps to the version of the root never combines two revisions, seed %i',
  async (seed) => {
    const { chance } = random(seed);
    let left = 6;
    const { origin, swaps } = await swapping([older, newer], () => left > 0 && chance(0.15) && left-- > 0);
    const client = httpClient(Number(new URL(origin).port));
    const get = async (path: string) => {
      const { status, body } = await client.get(path);
      const value: unknown = status === 200 ? JSON.parse(body) : undefined;
      return isJsonObject(value) ? value : undefined;
    };
    const bodies = await gathered(get);
    client.close();
    expect(swaps()).toBeGreaterThan(0);
    const revisionOf = (out: string) => manifestOf(out).revision;
    const out = bodies.get('/')?.includes(revisionOf(newer)) ? newer : older;
    expect([...bodies.keys()]).toContain('/sites/lyra/clusters/main/nodes');
    for (const [url, body] of bodies) expect(body).toBe(readFileSync(join(out, fileOfUrl(url)), 'utf8'));
  },
);

describe('gridpress crawl', () => {
  test('reports the visited endpoints and no findings', async () => {
    const { origin, asked } = await swapping([newer, older], () => false);
    const { status, stdout, stderr } = await gridpress(['crawl', origin, '--json']);
    expect([status, stderr]).toEqual([0, '']);
    const { documents, links, endpoints, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ ok: true, url: origin, revision: bed.revisions.joined.id, findings: [] });
    expect(new Set(asked).size).toBe(documents);
    expect(documents).toBeLessThanOrEqual(manifestOf(newer).documents.length);
    // lyra, kit and cirrus; vega was removed.
    expect(endpoints['/sites/{site_uid}']).toBe(3);
    expect(await gridpress(['crawl', origin])).toEqual({
      status: 0,
      stderr: '',
      stdout: `${origin} at revision ${bed.revisions.joined.id}: ${documents} documents, ${String(links).replace(/\B(?=(\d{3})+$)/g, ',')} links, no findings.\n`,
    });
  });

  test('fails if the API is missing or the request limit is too low', async () => {
    const { origin } = await swapping([newer, older], () => false);
    expect(await gridpress(['crawl', `${origin}/nowhere/`])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${origin}/nowhere/ is not the root of the API. [no-api]\n  Name the base URL. Its answer contains "links".\n`,
    });
  });

  test('reports the answers within the request limit', async () => {
    const { origin, asked } = await swapping([newer, older], () => false);
    const { status, stdout, stderr } = await gridpress(['crawl', origin, '--requests', '10', '--json']);
    expect([status, stderr, asked.length]).toEqual([2, '', 10]);
    const { documents, findings } = JSON.parse(stdout);
    // Two requests find the root and the first page of changes.
    expect(documents).toBe(8);
    expect(findings).toMatchObject([
      {
        code: 'crawl-limit',
        message: 'The crawl stopped after 10 requests. The findings are about the answers so far.',
        fix: 'Allow more with --requests, or crawl a part with --under or --sample.',
      },
    ]);
  });

  test('can be limited to a part or a sample', async () => {
    const { origin, asked } = await swapping([newer, older], () => false);
    const below = '/sites/lyra/clusters';
    const part = await gridpress(['crawl', origin, '--under', below]);
    expect([part.status, part.stderr]).toEqual([0, '']);
    const first = asked.filter(
      (path) => !['/', '/changes/pages/0'].includes(path) && !`${path}/`.startsWith(`${below}/`),
    );
    expect(first.filter((path) => !path.startsWith('/changes'))).toEqual([]);
    expect(asked).toContain(`${below}/main/nodes`);
    const folder = await gridpress(['crawl', origin, '--under', '/exports']);
    expect([folder.status, folder.stdout]).toEqual([2, '']);
    expect(folder.stderr).toContain('--under: /exports is not a path of the API.');
    const sample = await gridpress(['crawl', origin, '--sample', '1', '--json']);
    const { endpoints, ok } = JSON.parse(sample.stdout);
    expect([sample.status, ok, Math.max(...Object.values<number>(endpoints))]).toEqual([0, true, 1]);
  });
});
