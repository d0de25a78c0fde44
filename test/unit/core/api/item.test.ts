import { describe, expect, test } from 'vitest';
import { currentView, renderEmptyItem, renderItem, type View } from '../../../../src/core/api/item.ts';
import { stateAt } from '../../../../src/core/api/publication.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../src/core/model/resource-path.ts';
import { resourceAt } from '../../../../src/core/model/state.ts';
import {
  A,
  B,
  C,
  CLUSTER_C,
  current,
  D,
  FLAVOR_F,
  NODE_N,
  publication,
  SITE_X,
  snapshotOfC,
} from '../../../support/values/publication.ts';

function item(view: View, path: string): string {
  const resource = resourceAt(stateAt(view.publication, view.index), path);
  return resource ? renderItem(view, parsePath(path, KINDS) ?? gridOf(KINDS), resource) : '';
}

// March 2, 2026 began 1772409600 seconds after 1970.
describe('an item of the current tree', () => {
  test('for the root has its fields, version, timestamp and links', () => {
    expect(item(current(), '')).toBe(
      `{"type":"grid","uid":"g","version":"${D}","timestamp":"1772409600","links":[{"rel":"sites","href":"/sites"},{"rel":"self","href":"/"},{"rel":"parent","href":"/"},{"rel":"versions","href":"/versions"}]}`,
    );
  });

  test('for a site links to flavors if it has any', () => {
    expect(item(current(), SITE_X)).toBe(
      `{"type":"site","uid":"x","name":"X","site_class":"baremetal","version":"${D}","links":[{"rel":"self","href":"/sites/x"},{"rel":"parent","href":"/"},{"rel":"clusters","href":"/sites/x/clusters"},{"rel":"versions","href":"/sites/x/versions"},{"rel":"version","href":"/sites/x/versions/${D}"},{"rel":"flavors","href":"/sites/x/flavors"}]}`,
    );
  });

  test('for a cluster has its links', () => {
    expect(item(current(), CLUSTER_C)).toBe(
      `{"type":"cluster","uid":"c","version":"${D}","links":[{"rel":"self","href":"/sites/x/clusters/c"},{"rel":"parent","href":"/sites/x"},{"rel":"nodes","href":"/sites/x/clusters/c/nodes"},{"rel":"versions","href":"/sites/x/clusters/c/versions"},{"rel":"version","href":"/sites/x/clusters/c/versions/${D}"}]}`,
    );
  });

  test('for a node keeps the order of fields, and links to its last changed version', () => {
    const self = '/sites/x/clusters/c/nodes/n';
    expect(item(current(), NODE_N)).toBe(
      `{"uid":"n","type":"node","serial":"B1","version":"${D}","links":[{"rel":"self","href":"${self}"},{"rel":"parent","href":"/sites/x/clusters/c"},{"rel":"versions","href":"${self}/versions"},{"rel":"version","href":"${self}/versions/${D}"},{"rel":"latest-version","href":"${self}/versions/${B}"}]}`,
    );
  });

  test('for a flavor has its links', () => {
    expect(item(current(), FLAVOR_F)).toBe(
      `{"type":"flavor","uid":"f","vcpus":2,"version":"${D}","links":[{"rel":"self","href":"/sites/x/flavors/f"},{"rel":"parent","href":"/sites/x"},{"rel":"versions","href":"/sites/x/flavors/f/versions"},{"rel":"version","href":"/sites/x/flavors/f/versions/${D}"}]}`,
    );
  });
});

describe('an item of a legacy tree', () => {
  const link = (rel: string, href: string, form = 'item') =>
    `{"rel":"${rel}","href":"${href}","type":"application/vnd.acme.${form}+json"}`;

  test('for the root has a release, a numeric timestamp and links with types', () => {
    const links = [
      link('sites', '/sites', 'collection'),
      link('self', '/'),
      link('parent', '/'),
      link('version', `/versions/${D}`),
      link('versions', '/versions', 'collection'),
      link('users', '/users', 'collection'),
      link('notifications', '/notifications', 'collection'),
    ];
    expect(item(current('legacy'), '')).toBe(
      `{"type":"grid","uid":"g","version":"${D}","release":"1.2","timestamp":1772409600,"links":[${links.join(',')}]}`,
    );
  });

  test('for a site has links to all children', () => {
    const links = [
      link('clusters', '/sites/x/clusters', 'collection'),
      link('self', '/sites/x'),
      link('parent', '/'),
      link('version', `/sites/x/versions/${D}`),
      link('versions', '/sites/x/versions', 'collection'),
      link('jobs', '/sites/x/jobs', 'collection'),
      link('deployments', '/sites/x/deployments', 'collection'),
      link('vlans', '/sites/x/vlans', 'collection'),
      link('metrics', '/sites/x/metrics', 'collection'),
      link('status', '/sites/x/status'),
      link('flavors', '/sites/x/flavors', 'collection'),
    ];
    expect(item(current('legacy'), SITE_X)).toBe(
      `{"type":"site","uid":"x","name":"X","site_class":"baremetal","version":"${D}","links":[${links.join(',')}]}`,
    );
  });

  test('for a cluster and a node has links with types', () => {
    const cluster = [
      link('nodes', '/sites/x/clusters/c/nodes', 'collection'),
      link('self', '/sites/x/clusters/c'),
      link('parent', '/sites/x'),
      link('version', `/sites/x/clusters/c/versions/${D}`),
      link('versions', '/sites/x/clusters/c/versions', 'collection'),
    ];
    expect(item(current('legacy'), CLUSTER_C)).toBe(
      `{"type":"cluster","uid":"c","version":"${D}","links":[${cluster.join(',')}]}`,
    );
    const self = '/sites/x/clusters/c/nodes/n';
    const node = [
      link('self', self),
      link('parent', '/sites/x/clusters/c'),
      link('version', `${self}/versions/${D}`),
      link('versions', `${self}/versions`, 'collection'),
      link('latest-version', `${self}/versions/${B}`),
    ];
    expect(item(current('legacy'), NODE_N)).toBe(
      `{"uid":"n","type":"node","serial":"B1","version":"${D}","links":[${node.join(',')}]}`,
    );
  });

  test('that is empty has links', () => {
    const links = [link('self', '/sites/x/status'), link('parent', '/sites/x')];
    expect(renderEmptyItem(current('legacy'), parsePath(SITE_X, KINDS) ?? gridOf(KINDS), 'status')).toBe(
      `{"type":"status","uid":"status","version":"${D}","links":[${links.join(',')}]}`,
    );
  });
});

describe('an item of a snapshot', () => {
  const base = `/snapshots/${C}`;

  test('has the revision of the snapshot, and its base before every link except those to histories', () => {
    const self = '/sites/x/clusters/c/nodes/n';
    expect(item(snapshotOfC(), NODE_N)).toBe(
      `{"uid":"n","type":"node","serial":"B1","version":"${C}","links":[{"rel":"self","href":"${base}${self}"},{"rel":"parent","href":"${base}/sites/x/clusters/c"},{"rel":"versions","href":"${self}/versions"},{"rel":"version","href":"${self}/versions/${C}"},{"rel":"latest-version","href":"${self}/versions/${B}"}]}`,
    );
  });

  test('for the root is at the base of the snapshot, with the time of its revision', () => {
    expect(item(snapshotOfC(), '')).toBe(
      `{"type":"grid","uid":"g","version":"${C}","timestamp":"1772236800","links":[{"rel":"sites","href":"${base}/sites"},{"rel":"self","href":"${base}"},{"rel":"parent","href":"${base}"},{"rel":"versions","href":"/versions"}]}`,
    );
  });

  test('for a site that was removed later escapes JSON and has no flavors', () => {
    expect(item(snapshotOfC(), 'sites/y')).toBe(
      `{"type":"site","uid":"y","name":"Ÿ \\"quoted\\"","version":"${C}","links":[{"rel":"self","href":"${base}/sites/y"},{"rel":"parent","href":"${base}"},{"rel":"clusters","href":"${base}/sites/y/clusters"},{"rel":"versions","href":"/sites/y/versions"},{"rel":"version","href":"/sites/y/versions/${C}"}]}`,
    );
  });
});

describe('fields with names that the API writes', () => {
  function rendered(path: string, json: string): string {
    const given = publication('current');
    const store = { put: () => 0, get: () => json };
    const resource = { body: { handle: 0, digest: '' }, digest: '', collections: new Map() };
    const text = renderItem(currentView({ ...given, store }), parsePath(path, KINDS) ?? gridOf(KINDS), resource);
    return text.slice(0, text.lastIndexOf('"links":'));
  }

  test('are never copied from a resource', () => {
    expect(rendered(NODE_N, '{"uid":"n","version":"1","a":{"links":1},"links":[],"timestamp":1}')).toBe(
      `{"uid":"n","a":{"links":1},"timestamp":1,"version":"${D}",`,
    );
    expect(rendered('', '{"uid":"g","timestamp":1,"release":"x"}')).toBe(
      `{"uid":"g","version":"${D}","timestamp":"1772409600",`,
    );
  });

  test('do not affect "__proto__"', () => {
    expect(rendered(NODE_N, '{"__proto__":{"a":1},"version":"1"}')).toBe(`{"__proto__":{"a":1},"version":"${D}",`);
  });
});

test('no part of an item depends on revisions after its snapshot', () => {
  expect([A, B, C].map((id) => item(snapshotOfC(), NODE_N).includes(id))).toEqual([false, true, true]);
  expect(item(snapshotOfC(), NODE_N).includes(D)).toBe(false);
});
