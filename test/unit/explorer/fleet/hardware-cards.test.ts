import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { fieldWords, summaryOf } from '../../../../src/explorer/fleet/hardware-cards.ts';

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

test.each([
  ['gpu.gpu_vendor', 'unknown', 'GPU vendor'],
  ['gpu.gpu_vendor', 'hardware', 'GPU vendor'],
  ['fpga.fpga_model', 'hardware', 'FPGA model'],
  ['processor.model', 'unknown', 'Processor model'],
  // The title of the card already contains the device.
  ['processor.model', 'hardware', 'Model'],
] as const)('the field %s of the class %s is called %s', (name, about, text) => {
  expect(fieldWords({ name, label: name, class: about })).toBe(text);
});
