import { describe, expect, test } from 'vitest';
import { renderDeep } from '../../../../../src/core/api/deep.ts';
import { currentView, snapshotView, type View } from '../../../../../src/core/api/item.ts';
import { subjectAt } from '../../../../../src/core/model/resource-path.ts';
import { resourceAt } from '../../../../../src/core/model/state.ts';
import { assertDefined } from '../../../../../src/core/platform/lookups.ts';
import { planTree } from '../../../../../src/core/tree/plan/plan-tree.ts';
import { added, historyOf } from '../../../../support/values/history.ts';
import { C, CLUSTER_C, D, EQUIPPED, publication, SITE_X } from '../../../../support/values/publication.ts';

function deep(view: View, path: string): unknown {
  const subject = subjectAt(path, view.publication.history.kinds);
  return JSON.parse([...renderDeep(view, subject, assertDefined(resourceAt(view.state, path)))].join(''));
}

const NODE = { uid: 'n', type: 'node', serial: 'B1' };
const CLUSTER = { type: 'cluster', uid: 'c', nodes: [NODE] };
const SITE = {
  type: 'site',
  uid: 'x',
  name: 'X',
  site_class: 'baremetal',
  clusters: { c: CLUSTER },
  flavors: [{ type: 'flavor', uid: 'f', vcpus: 2 }],
};

describe('the deep document', () => {
  test('of the grid contains its sites by uid', () => {
    expect(deep(currentView(publication('current')), '')).toEqual({
      total: 3,
      offset: 0,
      items: { type: 'grid', uid: 'g', sites: { x: SITE } },
      version: D,
      links: [
        { rel: 'self', href: '/deep' },
        { rel: 'parent', href: '/' },
        { rel: 'deep', href: '/sites/x/deep' },
      ],
    });
  });

  test('of a site contains its clusters by uid, and other children as lists', () => {
    expect(deep(currentView(publication('current')), SITE_X)).toEqual({
      total: 6,
      offset: 0,
      items: SITE,
      version: D,
      links: [
        { rel: 'self', href: '/sites/x/deep' },
        { rel: 'parent', href: '/sites/x' },
        { rel: 'deep', href: '/sites/x/clusters/c/deep' },
      ],
    });
  });

  test('of a cluster in a legacy snapshot has typed links', () => {
    const item = 'application/vnd.acme.item+json';
    expect(deep(snapshotView(publication('legacy'), 2), CLUSTER_C)).toEqual({
      total: 3,
      offset: 0,
      items: CLUSTER,
      version: C,
      links: [
        { rel: 'self', href: `/snapshots/${C}/sites/x/clusters/c/deep`, type: item },
        { rel: 'parent', href: `/snapshots/${C}/sites/x/clusters/c`, type: item },
      ],
    });
  });

  test('contains equipment of the grid and of sites if there is any', () => {
    const grid = deep(currentView(publication('current', EQUIPPED)), '');
    const equipment = { type: 'network_equipment', uid: 'e' };
    expect(grid).toMatchObject({
      items: { sites: { x: { network_equipments: [equipment] } }, network_equipments: [equipment] },
    });
  });

  test('omits a field that has the name of a child collection', () => {
    const history = historyOf([['a:', added('', { type: 'grid', uid: 'g', sites: 7, own: 1.5 })]]);
    const { items, total } = Object(deep(currentView(publication('current', history)), ''));
    expect([items, total]).toEqual([{ type: 'grid', uid: 'g', own: 1.5, sites: {} }, 4]);
  });

  test('of a large item contains only the number of items and links to its parts', () => {
    const small = { ...publication('current'), deep: { maxItems: 3, inSnapshots: false } };
    expect(deep(currentView(small), '')).toEqual({
      too_large: { most: 3, found: 4 },
      version: D,
      links: [
        { rel: 'self', href: '/deep' },
        { rel: 'parent', href: '/' },
        { rel: 'deep', href: '/sites/x/deep' },
      ],
    });
    expect(deep(currentView(small), SITE_X)).toMatchObject({ items: SITE });
  });
});

describe('a tree', () => {
  const deepPaths = (deep: { maxItems: number; inSnapshots: boolean }) =>
    planTree({ ...publication('current'), deep }).documents.flatMap(({ list }) =>
      [...list()].map(({ url }) => url).filter((url) => url.endsWith('/deep')),
    );

  test.each([
    [{ maxItems: 0, inSnapshots: true }, []],
    [{ maxItems: 1, inSnapshots: false }, ['/deep', '/sites/x/deep', '/sites/x/clusters/c/deep']],
  ])('with the options %j has the deep documents %j', (deep, expected) => {
    expect(deepPaths(deep)).toEqual(expected);
  });

  test('has deep documents in snapshots if configured', () => {
    expect(deepPaths({ maxItems: 1, inSnapshots: true })).toContain(`/snapshots/${C}/sites/y/deep`);
  });
});
