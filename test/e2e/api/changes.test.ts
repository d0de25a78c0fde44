import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { endpointOf } from '../../../src/core/api/endpoints.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/model/json.ts';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { checkout } from '../../support/registries/revisions.ts';
import { catchUp, follow, linkOf } from '../../support/trees/feed-client.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

const SAMPLE = join(import.meta.dirname, '../../..');

/** Gets bodies over HTTP from the tree that is served at that time. */
const getter =
  ({ client }: Served) =>
  async (url: string): Promise<JsonObject> => {
    const { status, body } = await client.get(url);
    const json: unknown = status === 200 ? JSON.parse(body) : undefined;
    if (!isJsonObject(json)) throw new Error(`${url} answers ${status}`);
    return json;
  };

describe('the feed of the sample', () => {
  test('a client that follows it from the start gets every item of the head', async () => {
    const folder = newFolder();
    for (const each of ['gridpress.yaml', 'registry-data'])
      cpSync(join(SAMPLE, each), join(folder, each), { recursive: true });
    const served = await buildAndServe(join(folder, 'registry-data'), { snapshots: 'none' });
    const get = getter(served);
    const entries = await catchUp(get);
    const resources = new Map<string, unknown>();
    await follow(get, entries, resources);
    const wanted = new Map<string, unknown>();
    for (const { path } of served.manifest.documents) {
      if (endpointOf(path)?.content !== 'resource') continue;
      const { version: _, timestamp: __, links: ___, ...body } = await get(path);
      wanted.set(path, body);
    }
    expect(Object.fromEntries(resources)).toEqual(Object.fromEntries(wanted));
    // A grid, 7 sites, 5 clusters, 60 nodes and 6 flavors.
    expect(wanted.size).toBe(1 + 7 + 5 + 60 + 6);
    expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(['added', 'updated', 'removed', 'replaced']));
  });
});

/** The grid, a site, its cluster and 97 nodes fill exactly one page. Each further revision changes ten nodes. */
const NODES = 97;

describe('a feed that grows', () => {
  let folder: string;
  let served: Served;
  let revisions: ReturnType<typeof writeGenerated>['revisions'];

  const become = async (n: number) => {
    const revision = revisions[n];
    if (!revision) throw new Error(`there is no revision ${n}`);
    checkout(folder, revision);
    const registry = join(folder, 'registry-data');
    await build({ registry, out: served.out, snapshots: 'none', showsProgress: false });
  };

  beforeEach(async () => {
    folder = newFolder();
    const made = writeGenerated(folder, NODES, 13);
    revisions = made.revisions;
    const [first] = revisions;
    if (first) checkout(folder, first);
    served = await buildAndServe(made.registry, { snapshots: 'none' });
  });

  test('opens a new page when a page is full, and never changes full pages', async () => {
    const get = getter(served);
    const text = async (url: string) => (await served.client.get(url)).body;
    const full = await text('/changes/pages/1');
    const page = await get('/changes/pages/1');
    expect(page['total']).toBe(100);
    expect(page['version']).toBe(revisions[0]?.id);
    expect(linkOf(page, 'prev')).toBe('/changes/pages/2');
    expect(linkOf(page, 'next')).toBeUndefined();
    // The open page is still empty.
    const open = await get('/changes');
    expect([open['items'], linkOf(open, 'self'), linkOf(open, 'next'), linkOf(open, 'prev')]).toEqual([
      ...[[], '/changes/pages/2', '/changes/pages/1', undefined],
    ]);
    expect(await text('/changes/pages/2')).toBe(await text('/changes'));
    const modified = (await served.client.get('/changes/pages/1')).headers['last-modified'];

    await become(1);
    expect((await get('/changes'))['total']).toBe(10);
    expect((await get('/changes'))['version']).toBe(revisions[1]?.id);
    await become(12);
    expect(await text('/changes/pages/1')).toBe(full);
    expect((await served.client.get('/changes/pages/1')).headers['last-modified']).toBe(modified);
    expect((await get('/changes/pages/2'))['total']).toBe(100);
    expect(linkOf(await get('/changes'), 'self')).toBe('/changes/pages/3');
    expect((await get('/changes'))['total']).toBe(20);
    expect(renderFindings((await served.crawl()).findings)).toBe('');
  });

  test('gives a client every change after its last known revision, once', async () => {
    const get = getter(served);
    const seen = await catchUp(get);
    const resources = new Map<string, unknown>();
    await follow(get, seen, resources);
    expect(resources.size).toBe(NODES + 3);
    // The client misses one revision, then several pages, then nothing.
    let last = revisions[0]?.id;
    for (const [next, news] of [
      [1, 10],
      [12, 110],
      [12, 0],
    ] as const) {
      await become(next);
      const entries = await catchUp(get, '/changes', last);
      expect(entries).toHaveLength(news);
      await follow(get, entries, resources);
      last = revisions[next]?.id;
    }
    const everything = new Map<string, unknown>();
    await follow(get, await catchUp(get), everything);
    expect(resources).toEqual(everything);
    await expect(catchUp(get, '/changes', '0'.repeat(40))).rejects.toThrow('begin from nothing');
  });
});
