/** If a search finds no node, the explorer offers searches that omit one part. */
import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { shorterSearches } from '../../../../src/explorer/fleet/shorter-searches.ts';

const column = (name: string, values: string[]) => ({ name, values, rows: values.map((_, row) => row) });
const table = tableIn({
  total: 2,
  uids: ['n1', 'n2'],
  clusters: [{ site: 'uc', cluster: 'main', nodes: 2 }],
  columns: [column('node_type', ['gpu_a100', 'storage']), column('node_name', ['c1', 'c2'])],
  labels: [],
});
if (!table) throw new Error('the table is inconsistent');
const fleet = fleetOf(table);

test.each([
  ['a100 foo', '“foo”', 'a100', [0]],
  ['foo a100 in uc', '“foo”', 'a100 in uc', [0]],
  ['a100 not c1', '“c1”', 'a100', [0]],
  ['a100 -c1', '“-c1”', 'a100', [0]],
  ['a100 "foo bar"', '“"foo bar"”', 'a100', [0]],
  ['a100 storage OR foo', '“storage”', 'a100 OR foo', [0]],
  ['c1 storage or foo', '“foo”', 'c1 storage', []],
  ["node_name = 'c1' AND node_type = 'x'", "node_type = 'x'", "node_name = 'c1'", [0]],
  ["(node_name = 'c1' AND node_type = 'x')", "node_type = 'x'", "node_name = 'c1'", [0]],
  ["foo = 1 AND node_name = 'c2'", 'foo = 1', "node_name = 'c2'", [1]],
])('%s without %s is %s', (text, part, rest, rows) => {
  expect(shorterSearches(text, fleet, undefined)).toContainEqual({ part, text: rest, rows });
});

test.each([
  'foo',
  "(node_name = 'x') OR (node_name = 'y' AND node_type = 'x')",
  "node_name = 'x'",
  'foo = ',
  '(a100 c2)',
  'foo '.repeat(13),
])('%s has no shorter search', (text) => {
  expect(shorterSearches(text, fleet, undefined)).toEqual([]);
});
