import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, endpointOf, endpointsOf } from '../../../src/core/api/endpoints.ts';
import { snapshotUrl } from '../../../src/core/api/urls.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { KINDS } from '../../../src/core/model/kinds.ts';
import { build } from '../../../src/features/build/build.ts';
import type { CrawlReport } from '../../../src/features/verify/crawl.ts';
import { newFolder } from '../../support/folders.ts';
import { type Commit, commit, type Edits, REGISTRY, writeFiles } from '../../support/registries/revisions.ts';
import { siteFile, siteText, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { buildAndServe, manifestOf, type Served } from '../../support/trees/served.ts';

let bed: Testbed;

beforeAll(() => {
  bed = writeTestbed(newFolder());
});

/** Endpoints without links to them: the contract defines no relation for them in collections and at the root. */
const UNLINKED = [
  ...['/sites/versions', '/sites/{site_uid}/clusters/versions', '/sites/{site_uid}/flavors/versions'],
  '/sites/{site_uid}/clusters/{cluster_uid}/nodes/versions',
]
  .flatMap((history) => [history, `${history}/latest`, `${history}/{version_id}`])
  // Clients build the address of a badge.
  .concat('/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}/badge.svg');

/** No relation leads to names that clients choose; pages link to their style sheets, and editors to schemas. */
const NOT_LED_TO = [
  ...['/nodes/by-name/{node_name}', '/schemas/{schema}', '/docs/style.css', '/llms.txt'],
  // Only a page that is opened from a folder loads them.
  ...['/explorer/history.js', '/explorer/past.js'],
];
/** The testbed has too few nodes for these, and no types. */
const OF_OTHERS = [
  ...['/nodes/table/rows/{page}', '/nodes/by/{field}/{value}'],
  // Clients build the addresses of revision badges and of deep documents in snapshots.
  '/versions/{version_id}/badge.svg',
  ...['', '/sites/{site_uid}', '/sites/{site_uid}/clusters/{cluster_uid}'].map(
    (item) => `/snapshots/{version_id}${item}/deep`,
  ),
];
const ENDPOINTS = endpointsOf(KINDS);
/** No history of the testbed is long enough for pages. */
const PAGES = ENDPOINTS.filter(({ content }) => content === 'version-page');
const LEGACY = ENDPOINTS.filter(({ content }) => content.startsWith('legacy-'));
/** Kinds that the testbed does not contain. */
const EQUIPMENT = ENDPOINTS.filter(({ kind }) =>
  ['server', 'pdu', 'network_equipment', 'environment'].includes(kind.name),
);
const IN_SNAPSHOTS = ENDPOINTS.filter(({ inSnapshot }) => inSnapshot);
/** Documents per site, which exist if all nodes together are too many. */
const OF_SITES = ENDPOINTS.filter(({ template }) => template.startsWith('/exports/sites/'));

function unreached({ endpoints }: Pick<CrawlReport, 'endpoints'>): string[] {
  return ENDPOINTS.map(({ template }) => template).filter((template) => !endpoints.has(template));
}

function templates(...rows: (readonly (string | { readonly template: string })[])[]): string[] {
  const wanted = new Set(rows.flat().map((row) => (typeof row === 'string' ? row : row.template)));
  return ENDPOINTS.map(({ template }) => template).filter((template) => wanted.has(template));
}

describe.each([
  { dialect: 'current', snapshots: 'all' },
  { dialect: 'current', snapshots: 'none' },
  { dialect: 'legacy', snapshots: 'all' },
  { dialect: 'legacy', snapshots: 'none' },
] as const)('the tree in the $dialect dialect with snapshots $snapshots', ({ dialect, snapshots }) => {
  let served: Served;
  const absent = [...(dialect === 'current' ? LEGACY : []), ...(snapshots === 'none' ? IN_SNAPSHOTS : []), ...OF_SITES];

  beforeAll(async () => {
    served = await buildAndServe(bed.registry, { dialect, snapshots });
  });

  test('has no dead link and no wrong response from / on', async () => {
    const report = await served.crawl();
    expect(renderFindings(report.findings)).toBe('');
    expect(unreached(report)).toEqual(templates(absent, EQUIPMENT, UNLINKED, NOT_LED_TO, OF_OTHERS, PAGES));
  });

  test('answers every endpoint of the table', async () => {
    const report = await served.crawl({ includesUnlinked: true });
    expect(renderFindings(report.findings)).toBe('');
    const isEmpty = ({ content }: Endpoint) => dialect === 'legacy' && content === 'resources';
    const without = EQUIPMENT.filter((row) => !isEmpty(row));
    expect(unreached(report)).toEqual(templates(absent, without, NOT_LED_TO, OF_OTHERS, PAGES));
  });

  test('has no unreachable document, except versions off the walk from the head', async () => {
    const { urls } = await served.crawl({ includesUnlinked: true });
    const missed = served.manifest.documents.filter(
      ({ path }) => !urls.has(path) && !/^\/llms|^\/(schemas|docs)\/|\/(?:history|past)\.js$/.test(path),
    );
    const given = `versions/${bed.revisions.given.id}`;
    const collections = ['/sites', '/sites/lyra/clusters', '/sites/lyra/clusters/main/nodes'];
    // The merge that discarded the note left lyra and its descendants as in the first parent. Above the changed node,
    // only items of that revision's snapshot link to this change.
    const items = snapshots === 'none' ? ['/sites/lyra', '/sites/lyra/clusters/main'] : [];
    const documents = missed.filter((document) => !('alias_of' in document)).map(({ path }) => path);
    expect(documents.toSorted()).toEqual([...collections, ...items].map((path) => `${path}/${given}`).toSorted());
  });

  if (snapshots === 'all')
    test('has the same documents below a snapshot as the tree of that revision', async () => {
      for (const { id } of Object.values(bed.revisions)) {
        const then = join(newFolder(), 'dist');
        await build({ registry: bed.registry, out: then, dialect, snapshots: 'none', at: id, showsProgress: false });
        const base = snapshotUrl(id);
        const wanted = manifestOf(then).documents.filter(({ path }) => isResource(path));
        const urls = served.manifest.documents.map(({ path }) => path).filter((path) => isBelow(path, base));
        expect(urls.toSorted()).toEqual(wanted.map(({ path }) => (path === '/' ? base : base + path)).toSorted());
        for (const { path, file } of wanted) {
          const body = rebased(readFileSync(join(then, file), 'utf8'), base);
          for (const url of spellings(path === '/' ? base : base + path)) {
            const answer = await served.client.get(url);
            expect({ url, status: answer.status, body: answer.body }).toEqual({ url, status: 200, body });
          }
        }
      }
    });
});

test('a crawl reaches exports of sites if a tree has no export of all nodes', async () => {
  const { folder, registry } = writeTestbed(newFolder());
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\nsearch:\n  max_nodes: 1\n']]);
  const { crawl } = await buildAndServe(registry, { snapshots: 'none' });
  const report = await crawl();
  expect(renderFindings(report.findings)).toBe('');
  const whole = OF_SITES.map(({ template }) => template.replace('/sites/{site_uid}', ''));
  expect(unreached(report).filter((template) => template.startsWith('/exports/'))).toEqual(whole);
});

test('`exports: false` omits all exports', async () => {
  const { folder, registry } = writeTestbed(newFolder());
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\nexports: false\n']]);
  const { crawl, manifest } = await buildAndServe(registry, { snapshots: 'none' });
  expect(renderFindings((await crawl()).findings)).toBe('');
  expect(manifest.documents.filter(({ path }) => path.startsWith('/exports'))).toEqual([]);
});

test('below a base path, references in feeds and link formats lead to documents', async () => {
  const { folder, registry } = writeTestbed(newFolder());
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\nbase_path: /api/v1\n']]);
  const { client, crawl } = await buildAndServe(registry, { snapshots: 'none' });
  for (const url of ['/versions/timemap.link', '/changes/feed.atom', '/changes/feed'])
    expect((await client.get(url)).body).toContain('/api/v1/versions/');
  expect(renderFindings((await crawl({ bases: { basePath: '/api/v1', baseUrl: '/api/v1' } })).findings)).toBe('');
  const astray = renderFindings((await crawl()).findings);
  expect(astray).toContain(
    'error: /api/v1/versions/timemap, linked from /versions/timemap.link, is not a path of the API.',
  );
});

test.each([
  ['search: { collections: [node_name, label.gpu] }', '/nodes/by/{field}/{value}'],
  ['search: { max_nodes: 1, max_history: 1 }', '/nodes/table/rows/{page}'],
])('with %s, the tree contains %s', async (configured, template) => {
  const { folder, registry } = writeTestbed(newFolder());
  writeFiles(folder, [['gridpress.yaml', `cluster_uid: main\n${configured}\n`]]);
  const { crawl } = await buildAndServe(registry, { snapshots: 'none' });
  const report = await crawl();
  expect(renderFindings(report.findings)).toBe('');
  expect(report.endpoints.get(template)).toBeGreaterThan(0);
});

function isResource(path: string): boolean {
  const content = endpointOf(path)?.content ?? '';
  return ['resource', 'resources', 'legacy-item', 'legacy-collection'].includes(content);
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** Returns the spellings `X`, `X/` and `X.json`. */
function spellings(url: string): string[] {
  return [url, `${url}/`, `${url}.json`];
}

/** A body as a client of the snapshot reads it: all links except those to histories stay inside. */
function rebased(text: string, base: string): string {
  return text.replaceAll(/"rel":"([^"]+)","href":"([^"]+)"/g, (link, rel: string, href: string) =>
    ['version', 'versions', 'latest-version'].includes(rel)
      ? link
      : `"rel":"${rel}","href":"${href === '/' ? base : base + href}"`,
  );
}

test("a merge that drops a resource of its first parent links to the resource's history", async () => {
  const folder = newFolder();
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\n']]);
  const [file, kit] = [siteFile('kit'), siteText('kit', 'edge')];
  const moved = { [file]: kit.replace('47.5', '48.5') };
  const step = (day: number, parents: readonly Commit[], edits: Edits) =>
    commit(folder, { parents, edits, message: `Day ${day}`, date: `2026-01-0${day}T00:00:00Z` });
  const first = step(1, [], { 'grid.yaml': 'type: grid\nuid: testgrid\n', [file]: kit });
  const dune = step(2, [first], { [siteFile('dune')]: siteText('dune', 'edge') });
  const other = step(3, [first], moved);
  const merge = step(4, [dune, other], { [siteFile('dune')]: null, ...moved });

  const { client, crawl } = await buildAndServe(join(folder, REGISTRY));
  const { findings } = await crawl({ includesUnlinked: true });
  expect(renderFindings(findings)).toBe('');
  const get = async (url: string) => JSON.parse((await client.get(url)).body);
  expect((await get(`/versions/${merge.id}`)).changes).toEqual([
    // The second parent never had dune.
    { href: '/sites/dune/versions', action: 'removed', classes: ['administrative'] },
    {
      href: `/sites/kit/versions/${merge.id}`,
      action: 'updated',
      classes: ['placement'],
      fields: [{ at: '/latitude', from: 47.5, to: 48.5 }],
    },
  ]);
  const history = await get('/sites/dune/versions');
  expect(history.items.map(({ uid }: { uid: string }) => uid)).toEqual([dune.id]);
  expect((await client.get(`/sites/dune/versions/${merge.id}`)).status).toBe(404);
});
