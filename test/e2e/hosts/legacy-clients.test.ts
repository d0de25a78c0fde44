/**
 * Two existing clients expect different media types for the same paths: one accepts only application/json for single
 * objects, the other follows links and needs the vendor types. One tree on nginx serves both.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { needs } from '../../support/processes/programs.ts';
import type { Client } from '../../support/services/http.ts';
import { NGINX, SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { clientOf, manifestOf, serveTree } from '../../support/trees/served.ts';

const REGISTRY = join(import.meta.dirname, '../../../registry-data');

const linkSchema = z.looseObject({ rel: z.string(), href: z.string(), type: z.string() });
const documentSchema = z.looseObject({ links: z.array(linkSchema) });
const itemSchema = documentSchema.extend({ uid: z.string() });
const collectionSchema = documentSchema.extend({ items: z.array(itemSchema) });
type Link = z.output<typeof linkSchema>;

const { isMissing, because } = needs(...NGINX.needs);

test.skipIf(isMissing)(`one legacy tree serves clients of either media type${because}`, async () => {
  const tree = await serverTree(NGINX, 'legacy', '');
  const client = clientOf((await startServer(NGINX, tree)).port);

  expect(await nodesByPlainClient(client)).toEqual(nodesOfRegistry());

  const followed = await pathsByTypedClient(client);
  const resources = manifestOf(tree.tree).documents.filter(
    ({ path }) =>
      !/\/(versions|changes|(?:deep|badge\.svg)$)|^\/(nodes|links|conformance|openapi|schemas|docs|exports|explorer|\.well-known|llms)\b/.test(
        path,
      ),
  );
  // The legacy API has no links to the documents that gridpress adds: snapshots, changes, all nodes, exports, badges,
  // deep documents, the explorer and the page for language models.
  const unlinked = resources.map(({ path }) => path).filter((path) => !followed.has(path));
  expect(unlinked.filter((path) => !EQUIPMENT.test(path))).toEqual(['/snapshots']);
  // Clients know these paths by name; empty collections have no link.
  const asked = unlinked.filter((path) => EQUIPMENT.test(path));
  const sites = readdirSync(join(REGISTRY, 'sites'));
  const expected = ['flavors', 'servers', 'pdus', 'network_equipments', 'environments'].flatMap((name) =>
    sites.map((site) => `/sites/${site}/${name}`),
  );
  expect(asked).toEqual(
    expect.arrayContaining([...expected.filter((path) => !followed.has(path)), '/network_equipments', '/environments']),
  );
  for (const path of asked) {
    const { status, body } = await client.get(`${path}.json`);
    expect([path, status, JSON.parse(body)]).toMatchObject([path, 200, { total: 0, items: [] }]);
  }
});

/** Collections that may be empty for a site or for the grid. */
const EQUIPMENT = /\/(flavors|servers|pdus|network_equipments|environments)$/;

/** Feed readers expect the media type of feeds; clients that request JSON get JSON. */
async function expectFeedType(client: Client): Promise<void> {
  const typeOf = async (path: string, headers = {}) =>
    (await client.get(path, { headers })).headers['content-type']?.split(';')[0];
  for (const path of ['/changes/feed', '/sites/lyra/changes/feed']) {
    expect(await typeOf(path)).toBe('application/feed+json');
    expect(await typeOf(path, { Accept: 'application/feed+json, application/json;q=0.9' })).toBe(
      'application/feed+json',
    );
    expect(await typeOf(path, { Accept: 'application/json' })).toBe('application/json');
    expect(await typeOf(`${path}.json`)).toBe('application/json');
  }
}

/** A busy machine needs this long to build and compress a tree. */
const LONGEST_MS = 180_000;

describe.each(SERVERS)('$host.name', (server) => {
  const { isMissing: lacks, because: reason } = needs(...server.needs);

  test.skipIf(lacks)(
    `supports clients that advertise encodings but cannot decode them, and feeds have their media type${reason}`,
    async () => {
      const tree = await serverTree(server, 'legacy', '');
      const client = clientOf((await startServer(server, tree)).port);
      const compressed = await client.get('/sites', { headers: { ...CODINGS_NAMED, Accept: 'application/json' } });
      expect(compressed.headers['content-encoding']).toBe('gzip');
      expect(await uidsByCarelessClient(client)).toEqual(Object.keys(nodesOfRegistry()));
      await expectFeedType(client);
    },
    LONGEST_MS,
  );
});

test('gridpress serve supports clients that advertise encodings but cannot decode them, and feeds have their media type', async () => {
  const { tree } = await serverTree(NGINX, 'legacy', '');
  const { client } = await serveTree(REGISTRY, tree);
  expect(await uidsByCarelessClient(client)).toEqual(Object.keys(nodesOfRegistry()));
  await expectFeedType(client);
});

/** The default header of an HTTP library. */
const CODINGS_NAMED = { 'Accept-Encoding': 'gzip, deflate' };

/** Parses responses without decoding them; returns the uids of the sites with clusters, found by links. */
async function uidsByCarelessClient(client: Client): Promise<string[]> {
  const get = async ({ href, type }: Link): Promise<unknown> =>
    JSON.parse((await client.get(href, { headers: { ...CODINGS_NAMED, Accept: type } })).body);
  const root = itemSchema.parse(await get({ rel: 'root', href: '/', type: '*/*' }));
  const uids: string[] = [];
  for (const link of root.links.filter(({ rel }) => rel === 'sites')) {
    for (const site of collectionSchema.parse(await get(link)).items) {
      const clusters = site.links.filter(({ rel }) => rel === 'clusters');
      const found = await Promise.all(clusters.map(async (each) => collectionSchema.parse(await get(each)).items));
      if (found.flat().length > 0) uids.push(site.uid);
    }
  }
  return uids;
}

/** Requests application/json and rejects other types for single objects; returns the uids of all nodes by site. */
async function nodesByPlainClient(client: Client): Promise<Record<string, string[]>> {
  const get = async (href: string): Promise<unknown> => {
    const { status, headers, body } = await client.get(href, { headers: { Accept: 'application/json' } });
    if (status !== 200 || headers['content-type'] !== 'application/json')
      throw new Error(`${href} is ${status}, ${headers['content-type']}`);
    return JSON.parse(body);
  };
  const follow = async ({ links }: z.output<typeof documentSchema>, rel: string) =>
    await get(links.find((link) => link.rel === rel)?.href ?? `no link ${rel}`);

  const nodes: Record<string, string[]> = {};
  const root = itemSchema.parse(await get('/'));
  for (const listed of collectionSchema.parse(await follow(root, 'sites')).items) {
    const site = itemSchema.parse(await follow(listed, 'self'));
    for (const cluster of collectionSchema.parse(await follow(site, 'clusters')).items) {
      const { items } = collectionSchema.parse(await follow(cluster, 'nodes'));
      const read = await Promise.all(items.map(async (item) => itemSchema.parse(await follow(item, 'self')).uid));
      nodes[site.uid] = read.sort();
    }
  }
  return nodes;
}

function nodesOfRegistry(): Record<string, string[]> {
  const sites = readdirSync(join(REGISTRY, 'sites'));
  const clusters = sites.filter((site) => readdirSync(join(REGISTRY, 'sites', site)).includes('clusters'));
  const nodesOf = (site: string) => readdirSync(join(REGISTRY, 'sites', site, 'clusters/main/nodes'));
  return Object.fromEntries(
    clusters.map((site) => [
      site,
      nodesOf(site)
        .map((file) => file.replace(/\.yaml$/, ''))
        .sort(),
    ]),
  );
}

/**
 * Follows every link with its media type, rejects responses of other types, and redirects with 307. Skips latest
 * versions and types of other vendors. Returns the visited paths.
 */
async function pathsByTypedClient(client: Client): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const waiting: Link[] = [{ rel: 'root', href: '/', type: 'application/vnd.meridian.item+json' }];
  for (let link = waiting.pop(); link; link = waiting.pop()) {
    if (seen.has(link.href) || link.rel === 'latest-version' || !link.type.includes('vnd.')) continue;
    seen.add(link.href);
    const { status, headers, body } = await client.get(link.href, { headers: { Accept: link.type } });
    const answered = { href: link.href, status, type: headers['content-type'] };
    expect(answered).toEqual({ href: link.href, status: 200, type: `${link.type}; charset=utf-8` });
    waiting.push(...linksOf(JSON.parse(body)));
  }
  return seen;
}

/** The links of a document and of its items, each with a type. */
function linksOf(document: unknown): Link[] {
  const collection = collectionSchema.safeParse(document);
  const items = collection.success ? collection.data.items : [];
  return [documentSchema.parse(document), ...items].flatMap(({ links }) => links);
}
