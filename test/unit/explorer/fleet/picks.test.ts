/** Names of picked nodes. If nodes have equal uids, the names contain their sites and clusters. */
import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { nodeArgument, pickedRows, pickText } from '../../../../src/explorer/fleet/picks.ts';

function fleet(uids: readonly string[], clusters = [{ site: 'lyra', cluster: 'main', nodes: uids.length }]) {
  const table = tableIn({ total: uids.length, uids, clusters, columns: [], labels: [] });
  if (!table) throw new Error('the table is inconsistent');
  return fleetOf(table);
}

const EQUAL = fleet(
  ['rack1-node-1', 'rack1-node-2', 'rack1-node-1', 'rack1-node-1'],
  [
    { site: 'lyra', cluster: 'alpha', nodes: 2 },
    { site: 'lyra', cluster: 'beta', nodes: 1 },
    { site: 'vega', cluster: 'alpha', nodes: 1 },
  ],
);

test('nodes with equal uids have different names', () => {
  const text = 'lyra/alpha/rack1-node-1,rack1-node-2,lyra/beta/rack1-node-1,vega/alpha/rack1-node-1';
  expect(pickText([0, 1, 2, 3], EQUAL)).toBe(text);
  expect(pickedRows(text, EQUAL)).toEqual({ rows: [0, 1, 2, 3], unknown: [] });
});

test('a link with only an ambiguous uid finds the first node of the table', () => {
  expect(pickedRows('rack1-node-1', EQUAL)).toEqual({ rows: [0], unknown: [] });
});

test.each(['lyra/gamma/rack1-node-1', 'lyra/alpha', 'lyra/alpha/', '/', 'rack1-node-3'])(
  'the name %j finds no node',
  (name) => {
    expect(pickedRows(name, EQUAL)).toEqual({ rows: [], unknown: [name] });
  },
);

test('a unique uid is shortened to at least eight characters', () => {
  const uids = ['c0ffee00-1111', 'c0ffee00-2222', 'deadbeef-3333', 'node', 'node-1', 'node-10'];
  const all = fleet(uids);
  const text = 'c0ffee00-1,c0ffee00-2,deadbeef,node,node-1,node-10';
  expect(pickText(uids.keys(), all)).toBe(text);
  expect(pickedRows(text, all)).toEqual({ rows: [0, 1, 2, 3, 4, 5], unknown: [] });
  expect(pickedRows('dead,,dead,deadbeef-3333,beef,beef', all)).toEqual({ rows: [2], unknown: ['beef'] });
});

test('a command gets the path of a node whose uid is not unique', () => {
  expect(nodeArgument(1, EQUAL)).toBe('rack1-node-2');
  expect(nodeArgument(2, EQUAL)).toBe('sites/lyra/clusters/beta/nodes/rack1-node-1');
});
