import { describe, expect, test } from 'vitest';
import {
  CACHE_CONTROL,
  type Content,
  cacheControlOf,
  endpointOf,
  endpointsOf,
  maxAgeIn,
  rawFormOf,
} from '../../../../src/core/api/endpoints.ts';
import { isRaw } from '../../../../src/core/api/raw-forms.ts';
import { latestVersionUrl, resourceUrl, snapshotUrl, versionsUrl, versionUrl } from '../../../../src/core/api/urls.ts';
import { configurationSchema } from '../../../../src/core/model/configuration.ts';
import { KINDS, type Kind } from '../../../../src/core/model/kinds.ts';
import { plannedTree } from '../../../support/values/planned-tree.ts';
import {
  CLUSTER_C,
  EQUIPMENT,
  EQUIPPED,
  FLAVOR_F,
  NODE_N,
  publication,
  SITE_X,
} from '../../../support/values/publication.ts';

const ENDPOINTS = endpointsOf(KINDS);
const ID = 'a'.repeat(40);

/** Contract: section 3, without histories and snapshots, with the children of legacy responses. */
const RESOURCES = [
  '/',
  '/users',
  '/notifications',
  '/sites',
  '/sites/{site_uid}',
  ...['jobs', 'deployments', 'vlans', 'metrics', 'status'].map((name) => `/sites/{site_uid}/${name}`),
  '/sites/{site_uid}/clusters',
  '/sites/{site_uid}/clusters/{cluster_uid}',
  '/sites/{site_uid}/clusters/{cluster_uid}/nodes',
  '/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}',
  '/sites/{site_uid}/flavors',
  '/sites/{site_uid}/flavors/{flavor_uid}',
  '/sites/{site_uid}/servers',
  '/sites/{site_uid}/servers/{server_uid}',
  '/sites/{site_uid}/pdus',
  '/sites/{site_uid}/pdus/{pdu_uid}',
  ...['', '/sites/{site_uid}'].flatMap((holder) => [
    `${holder}/network_equipments`,
    `${holder}/network_equipments/{network_equipment_uid}`,
    `${holder}/environments`,
    `${holder}/environments/{environment_uid}`,
  ]),
];

/** Resources with a deep document. */
const DEEP = ['', '/sites/{site_uid}', '/sites/{site_uid}/clusters/{cluster_uid}'].map((path) => `${path}/deep`);

/** Items and collections of the registry; each has a history. */
const SUBJECTS = RESOURCES.filter((path) => !/users|notifications|jobs|deployments|vlans|metrics|status/.test(path));

describe('the endpoint table', () => {
  test('equals the paths of the contract', () => {
    const histories = SUBJECTS.flatMap((path) => {
      const versions = `${path === '/' ? '' : path}/versions`;
      return [versions, `${versions}/latest`, `${versions}/{version_id}`, `${versions}/pages/{page}`];
    });
    const items = SUBJECTS.filter((path) => path === '/' || path.endsWith('}'));
    const timemaps = items.flatMap((path) => {
      const timemap = `${path === '/' ? '' : path}/versions/timemap`;
      return [timemap, `${timemap}.link`];
    });
    const feeds = ['', '/sites/{site_uid}'].flatMap((path) =>
      ['changes', 'changes/pages/{page}', 'changes/feed', 'changes/feed.atom'].map((end) => `${path}/${end}`),
    );
    const description = [
      '/links',
      '/conformance',
      '/openapi',
      '/schemas/{schema}',
      '/docs/index.htm',
      '/docs/style.css',
    ];
    description.push('/.well-known/api-catalog', '/llms.txt');
    const nodes = [
      ...['pages/{page}', 'search', 'table', 'table/rows/{page}', 'facets', 'history'],
      ...['by', 'by/{field}/{value}', 'by-name/{node_name}'],
    ].map((end) => `/nodes/${end}`);
    const exports = ['', '/sites/{site_uid}'].flatMap((site) =>
      ['nodes.ndjson', 'nodes.csv', 'inventory.yaml', 'prometheus'].map((end) => `/exports${site}/${end}`),
    );
    exports.push('/exports/datapackage', '/exports/changes.csv', '/exports/hardware.md', '/exports/hardware.htm');
    const explorer = ['index.htm', 'explorer.js', 'more.js', 'exports.js', 'explorer.css', 'icon.svg'];
    explorer.push('data.js', 'history.js', 'past.js', 'dataset.jsonld', 'dataset.linkset');
    const snapshots = [...RESOURCES, ...DEEP].map((path) => `/snapshots/{version_id}${path === '/' ? '' : path}`);
    expect(ENDPOINTS.map(({ template }) => template).sort()).toEqual(
      [
        ...[...RESOURCES, ...DEEP, ...histories, ...timemaps, ...feeds, '/nodes', ...nodes],
        ...[...exports, ...description, '/snapshots', ...snapshots],
        ...explorer.map((file) => `/explorer/${file}`),
        ...['/versions/{version_id}', '/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}'].map(
          (path) => `${path}/badge.svg`,
        ),
      ].sort(),
    );
  });

  test('marks versions and snapshots as immutable', () => {
    for (const { template, cache, inSnapshot } of ENDPOINTS) {
      const isFixed = template.endsWith('/versions/{version_id}') || template.startsWith('/snapshots/');
      expect([template, cache]).toEqual([template, isFixed ? 'immutable' : 'mutable']);
      expect(inSnapshot).toBe(template.startsWith('/snapshots/'));
    }
  });

  test('distinguishes collections from items', () => {
    const collections = ENDPOINTS.filter(({ form }) => form === 'collection').map(({ template }) => template);
    const last = new Set(collections.map((template) => template.slice(template.lastIndexOf('/') + 1)));
    expect(last.delete('{page}')).toBe(true);
    expect(last.delete('{value}')).toBe(true);
    expect([...last].sort()).toEqual([
      ...[
        'by',
        'changes',
        'clusters',
        'deployments',
        'environments',
        'flavors',
        'jobs',
        'metrics',
        'network_equipments',
        'nodes',
        'notifications',
        'pdus',
        'search',
        'servers',
        'sites',
        'snapshots',
      ],
      ...['users', 'versions', 'vlans'],
    ]);
  });

  // Uids come only after collection names, so that new documents at the top cannot clash with a uid.
  test('has no top-level collection with the name of another document', () => {
    const atTop = KINDS.grid.children.map(({ collection }) => `/${collection}`);
    const others = ENDPOINTS.filter(({ content }) => content !== 'resources').map(({ template }) => template);
    expect(others.filter((template) => atTop.includes(template))).toEqual([]);
  });

  // This keeps `changes` apart from uids.
  test('has no collection or legacy child with the name of a feed or a history', () => {
    const names = KINDS.all.flatMap(({ collection = '', legacyChildren }) => [
      collection,
      ...Object.keys(legacyChildren),
    ]);
    expect(names.filter((name) => ['changes', 'versions', 'snapshots', 'deep'].includes(name))).toEqual([]);
  });

  /** The content and the kind that each relation of an item leads to. */
  const OWN = { self: 'resource', versions: 'versions', version: 'version' } as const;
  const LED_TO: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    grid: {
      ...leads('grid', { ...OWN, parent: 'resource' }),
      ...leads('site', { sites: 'resources' }),
      ...leads('network_equipment', { network_equipments: 'resources' }),
      ...leads('environment', { environments: 'resources' }),
      ...leads('grid', { users: 'legacy-collection', notifications: 'legacy-collection' }),
    },
    site: {
      ...leads('site', OWN),
      ...leads('grid', { parent: 'resource' }),
      ...leads('cluster', { clusters: 'resources' }),
      ...leads('flavor', { flavors: 'resources' }),
      ...leads('server', { servers: 'resources' }),
      ...leads('pdu', { pdus: 'resources' }),
      ...leads('network_equipment', { network_equipments: 'resources' }),
      ...leads('environment', { environments: 'resources' }),
      ...leads('site', { jobs: 'legacy-collection', deployments: 'legacy-collection' }),
      ...leads('site', { vlans: 'legacy-collection', metrics: 'legacy-collection', status: 'legacy-item' }),
    },
    cluster: {
      ...leads('cluster', OWN),
      ...leads('site', { parent: 'resource' }),
      ...leads('node', { nodes: 'resources' }),
    },
    node: { ...leads('node', { ...OWN, 'latest-version': 'version' }), ...leads('cluster', { parent: 'resource' }) },
    flavor: { ...leads('flavor', OWN), ...leads('site', { parent: 'resource' }) },
    server: { ...leads('server', OWN), ...leads('site', { parent: 'resource' }) },
    pdu: { ...leads('pdu', OWN), ...leads('site', { parent: 'resource' }) },
    network_equipment: leads('network_equipment', OWN),
    environment: leads('environment', OWN),
  };
  const PARENTS: Readonly<Record<string, string>> = {
    'sites/x/network_equipments/e': 'resource of site',
    'network_equipments/e': 'resource of grid',
    'sites/x/environments/e': 'resource of site',
    'environments/e': 'resource of grid',
  };
  const ITEMS: Readonly<Record<string, readonly string[]>> = {
    grid: [''],
    site: [SITE_X],
    cluster: [CLUSTER_C],
    node: [NODE_N],
    flavor: [FLAVOR_F],
    ...EQUIPMENT,
  };

  test.each(['current', 'legacy'] as const)('has a row for every relation of every kind (%s)', (dialect) => {
    const { textOf } = plannedTree(publication(dialect, EQUIPPED));
    expect(Object.keys(ITEMS)).toEqual(KINDS.all.map(({ name }) => name));
    const seen = new Set<string>();
    for (const [kind, path] of Object.entries(ITEMS).flatMap(([name, paths]) =>
      paths.map((each) => [name, each] as const),
    )) {
      const links: { rel: string; href: string }[] = JSON.parse(textOf(resourceUrl(path)) ?? '').links;
      for (const { rel, href } of links) {
        const row = endpointOf(href);
        const wanted = rel === 'parent' && path in PARENTS ? PARENTS[path] : LED_TO[kind]?.[rel];
        expect([path, rel, `${row?.content} of ${row?.kind.name}`]).toEqual([path, rel, wanted]);
        // The target exists and has the expected content.
        expect(textOf(href)).toBeDefined();
        seen.add(`${kind} ${rel}`);
      }
    }
    const of = (kind: Kind) => kind.rels[dialect].map((rel) => `${kind.name} ${rel}`);
    expect([...seen].sort()).toEqual(KINDS.all.flatMap(of).sort());
  });
});

/** Relations that lead to items of one kind. */
function leads(kind: string, contents: Readonly<Record<string, Content>>): Record<string, string> {
  return Object.fromEntries(Object.entries(contents).map(([rel, content]) => [rel, `${content} of ${kind}`]));
}

describe('endpointOf', () => {
  test.each([
    ['/', '/', 'resource'],
    ['/sites', '/sites', 'resources'],
    ['/sites/lyra', '/sites/{site_uid}', 'resource'],
    ['/sites/lyra/status', '/sites/{site_uid}/status', 'legacy-item'],
    ['/sites/lyra/jobs', '/sites/{site_uid}/jobs', 'legacy-collection'],
    ['/versions/latest', '/versions/latest', 'latest-version'],
    [`/versions/${ID}`, '/versions/{version_id}', 'version'],
    ['/sites/versions', '/sites/versions', 'versions'],
    [`/snapshots/${ID}`, '/snapshots/{version_id}', 'resource'],
    [`/snapshots/${ID}/sites`, '/snapshots/{version_id}/sites', 'resources'],
    ['/snapshots', '/snapshots', 'snapshots'],
    ['/versions/timemap', '/versions/timemap', 'timemap'],
    ['/sites/lyra/versions/timemap.link', '/sites/{site_uid}/versions/timemap.link', 'timemap'],
    ['/changes', '/changes', 'changes'],
    ['/changes/pages/12', '/changes/pages/{page}', 'changes'],
    ['/changes/feed', '/changes/feed', 'feed'],
    ['/nodes', '/nodes', 'node-page'],
    ['/nodes/pages/2', '/nodes/pages/{page}', 'node-page'],
    ['/nodes/search', '/nodes/search', 'node-search'],
    ['/exports/nodes.csv', '/exports/nodes.csv', 'node-export'],
    ['/exports/sites/a.csv/nodes.csv', '/exports/sites/{site_uid}/nodes.csv', 'node-export'],
    ['/exports/sites/lyra/prometheus', '/exports/sites/{site_uid}/prometheus', 'targets'],
    ['/sites/nodes.csv', '/sites/{site_uid}', 'resource'],
    ['/sites/lyra/changes', '/sites/{site_uid}/changes', 'changes'],
    ['/sites/lyra/changes/feed.atom', '/sites/{site_uid}/changes/feed.atom', 'feed'],
    // Uids that resemble other paths.
    ['/sites/changes', '/sites/{site_uid}', 'resource'],
    ['/sites/changes/changes', '/sites/{site_uid}/changes', 'changes'],
    ['/sites/changes/clusters/changes', '/sites/{site_uid}/clusters/{cluster_uid}', 'resource'],
    ['/sites/feed.atom', '/sites/{site_uid}', 'resource'],
    ['/sites/lyra/robots', '/sites/{site_uid}/{resources}', 'resources'],
    ['/sites/lyra/robots/r2/versions', '/sites/{site_uid}/{resources}/{resource_uid}/versions', 'versions'],
    ['/sites/timemap.link', '/sites/{site_uid}', 'resource'],
    ['/sites/timemap.link/versions', '/sites/{site_uid}/versions', 'versions'],
  ])('%s matches %s', (url, template, content) => {
    const row = endpointOf(url);
    expect([row?.template, row?.content]).toEqual([template, content]);
  });

  test.each([
    ...['', '/sites/', '//', '/nodes/a', '/versions/abc', `/versions/${ID.toUpperCase()}`, `/snapshots/${ID}/versions`],
    ...['/changes/pages', '/changes/pages/0', '/changes/pages/01', '/changes/pages/x', '/changes/feed.atom.json'],
    ...['/sites/lyra/clusters/main/changes', `/snapshots/${ID}/changes`],
    ...['/sites/versions/timemap', '/sites/versions/timemap.link', '/versions/timemap.link.json'],
    ...['/sites/lyra/clusters/main/nodes/n1/disks', '/snapshots/latest', '/sites/lyra/X'],
  ])('nothing matches %j', (url) => {
    expect(endpointOf(url)).toBeUndefined();
  });
});

test('raw documents are recognized by their path suffix, even if a uid ends the same', () => {
  const raw = [
    ...['/versions/timemap.link', '/sites/x/versions/timemap.link', '/sites/versions/timemap.link'],
    ...['/sites.link', '/sites/x/clusters.link', `/snapshots/${ID}/sites/x/clusters.link`, '/changes/x.link'],
  ];
  expect(raw.map(rawFormOf)).toEqual(raw.map(() => 'link-format'));
  const uids = ['/sites/timemap.link', '/sites/x/clusters/a.link', `/snapshots/${ID}/sites/x.link`];
  expect([...uids, '/', '/sites/a.link/clusters', '/sites.json'].filter(rawFormOf)).toEqual([]);
  for (const { template, form } of ENDPOINTS) {
    expect([template, rawFormOf(template)]).toEqual([template, isRaw(form) ? form : undefined]);
  }
});

test('resourceUrl returns URLs of the grid and its descendants', () => {
  expect([resourceUrl(''), resourceUrl('sites/x')]).toEqual(['/', '/sites/x']);
  expect([resourceUrl('', '/b'), resourceUrl('sites/x', '/b')]).toEqual(['/b', '/b/sites/x']);
  expect([versionsUrl(''), versionsUrl('sites/x')]).toEqual(['/versions', '/sites/x/versions']);
  expect([versionUrl('', ID), versionUrl('sites', ID)]).toEqual([`/versions/${ID}`, `/sites/versions/${ID}`]);
  expect([latestVersionUrl(''), snapshotUrl(ID)]).toEqual(['/versions/latest', `/snapshots/${ID}`]);
});

describe('the Cache-Control headers', () => {
  test('contain the number of seconds twice for mutable documents only', () => {
    expect(cacheControlOf(300)).toEqual({
      mutable: 'public, max-age=300, s-maxage=300, must-revalidate, proxy-revalidate',
      immutable: 'public, max-age=31536000, immutable',
    });
  });

  test('of the default are those of older manifests', () => {
    expect(cacheControlOf(configurationSchema().parse({ cluster_uid: 'main' }).max_age)).toEqual(CACHE_CONTROL);
  });

  test.each([0, 1, 60, 86_400])('state %i seconds', (seconds) => {
    expect(maxAgeIn(cacheControlOf(seconds))).toBe(seconds);
  });

  test.each(['', 'no-store', 'public, max-age=300', CACHE_CONTROL.mutable.replace('s-maxage=60', 's-maxage=61')])(
    'state no number of seconds if they are those of another version: %j',
    (mutable) => {
      expect(maxAgeIn({ ...CACHE_CONTROL, mutable })).toBeUndefined();
    },
  );
});
