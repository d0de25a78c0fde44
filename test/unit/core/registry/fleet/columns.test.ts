import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/core/model/json.ts';
import { fleetOf } from '../../../../support/values/fleet.ts';

/** Returns the values of the only node for each field. */
function cells(body: JsonObject): Record<string, [values: Json[], items: number]> {
  const { columns } = fleetOf({ n1: body });
  return Object.fromEntries(
    columns.flatMap(({ field, cells }) => {
      const cell = cells.get(0);
      return cell ? [[field.join('.'), [cell.values, cell.items]]] : [];
    }),
  );
}

test('each field is a column, and item positions do not matter', () => {
  expect(
    cells({
      infiniband: true,
      bios: { version: '1.10' },
      storage_devices: [{ device: 'sda', size: 5 }, { device: 'sdb' }, { size: 5 }],
    }),
  ).toEqual({
    infiniband: [[true], 0],
    bios: [[], 1],
    'bios.version': [['1.10'], 0],
    storage_devices: [[3], 3],
    'storage_devices.device': [['sda', 'sdb'], 0],
    'storage_devices.size': [[5, 5], 0],
  });
});

test('null, false and mappings of only these count as missing', () => {
  expect(cells({ a: null, b: false, c: 'false', d: { e: null }, gpu: { gpu: false }, f: 0, g: '', h: [] })).toEqual({
    f: [[0], 0],
    g: [[''], 0],
    h: [[0], 0],
  });
});

test('a single GPU counts as a list of one', () => {
  const one = { gpu: true, gpu_count: 2 };
  expect(cells({ gpu: one })).toEqual({ gpu: [[1], 1], 'gpu.gpu': [[true], 0], 'gpu.gpu_count': [[2], 0] });
  expect(cells({ gpu: [one] })).toEqual(cells({ gpu: one }));
});

test('a list of scalars contributes each scalar', () => {
  expect(cells({ tags: ['a', 'b', null] })).toEqual({ tags: [['a', 'b'], 0] });
});

test('the class of a column is that of its field, also inside items', () => {
  const { columns } = fleetOf({ n1: { storage_devices: [{ serial: 'A', size: 1 }], note: 'x' } });
  expect(columns.map(({ field, rule }) => [field.join('.'), rule.class])).toEqual([
    ['storage_devices', 'hardware'],
    ['storage_devices.serial', 'component'],
    ['storage_devices.size', 'hardware'],
    ['note', 'unknown'],
  ]);
});
