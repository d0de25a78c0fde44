/** The bars of a distribution. */
import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { facetColumn } from '../../../../src/explorer/fleet/filters.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { numberBins } from '../../../../src/explorer/fleet/number-bins.ts';

test('a node with two disks in one bin counts once, and a node with disks in two bins counts in both', () => {
  const sizes = [[1, 2], [2, 3], [3, 4], [4]];
  const table = tableIn({
    total: 4,
    uids: ['u0', 'u1', 'u2', 'u3'],
    clusters: [{ site: 'lyra', cluster: 'main', nodes: 4 }],
    columns: [{ name: 'disks', values: sizes.map((list) => list.map((size) => ({ size }))), rows: [0, 1, 2, 3] }],
    labels: [],
  });
  if (!table) throw new Error('the table is inconsistent');
  const column = facetColumn(fleetOf(table), 'disks.size');
  expect(numberBins(column, [0, 1, 2, 3], 2)).toEqual([
    { from: 1, to: 2, nodes: 2 },
    { from: 3, to: 4, nodes: 3 },
  ]);
  expect(numberBins(column, [0, 3], 4).map(({ nodes }) => nodes)).toEqual([1, 1, 0, 1]);
});
