/** Filters in a URL: texts, ranges, and texts that look like ranges. */
import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { filtersIn, selection } from '../../../../src/explorer/fleet/filters.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';

const TYPES = ['1..5', '3', '7'];
const table = tableIn({
  total: 3,
  uids: ['u0', 'u1', 'u2'],
  clusters: [{ site: 'lyra', cluster: 'main', nodes: 3 }],
  columns: [
    { name: 'node_type', values: TYPES, rows: [0, 1, 2] },
    { name: 'rack', values: ['7', 7, '8'], rows: [0, 1, 2] },
    { name: 'architecture', values: [1, 3, 7].map((smt_size) => ({ smt_size })), rows: [0, 1, 2] },
  ],
  labels: [],
});

test.each([
  ['node_type=1..5', { texts: ['1..5'], range: undefined }, [0]],
  ['node_type=3', { texts: ['3'], range: undefined }, [1]],
  ['architecture.smt_size=1..5', { texts: [], range: { from: 1, to: 5 } }, [0, 1]],
  ['architecture.smt_size=..3', { texts: [], range: { from: undefined, to: 3 } }, [0, 1]],
  ['rack=7', { texts: ['7'], range: undefined }, [0, 1]],
  ['rack=7..', { texts: [], range: { from: 7, to: undefined } }, [1]],
  ['architecture.smt_size=..', { texts: ['..'], range: undefined }, []],
])('%s', (text, filter, rows) => {
  if (!table) throw new Error('the table is inconsistent');
  const fleet = fleetOf(table);
  const filters = filtersIn(new URLSearchParams(text), fleet);
  expect(filters).toEqual([{ field: text.split('=')[0], ...filter }]);
  expect(selection(fleet, filters, undefined).rows).toEqual(rows);
});
