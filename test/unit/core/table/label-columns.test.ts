import { expect, test } from 'vitest';
import { labelling } from '../../../../src/core/labels/labels.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { labelColumns } from '../../../../src/core/table/label-columns.ts';
import { surveyNodes } from '../../../../src/core/table/node-survey.ts';
import { valueInRow } from '../../../../src/core/table/node-table.ts';
import { fleetOfBodies } from '../../../support/values/fleet-of-bodies.ts';

const BODIES: readonly JsonObject[] = [
  { gpu: { gpu: true, gpu_model: 'GA100 [A100 PCIe 40GB]' }, main_memory: { ram_size: 206_158_430_208 } },
  { gpu: { gpu: false }, main_memory: { ram_size: 200_789_721_088 } },
  { gpu: [{ gpu_model: 'GA100 [A100 SXM4 80GB]' }, { gpu_model: 'P100' }] },
  { gpu_devices: { nvidia0: { model: 'Tesla V100-SXM2-32GB' } } },
  {},
];

const { state, store } = fleetOfBodies(BODIES);
const { table } = surveyNodes(state, store);
const labels = labelling(undefined);
const columns = labelColumns(table.columns, labels);

test('a row has the same label as its body', () => {
  for (const [row, body] of BODIES.entries()) {
    const found = columns.flatMap((column) => {
      const value = valueInRow(column, row);
      return value === undefined ? [] : [[column.name.replace('label.', ''), value]];
    });
    expect(Object.fromEntries(found)).toEqual(labels.of(body));
  }
});

test('a row has the same label as its body even if almost all bodies differ', () => {
  const bodies = Array.from(
    { length: 120 },
    (_, i): JsonObject => ({
      gpu: i % 2 === 0 ? `none ${i}` : { nvidia0: { gpu_model: `NVIDIA A100-PCIE-${i}GB`, bus: `0000:${i}` } },
      processor: { model: 'AMD EPYC', other_description: `AMD EPYC 7${i} at ${i} GHz`, stepping: `S${i}` },
      main_memory: { ram_size: 206_158_430_208 - i * 4096 },
      storage_devices: [{ size: 480_000_000_000 + i, path: `/dev/${i}` }],
      network_adapters: [{ rate: 25_000_000_000 + i, enabled: i % 3 === 0, alias: `eth${i}` }],
    }),
  );
  const { state, store } = fleetOfBodies(bodies);
  const { table } = surveyNodes(state, store);
  const found = labelColumns(table.columns, labels);
  for (const [row, body] of bodies.entries()) {
    const values = found.map((column) => [column.name.replace('label.', ''), valueInRow(column, row)]);
    expect(Object.fromEntries(values.filter(([, value]) => value !== undefined))).toEqual(labels.of(body));
  }
  expect(table.omittedFields).toEqual([
    ...['gpu.nvidia0.bus', 'network_adapters.alias', 'processor.stepping', 'storage_devices.path'],
  ]);
});

test('a label lists the columns and values that it is computed from, and labels without nodes are omitted', () => {
  expect(columns.map(({ name }) => name)).toEqual(['label.gpu', 'label.ram']);
  expect(columns[0]?.of).toEqual([
    { column: 'gpu', values: ['A100', null, ['A100', 'P100']] },
    { column: 'gpu_devices', values: ['V100'] },
  ]);
  expect(columns[1]?.of).toEqual([{ column: 'main_memory', values: [206_158_430_208, 206_158_430_208] }]);
});
