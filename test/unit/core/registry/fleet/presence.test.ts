import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { presences } from '../../../../../src/core/registry/fleet/differences.ts';
import { fleetOf, formatFact } from '../../../../support/values/fleet.ts';

function tell(bodies: readonly JsonObject[]) {
  const named = bodies.map((body, i) => [`n${i + 1}`, body] as const);
  return presences(fleetOf(Object.fromEntries(named))).map(formatFact);
}

test('a field that most nodes have is missing elsewhere; a field that few nodes have is extra', () => {
  const chassis = { chassis: { serial: 'S' } };
  expect(tell([chassis, chassis, {}, { ...chassis, fpga: { board_model: 'U280', board_vendor: 'X' } }])).toEqual([
    { kind: 'missing', about: 'n3 chassis' },
    { kind: 'extra', about: 'n4 fpga' },
  ]);
});

test('of two nodes, the one without the field lacks it', () => {
  expect(tell([{ infiniband: true }, { infiniband: false }])).toEqual([{ kind: 'missing', about: 'n2 infiniband' }]);
});

test('only nodes with the parent of a field can lack it', () => {
  const disk = { size: 5, serial: 'A' };
  expect(tell([{ storage_devices: [disk] }, { storage_devices: [{ size: 5 }] }, { storage_devices: [] }])).toEqual([
    { kind: 'missing', about: 'n2 storage_devices.serial' },
  ]);
});

test('a field of one item counts as a field of the node', () => {
  const rated = { network_adapters: [{ device: 'a', rate: 1 }, { device: 'b' }] };
  expect(tell([rated, { network_adapters: [{ device: 'a', rate: 1 }] }])).toEqual([]);
});

test('notes, drivers and unknown fields do not count', () => {
  expect(tell([{ admin_note: 'x', comment: 'y', storage_devices: [{ driver: 'z' }] }, {}])).toEqual([
    { kind: 'missing', about: 'n2 storage_devices' },
  ]);
});

test('a single node, or one without a type, lacks nothing', () => {
  expect(tell([{ infiniband: true }])).toEqual([]);
  expect(presences(fleetOf({ n1: { infiniband: true }, n2: {} }, null))).toEqual([]);
});
