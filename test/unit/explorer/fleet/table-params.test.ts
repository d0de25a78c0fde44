/** Columns and sort orders from the URL. */
import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { columnsOf, sortingsOf } from '../../../../src/explorer/fleet/table-params.ts';

const table = tableIn({
  total: 1,
  uids: ['n1'],
  clusters: [{ site: 'lyra', cluster: 'main', nodes: 1 }],
  columns: [{ name: 'node_type', values: ['gpu'], rows: [0] }],
  left_out: ['storage_devices.serial'],
  labels: [],
});
if (!table) throw new Error('the table is inconsistent');
const fleet = fleetOf(table);

test.each([
  [null, ['node_name', 'site', 'node_type']],
  ['site,node_type,site,site', ['node_name', 'site', 'node_type']],
  ['foo,node_type,__proto__', ['node_name', 'node_type']],
  ['foo', ['node_name', 'site', 'node_type']],
  ['storage_devices.serial', ['node_name', 'storage_devices.serial']],
])('the list %j shows the columns %j', (text, columns) => {
  expect(columnsOf(fleet, text)).toEqual(columns);
});

test('a sort order contains each field once, and at most ten fields', () => {
  expect(sortingsOf('-site,-site,node_type')).toEqual([
    { field: 'site', isDescending: true },
    { field: 'node_type', isDescending: false },
  ]);
  expect(sortingsOf(Array.from({ length: 1000 }, (_, i) => `f${i}`).join()).length).toBe(10);
});
