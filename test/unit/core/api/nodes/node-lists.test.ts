import { describe, expect, test } from 'vitest';
import { currentView } from '../../../../../src/core/api/item.ts';
import {
  nodeFacets,
  publishedNodeHistory,
  renderNodeFacets,
  renderNodeTable,
} from '../../../../../src/core/api/nodes/node-columns.ts';
import { renderNodePage, renderNodeSearch } from '../../../../../src/core/api/nodes/node-lists.ts';
import type { Publication } from '../../../../../src/core/api/publication.ts';
import { resourceHistories } from '../../../../../src/core/history/resource-history.ts';
import type { ResourceChange } from '../../../../../src/core/history/revision-file.ts';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { nodesIn, surveyNodes } from '../../../../../src/core/table/node-survey.ts';
import { planTree } from '../../../../../src/core/tree/plan/plan-tree.ts';
import { added, historyOf } from '../../../../support/values/history.ts';
import { D, publication } from '../../../../support/values/publication.ts';

/** A publication of one revision with these nodes at one site. */
function published(nodes: Readonly<Record<string, JsonObject>>, maxFoundNodes = 20_000): Publication {
  const { history, store } = historyOf([
    [
      'd:',
      added('', { type: 'grid', uid: 'g' }),
      added('sites/x', { type: 'site', uid: 'x' }),
      added('sites/x/clusters/c', { type: 'cluster', uid: 'c' }),
      ...Object.entries(nodes).map(
        ([uid, value]): ResourceChange => ({ action: 'added', path: `sites/x/clusters/c/nodes/${uid}`, value }),
      ),
    ],
  ]);
  const current = history.states[0] ?? null;
  return {
    ...publication('current'),
    history,
    store,
    current,
    maxFoundNodes: maxFoundNodes,
    head: 0,
    histories: resourceHistories(history),
    snapshots: new Set(),
    linkedRevisions: new Set(),
    nodes: () => surveyNodes(current, store),
  };
}

function many(count: number): Record<string, JsonObject> {
  const uids = Array.from({ length: count }, (_, i) => `n${String(i).padStart(5, '0')}`);
  return Object.fromEntries(uids.map((uid) => [uid, { type: 'node', uid }]));
}

/** The planned documents below `/nodes`. */
function documentsOf(made: Publication): Map<string, JsonObject> {
  const documents = planTree(made).documents.flatMap(({ list }) => [...list()]);
  return new Map(documents.flatMap(({ url, body }) => (url.startsWith('/nodes') ? [[url, JSON.parse(body())]] : [])));
}

const linksOf = (body: JsonObject | undefined) =>
  Object.fromEntries(
    JSON.parse(JSON.stringify(body?.['links'] ?? [])).map(({ rel, href }: Record<string, string>) => [rel, href]),
  );

describe('the pages of nodes', () => {
  test('contain complete items and link to the next page', () => {
    const documents = documentsOf(published(many(1001)));
    const pages = [1, 2, 3].map((n) => documents.get(`/nodes/pages/${n}`));
    expect(pages.map((page) => [page?.['total'], page?.['offset'], page?.['version']])).toEqual([
      [1001, 0, D],
      [1001, 500, D],
      [1001, 1000, D],
    ]);
    const uids = pages.flatMap((page) => JSON.parse(JSON.stringify(page?.['items']))).map(({ uid }) => uid);
    expect(uids).toEqual(Object.keys(many(1001)));
    expect(documents.has('/nodes/pages/4')).toBe(false);
    const common = {
      parent: '/',
      first: '/nodes/pages/1',
      last: '/nodes/pages/3',
      search: '/nodes/search',
      enclosure: '/exports/datapackage',
    };
    expect(pages.map(linksOf)).toEqual(
      [{ next: '/nodes/pages/2' }, { prev: '/nodes/pages/1', next: '/nodes/pages/3' }, { prev: '/nodes/pages/2' }].map(
        (others, i) => ({
          self: `/nodes/pages/${i + 1}`,
          ...common,
          ...others,
          describedby: '/nodes/facets',
          alternate: '/nodes/table',
          'version-history': '/nodes/history',
          collection: '/nodes/by',
        }),
      ),
    );
  });

  test('are one empty page without nodes, and the first page is also /nodes', () => {
    const made = published({});
    expect(documentsOf(made).get('/nodes/pages/1')).toMatchObject({ total: 0, offset: 0, items: [] });
    const aliases = planTree(made).aliases.flatMap(({ list }) => [...list()]);
    expect(aliases.find(({ url }) => url === '/nodes')?.target).toBe('/nodes/pages/1');
  });

  test('contain the same items as the item documents', () => {
    const made = published({ n: { type: 'node', uid: 'n', serial: '007' } });
    const view = currentView(made);
    const nodes = [...nodesIn(view.state)];
    const items = JSON.parse(renderNodePage(view, { number: 1, nodes, total: 1 })).items;
    const own = planTree(made)
      .documents.flatMap(({ list }) => [...list()])
      .find(({ url }) => url === '/sites/x/clusters/c/nodes/n');
    expect(items).toEqual([JSON.parse(own?.body() ?? '')]);
  });
});

describe('the search document', () => {
  test('contains every node with its place, for nodes with any fields', () => {
    const made = published({ n: { uid: 'n', site_id: 'elsewhere', type: 'node', availability: 'free' } });
    const view = currentView(made);
    const { total, offset, items, version } = JSON.parse(
      [...renderNodeSearch(view, [...nodesIn(view.state)], 1)].join(''),
    );
    expect({ total, offset, version }).toEqual({ total: 1, offset: 0, version: D });
    const [{ links: _, ...item }] = items;
    expect(JSON.stringify(item)).toBe(
      `{"site_id":"x","cluster_id":"c","availability":"unknown","availability_until":null,"node_type":"unknown","uid":"n","type":"node","version":"${D}"}`,
    );
  });

  test('contains the first 500 nodes and the total if there are too many', () => {
    const search = documentsOf(published(many(601), 600)).get('/nodes/search');
    expect([search?.['total'], JSON.parse(JSON.stringify(search?.['items'])).length]).toEqual([601, 500]);
    expect(documentsOf(published(many(600), 600)).get('/nodes/search')).toMatchObject({ total: 600 });
  });
});

describe('the groups of nodes', () => {
  const nodes = {
    a: { type: 'node', uid: 'a', node_type: 'big', node_name: 'p1', gpu: [{ gpu_model: 'GA100 [A100 PCIe 40GB]' }] },
    b: { type: 'node', uid: 'b', node_type: 'big', node_name: 'p2' },
    c: { type: 'node', uid: 'c', node_type: '../x', node_name: 'p2' },
    d: { type: 'node', uid: 'd', node_type: null, node_name: '' },
  };
  const grouped = { ...published(nodes), groupingFields: ['node_type', 'label.gpu', 'nowhere', 'node_type'] };

  test('are listed with counts, and each group contains complete nodes', () => {
    const documents = documentsOf(grouped);
    const { items, total } = JSON.parse(JSON.stringify(documents.get('/nodes/by')));
    expect(total).toBe(3);
    expect(
      items.map((item: JsonObject) => [item['field'], item['value'], item['nodes'], linksOf(item)['self']]),
    ).toEqual([
      ['node_type', 'big', 2, '/nodes/by/node_type/big'],
      ['node_type', '../x', 1, '/nodes/by/node_type/x'],
      ['label.gpu', 'A100', 1, '/nodes/by/label.gpu/A100'],
    ]);
    const of = (url: string) =>
      JSON.parse(JSON.stringify(documents.get(url)?.['items'])).map(({ uid }: JsonObject) => uid);
    expect(of('/nodes/by/node_type/big')).toEqual(['a', 'b']);
    expect(of('/nodes/by/label.gpu/A100')).toEqual(['a']);
  });

  test('are not linked if there are very many nodes', () => {
    const documents = documentsOf({ ...grouped, maxFoundNodes: 3 });
    expect([...documents.keys()].filter((url) => url.startsWith('/nodes/by/'))).toEqual([]);
    const [first] = JSON.parse(JSON.stringify(documents.get('/nodes/by')?.['items']));
    expect([first.nodes, linksOf(first)]).toEqual([2, { parent: '/nodes/by' }]);
  });

  test('include the node of each name, or all nodes of a shared name', () => {
    const aliases = planTree(grouped).aliases.flatMap(({ list }) => [...list()]);
    expect(aliases.filter(({ url }) => url.startsWith('/nodes/by-name/'))).toEqual([
      { url: '/nodes/by-name/p1', target: '/sites/x/clusters/c/nodes/a', cache: 'mutable' },
    ]);
    const shared = documentsOf(grouped).get('/nodes/by-name/p2');
    expect(shared).toMatchObject({ type: 'namesakes', uid: 'p2', node_name: 'p2', total: 2 });
    expect(JSON.parse(JSON.stringify(shared?.['items'])).map(({ uid }: JsonObject) => uid)).toEqual(['b', 'c']);
  });
});

describe('a table of many nodes', () => {
  const SIZE = 5000;
  const named = Object.fromEntries(
    Object.entries(many(SIZE + 1)).map(([uid, body], i) => [
      uid,
      { ...body, ...(i === SIZE ? { node_name: 'p' } : {}) },
    ]),
  );
  const last = Object.keys(named).at(-1);

  test('has its uids in pages', () => {
    const documents = documentsOf(published(named));
    const table = documents.get('/nodes/table');
    expect([table?.['total'], table?.['uids'], linksOf(table)['item']]).toEqual([
      5001,
      undefined,
      '/nodes/table/rows/1',
    ]);
    expect(JSON.stringify(table?.['columns'])).toContain('"node_name","values":["p"]');
    const [first, second] = [1, 2].map((page) => documents.get(`/nodes/table/rows/${page}`));
    expect(first).toMatchObject({ total: 5001, offset: 0, uids: Object.keys(named).slice(0, SIZE) });
    expect(second).toMatchObject({ total: 5001, offset: SIZE, uids: [last], names: ['p'] });
    expect(linksOf(second)).toEqual({
      self: '/nodes/table/rows/2',
      parent: '/nodes/table',
      first: '/nodes/table/rows/1',
      last: '/nodes/table/rows/2',
      prev: '/nodes/table/rows/1',
    });
  });

  test('has its names in pages only above search.max_nodes', () => {
    const documents = documentsOf(
      published({ a: { type: 'node', uid: 'a', node_name: 'p' }, b: { type: 'node', uid: 'b' } }, 1),
    );
    expect(documents.get('/nodes/table')).not.toHaveProperty('uids');
    expect(JSON.stringify(documents.get('/nodes/table'))).not.toContain('node_name');
    expect(documents.get('/nodes/table/rows/1')).toMatchObject({ uids: ['a', 'b'], names: ['p', null] });
    expect(documents.get('/nodes/table/rows/2')).toBeUndefined();
  });

  test('has its uids in the table up to the size of a page', () => {
    const { [last ?? '']: _, ...others } = named;
    const documents = documentsOf(published(others));
    expect(documents.get('/nodes/table')?.['uids']).toEqual(Object.keys(others));
    expect(documents.get('/nodes/table/rows/1')).toBeUndefined();
  });
});

test("the table and the facets contain the nodes' values, with labels and descriptions", () => {
  const made = published({
    a: { type: 'node', uid: 'a', gpu: { gpu_model: 'GA100 [A100 PCIe 40GB]' }, chassis: { serial: '007' } },
    b: { type: 'node', uid: 'b', main_memory: { ram_size: 206_158_430_208 } },
  });
  const view = currentView(made);
  expect(JSON.parse(renderNodeTable(view))).toEqual({
    type: 'table',
    uid: 'table',
    total: 2,
    clusters: [{ site: 'x', cluster: 'c', nodes: 2 }],
    left_out: ['chassis.serial'],
    uids: ['a', 'b'],
    columns: [
      { name: 'chassis', values: [{}], rows: [0, -1] },
      { name: 'gpu', values: [{ gpu_model: 'GA100 [A100 PCIe 40GB]' }], rows: [0, -1] },
      { name: 'main_memory', values: [{ ram_size: 206_158_430_208 }], rows: [-1, 0] },
      { name: 'type', values: ['node'], rows: [0, 0] },
    ],
    labels: [
      { name: 'label.gpu', of: [{ column: 'gpu', values: ['A100'] }] },
      { name: 'label.ram', of: [{ column: 'main_memory', values: [206_158_430_208] }] },
    ],
    version: D,
    links: [
      { rel: 'self', href: '/nodes/table' },
      { rel: 'parent', href: '/nodes' },
      { rel: 'version-history', href: '/nodes/history' },
    ],
  });
  const { fields, ...rest } = JSON.parse(
    renderNodeFacets(view, nodeFacets(view.publication), publishedNodeHistory(view.publication).since),
  );
  expect(rest).toMatchObject({ type: 'facets', uid: 'facets', total: 2, version: D });
  expect(fields.find(({ name }: JsonObject) => name === 'main_memory.ram_size')).toEqual({
    name: 'main_memory.ram_size',
    types: ['number'],
    class: 'hardware',
    unit: 'B',
    description: 'The size of the memory. Some tools exclude memory that the firmware reserves.',
    since: D,
    nodes: 1,
    distinct: 1,
    values: [{ value: 206_158_430_208, nodes: 1 }],
  });
  expect(fields.find(({ name }: JsonObject) => name === 'label.gpu')).toEqual({
    name: 'label.gpu',
    types: ['string'],
    class: 'derived',
    nodes: 1,
    distinct: 1,
    description: 'The model of the GPUs, without maker, form and memory.',
    values: [{ value: 'A100', nodes: 1 }],
  });
});
