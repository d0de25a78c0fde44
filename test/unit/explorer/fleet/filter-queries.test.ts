/** Queries for filters and words on fields and values that a query must quote. */
import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { findNodes } from '../../../../src/core/query/evaluate.ts';
import { filtersOfQuery, queryOfFilters } from '../../../../src/explorer/fleet/filter-queries.ts';
import { filtersIn, selection } from '../../../../src/explorer/fleet/filters.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { search } from '../../../../src/explorer/fleet/search.ts';

/** The values of two nodes in a column. The word `found` occurs only in the first node. */
function fleetWith(name: string, values: readonly string[]) {
  const table = tableIn({
    total: 2,
    uids: ['u0', 'u1'],
    clusters: [{ site: 'lyra', cluster: 'main', nodes: 2 }],
    columns: [{ name, values, rows: [0, 1] }],
    labels: [],
  });
  if (!table) throw new Error('the table is inconsistent');
  return fleetOf(table);
}

test.each([
  ['serial number', `"serial number" = 'found'`],
  ['and', `"and" = 'found'`],
  ['3d', `"3d" = 'found'`],
  ['"a.b c"', `"a.b c" = 'found'`],
  ['note', "note = 'found'"],
])('a filter and a word find a node by its field %s', (field, query) => {
  const fleet = fleetWith(field.replaceAll('"', ''), ['found', 'other']);
  const texts = ['found'];
  expect(queryOfFilters([{ field, texts, range: undefined }], '', fleet)).toBe(query);
  expect(search(fleet, 'found')).toMatchObject({ rows: [0], translatedQuery: query });
  expect(search(fleet, '-found')).toMatchObject({ rows: [1] });
});

test.each([
  [['C:\\'], "note LIKE 'C:\\\\'", [0]],
  [['C:\\', 'D'], "(note = 'D' OR note LIKE 'C:\\\\')", [0, 1]],
  [["\\'_"], "note LIKE '\\\\''\\_'", []],
])('a filter on %j', (texts, query, rows) => {
  const fleet = fleetWith('note', ['C:\\', 'D']);
  expect(queryOfFilters([{ field: 'note', texts, range: undefined }], '', fleet)).toBe(query);
  expect(findNodes(query, fleet.query)).toEqual(rows);
});

test.each([
  ['label.ram = 512GiB', { 'label.ram': ['549755813888'] }],
  ["note = '512 GiB'", { note: ['512 GiB'] }],
  ["label.ram = '512 GiB'", undefined],
  ["main_memory.ram_size IN ('512 GiB', 1)", undefined],
])('the filters of %s match the same nodes', (query, filters) => {
  expect(filtersOfQuery(query)).toEqual(filters);
});

test('a range finds nodes with an item in the range, and no nodes with items on both sides of the range', () => {
  const table = tableIn({
    total: 2,
    uids: ['u0', 'u1'],
    clusters: [{ site: 'lyra', cluster: 'main', nodes: 2 }],
    columns: [{ name: 'ports', values: [[{ rate: 1e9 }, { rate: 1e11 }], [{ rate: 1e10 }]], rows: [0, 1] }],
    labels: [],
  });
  if (!table) throw new Error('the table is inconsistent');
  const fleet = fleetOf(table);
  const filters = filtersIn(new URLSearchParams('ports.rate=5Gbps..25Gbps'), fleet);
  const query = 'ports.rate BETWEEN 5Gbps AND 25Gbps';
  expect(selection(fleet, filters, undefined).rows).toEqual([1]);
  expect(queryOfFilters(filters, '', fleet)).toBe(query);
  expect(findNodes(query, fleet.query)).toEqual([1]);
  expect(search(fleet, 'ports.rate:5Gbps..25Gbps')).toMatchObject({ rows: [1], translatedQuery: query });
});
