import { describe, expect, test } from 'vitest';
import { endpointOf } from '../../../../src/core/api/endpoints.ts';
import { NODE_HISTORY_PATH } from '../../../../src/core/api/nodes/node-paths.ts';
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

/** Returns the findings for the history of a tree with some altered documents, as `file: reason`. */
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

test('a recorded history is valid', async () => {
  expect(await broken()).toEqual([]);
});

describe('a history is invalid', () => {
  test('if a resource differs from the result of its changes', async () => {
    expect(
      await broken({
        path: node(B),
        from: '"resource":{"uid":"n","type":"node","serial":"B1"',
        to: '"resource":{"uid":"n","type":"node","serial":"B2"',
      }),
    ).toEqual(
      [
        // The head and the snapshot of c show the result of b.
        `${NODE_N}.json: its body differs from ${node(B)}`,
        `${NODE_N}/versions/${B}.json: its changes, applied to the predecessor, do not give its resource`,
        `snapshots/${C}/${NODE_N}.json: its body differs from ${node(B)}`,
      ].sort(),
    );
  });

  test('if the old value of a change is wrong', async () => {
    const change = { from: '"serial":"A1"', to: '"serial":"A2"' };
    expect(await broken({ path: node(A), ...change })).toEqual([
      `${NODE_N}/versions/${B}.json: its changes, applied to the predecessor, do not give its resource`,
      `snapshots/${A}/${NODE_N}.json: its body differs from ${node(A)}`,
    ]);
  });

  test('if versions of one revision contradict each other', async () => {
    const told = await broken({ path: root(B), from: '"from":"A1"', to: '"from":"A0"' });
    // The version of the root comes first; all collections and items above the node mention the change too.
    const tellers = ['sites', SITE_X, `${SITE_X}/clusters`, CLUSTER_C, `${CLUSTER_C}/nodes`, NODE_N];
    expect(told).toEqual(
      tellers
        .map((path) => `/${path}/versions/${B}: it describes the change of ${node(B)} differently than ${root(B)}`)
        .sort(),
    );
  });

  test('if the version of the root omits a change of another version', async () => {
    const changes = JSON.stringify(parsedObject(planned.texts.get(root(B)) ?? '')?.['changes']);
    expect(await broken({ path: root(B), from: `"changes":${changes}`, to: '"changes":[]' })).toEqual([
      `versions/${B}.json: it does not list the change of ${node(B)}, unlike /sites/versions/${B}`,
    ]);
  });

  test('if an item differs from its versions', async () => {
    const path = `/${NODE_N}`;
    expect(await broken({ path, from: '"serial":"B1"', to: '"serial":"B9"' })).toEqual([
      `${NODE_N}.json: its body differs from ${node(B)}`,
    ]);
  });

  test('if a removed resource still exists', async () => {
    const path = `/sites/y/versions/${D}`;
    expect(await broken({ path, from: '"resource":null', to: '"resource":{"type":"site","uid":"y"}' })).toEqual([
      `sites/y/versions/${D}.json: it contains the resource that its change removes`,
    ]);
  });

  test('if a resource disappears without a change', async () => {
    const text = planned.texts.get(node(B)) ?? '';
    const resource = JSON.stringify(parsedObject(text)?.['resource']);
    const told = await broken({ path: node(B), from: `"resource":${resource}`, to: '"resource":null' });
    expect(told).toContain(`${NODE_N}/versions/${B}.json: the resource is absent without a change that removes it`);
  });

  test('if an existing resource is added', async () => {
    const told = await broken({ path: node(B), from: '"action":"replaced"', to: '"action":"added"' });
    expect(told).toContain(`${NODE_N}/versions/${B}.json: the added resource existed before`);
  });

  test('if only the identity of a resource without children remains', async () => {
    const text = planned.texts.get(node(B)) ?? '';
    const resource = JSON.stringify(parsedObject(text)?.['resource']);
    const told = await broken(
      { path: node(B), from: `"resource":${resource}`, to: '"resource":{"uid":"n","type":"node"}' },
      { path: node(B), from: '"action":"replaced"', to: '"action":"added"' },
    );
    expect(told).toContain(`${NODE_N}/versions/${B}.json: the added resource existed before`);
  });
});

describe('a merge can change a resource that it adds from another parent', () => {
  const asAdded = { path: node(B), from: '"action":"replaced"', to: '"action":"added"' };
  const history = planned.texts.get(NODE_HISTORY_PATH) ?? '';
  const parentOfB = `"uid":"${B}","timestamp":"2026-03-01T11:00:00Z","parent":`;
  const existed = `${NODE_N}/versions/${B}.json: the added resource existed before`;

  test('if the predecessor is not a first parent', async () => {
    const noParent = { path: NODE_HISTORY_PATH, from: `${parentOfB}0`, to: `${parentOfB}null` };
    expect(await broken(asAdded, noParent)).not.toContain(existed);
  });

  test('if the tree does not contain the first parents', async () => {
    const tooLarge = { path: NODE_HISTORY_PATH, from: history, to: '{"too_large":{}}' };
    expect(await broken(asAdded, tooLarge)).not.toContain(existed);
  });
});

test('items may have another order of fields than recorded', async () => {
  const from = '{"uid":"n","type":"node","serial":"B1"';
  expect(await broken({ path: `/${NODE_N}`, from, to: '{"serial":"B1","uid":"n","type":"node"' })).toEqual([]);
});
