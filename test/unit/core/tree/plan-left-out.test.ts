/** Options that omit documents from a tree to reduce the number of files. */
import { expect, test } from 'vitest';
import { operationsOf } from '../../../../src/core/api/description/operations.ts';
import { endpointOf } from '../../../../src/core/api/endpoints.ts';
import { schemaOf } from '../../../../src/core/api/schemas/document-schemas.ts';
import { assertDefined } from '../../../../src/core/platform/lookups.ts';
import { planTree } from '../../../../src/core/tree/plan/plan-tree.ts';
import { added, historyOf } from '../../../support/values/history.ts';
import { CLUSTER_C, NODE_N, publication, SITE_X } from '../../../support/values/publication.ts';

const HISTORY = historyOf([
  [
    'a:',
    added('', { type: 'grid', uid: 'g' }),
    added(SITE_X, { type: 'site', uid: 'x', name: 'X' }),
    added(CLUSTER_C, { type: 'cluster', uid: 'c' }),
    added(NODE_N, { type: 'node', uid: 'n', node_name: 'nc01' }),
  ],
]);

function planned(left: { hasTimemaps: boolean; hasNames: boolean }) {
  const given = { ...publication('current', HISTORY), snapshots: new Set<number>(), ...left };
  const plan = planTree(given);
  const documents = plan.documents.flatMap(({ list }) => [...list()]);
  const urls = [...documents, ...plan.aliases.flatMap(({ list }) => [...list()])].map(({ url }) => url);
  return { given, documents, urls };
}

test('without TimeMaps and index files, a node has four documents', () => {
  const { given, documents, urls } = planned({ hasTimemaps: false, hasNames: false });
  const path = `/${NODE_N}`;
  expect(urls.filter((url) => url.startsWith(path)).toSorted()).toEqual([
    path,
    `${path}/versions`,
    `${path}/versions/${assertDefined(given.history.revisions[0]).id}`,
    `${path}/versions/latest`,
  ]);
  expect(urls.filter((url) => /versions\/timemap|by-name/.test(url))).toEqual([]);
  const contents = new Set(operationsOf(given).map(({ endpoint }) => endpoint.content));
  expect([contents.has('timemap'), contents.has('named-node'), contents.has('versions')]).toEqual([
    ...[false, false, true],
  ]);
  for (const { url, body } of documents) {
    const endpoint = assertDefined(endpointOf(url));
    if (endpoint.content !== 'version' && endpoint.content !== 'versions') continue;
    expect(body()).not.toContain('timemap');
    expect([url, schemaOf(endpoint, 'current').safeParse(JSON.parse(body())).success]).toEqual([url, true]);
  }
});

test('by default a node has TimeMaps and index files', () => {
  const { urls } = planned({ hasTimemaps: true, hasNames: true });
  expect(urls).toContain(`/${NODE_N}/versions/timemap`);
  expect(urls).toContain(`/${NODE_N}/versions/timemap.link`);
  expect(urls).toContain('/nodes/by-name/nc01');
});
