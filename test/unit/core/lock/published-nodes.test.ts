import { expect, test } from 'vitest';
import { publishedNodes } from '../../../../src/core/lock/published-nodes.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';

const VERSION = 'a'.repeat(40);
const UIDS = Array.from({ length: 50 }, (_, i) => `n${i}`);
const NODES = '/sites/lyra/clusters/main/nodes';

function linked(rels: Readonly<Record<string, string>>): Pick<JsonObject, 'links'> {
  return { links: Object.entries(rels).map(([rel, href]) => ({ rel, href })) };
}

test('reads each node of a collection once, however many nodes are asked for', async () => {
  let reads = 0;
  const nodes = UIDS.map((uid) => ({
    get uid() {
      reads++;
      return uid;
    },
    ...linked({ 'latest-version': `${NODES}/${uid}/versions/${VERSION}` }),
  }));
  const bodies = new Map<string, JsonObject>([
    ['/', { version: VERSION, ...linked({ self: '/', sites: '/sites' }) }],
    ['/sites', { version: VERSION, items: [{ uid: 'lyra', ...linked({ clusters: '/sites/lyra/clusters' }) }] }],
    ['/sites/lyra/clusters', { version: VERSION, items: [{ uid: 'main', ...linked({ nodes: NODES }) }] }],
    [NODES, { version: VERSION, items: nodes }],
  ]);
  const get = async (path: string) => {
    const body = bodies.get(path);
    return body && { url: path, path, body, size: 0 };
  };
  const source = await publishedNodes({ get, format: (path) => path }, '/');
  const first = await source.node(`${NODES.slice(1)}/n0`);
  const once = reads;
  const found = await Promise.all(UIDS.map((uid) => source.node(`${NODES.slice(1)}/${uid}`)));
  expect([first?.uid, found.map((node) => node?.uid)]).toEqual(['n0', UIDS]);
  // Converting a node to a state reads its fields a few times.
  expect(reads - once).toBeLessThan(5 * UIDS.length);
  expect(await source.node(`${NODES.slice(1)}/other`)).toBeUndefined();
  expect(await source.node('sites/vega/clusters/main/nodes/n0')).toBeUndefined();
});
