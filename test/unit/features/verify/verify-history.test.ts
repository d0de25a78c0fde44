import { describe, expect, test } from 'vitest';
import { endpointOf } from '../../../../src/core/api/endpoints.ts';
import type { Finding } from '../../../../src/core/diagnostics/finding.ts';
import { parsedObject } from '../../../../src/core/model/json.ts';
import { historyCheck } from '../../../../src/features/verify/verify-history.ts';
import { plannedManifest } from '../../../support/values/listed-tree.ts';
import { A, B, C, CLUSTER_C, D, NODE_N, publication, SITE_X } from '../../../support/values/publication.ts';

const planned = plannedManifest(publication('current'));
const node = (id: string) => `/${NODE_N}/versions/${id}`;
const root = (id: string) => `/versions/${id}`;

interface Change {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** What does not hold in the history of a tree in which some documents have other texts, as `file: reason`. */
async function broken(...changes: readonly Change[]): Promise<string[]> {
  const texts = new Map(planned.texts);
  for (const { path, from, to } of changes) {
    const before = texts.get(path) ?? '';
    if (!before.includes(from)) throw new Error(`${path} has no ${from}`);
    texts.set(path, before.replace(from, to));
  }
  const history = historyCheck(planned.manifest.entries.targetOf, undefined);
  const findings: Finding[] = [];
  for (const [path, text] of texts) {
    const endpoint = endpointOf(path);
    const body = parsedObject(text);
    if (!endpoint || !body) continue;
    if (endpoint.content === 'version')
      findings.push(...history.version(path, endpoint, body).map((each) => ({ ...each, place: { file: path } })));
    if (endpoint.content === 'resource') history.item(path, body, text);
  }
  findings.push(...(await history.atEnd((path) => parsedObject(texts.get(path) ?? ''))));
  return findings.map(({ args, place }) => `${place?.file}: ${'reason' in args ? args.reason : ''}`).sort();
}

test('a history as it was recorded holds', async () => {
  expect(await broken()).toEqual([]);
});

describe('a history does not hold', () => {
  test('where a resource was something else than its changes give', async () => {
    expect(
      await broken({
        path: node(B),
        from: '"resource":{"uid":"n","type":"node","serial":"B1"',
        to: '"resource":{"uid":"n","type":"node","serial":"B2"',
      }),
    ).toEqual(
      [
        // The head and the snapshot of c show what b made of it.
        `${NODE_N}.json: ${node(B)} says that the resource is another`,
        `${NODE_N}/versions/${B}.json: its fields, applied to what the resource was, do not give what it is`,
        `snapshots/${C}/${NODE_N}.json: ${node(B)} says that the resource is another`,
      ].sort(),
    );
  });

  test('where what it was before is another', async () => {
    const change = { from: '"serial":"A1"', to: '"serial":"A2"' };
    expect(await broken({ path: node(A), ...change })).toEqual([
      `${NODE_N}/versions/${B}.json: its fields, applied to what the resource was, do not give what it is`,
      `snapshots/${A}/${NODE_N}.json: ${node(A)} says that the resource is another`,
    ]);
  });

  test('where versions of one revision tell of a change otherwise', async () => {
    const told = await broken({ path: root(B), from: '"from":"A1"', to: '"from":"A0"' });
    // The version of all comes first; all above the node tell of it too.
    const tellers = ['sites', SITE_X, `${SITE_X}/clusters`, CLUSTER_C, `${CLUSTER_C}/nodes`, NODE_N];
    expect(told).toEqual(
      tellers.map((path) => `/${path}/versions/${B}: it tells of ${node(B)} otherwise than ${root(B)} does`).sort(),
    );
  });

  test('where the version of all does not tell of a change that another tells of', async () => {
    const changes = JSON.stringify(parsedObject(planned.texts.get(root(B)) ?? '')?.['changes']);
    expect(await broken({ path: root(B), from: `"changes":${changes}`, to: '"changes":[]' })).toEqual([
      `versions/${B}.json: it does not tell of ${node(B)}, of which /sites/versions/${B} tells`,
    ]);
  });

  test('where an item shows what no version says', async () => {
    const path = `/${NODE_N}`;
    expect(await broken({ path, from: '"serial":"B1"', to: '"serial":"B9"' })).toEqual([
      `${NODE_N}.json: ${node(B)} says that the resource is another`,
    ]);
  });

  test('where a removed resource is still there', async () => {
    const path = `/sites/y/versions/${D}`;
    expect(await broken({ path, from: '"resource":null', to: '"resource":{"type":"site","uid":"y"}' })).toEqual([
      `sites/y/versions/${D}.json: the removed resource is still there`,
    ]);
  });

  test('where a resource is gone and nothing says so', async () => {
    const text = planned.texts.get(node(B)) ?? '';
    const resource = JSON.stringify(parsedObject(text)?.['resource']);
    const told = await broken({ path: node(B), from: `"resource":${resource}`, to: '"resource":null' });
    expect(told).toContain(`${NODE_N}/versions/${B}.json: the resource is gone, and no change says so`);
  });

  test('where a resource is added that was there before', async () => {
    const told = await broken({ path: node(B), from: '"action":"replaced"', to: '"action":"added"' });
    expect(told).toContain(`${NODE_N}/versions/${B}.json: the added resource was there before`);
  });

  test('where that is all but its identity, and nothing lies below it', async () => {
    const text = planned.texts.get(node(B)) ?? '';
    const resource = JSON.stringify(parsedObject(text)?.['resource']);
    const told = await broken(
      { path: node(B), from: `"resource":${resource}`, to: '"resource":{"uid":"n","type":"node"}' },
      { path: node(B), from: '"action":"replaced"', to: '"action":"added"' },
    );
    expect(told).toContain(`${NODE_N}/versions/${B}.json: the added resource was there before`);
  });
});

test('items may have their fields in another order than when they were recorded', async () => {
  const from = '{"uid":"n","type":"node","serial":"B1"';
  expect(await broken({ path: `/${NODE_N}`, from, to: '{"serial":"B1","uid":"n","type":"node"' })).toEqual([]);
});
