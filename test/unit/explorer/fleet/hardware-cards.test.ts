import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { summaryOf } from '../../../../src/explorer/fleet/hardware-cards.ts';

test('the summary of a node omits empty values', () => {
  const table = tableIn({
    total: 2,
    uids: ['node-1', 'node-2'],
    clusters: [{ site: 'lyra', cluster: 'main', nodes: 2 }],
    columns: [
      { name: 'node_type', values: ['storage'], rows: [0, 0] },
      { name: 'placement', values: [{ rack: '' }, { rack: '7' }], rows: [0, 1] },
    ],
    labels: [],
  });
  if (!table) throw new Error('the table is inconsistent');
  const fleet = fleetOf(table);
  expect([0, 1].map((row) => summaryOf(fleet, row).line)).toEqual(['storage', 'storage, rack 7']);
});
