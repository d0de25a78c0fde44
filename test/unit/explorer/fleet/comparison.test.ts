import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { compared, isSameNominalSize } from '../../../../src/explorer/fleet/comparison.ts';

const ethernet = (device: string, model: string): JsonObject => ({ device, interface: 'Ethernet', model });
const NODES: readonly JsonObject[] = [
  {
    network_adapters: [ethernet('eno1', 'X710'), ethernet('eno2', 'X710')],
    storage_devices: [{ device: 'nvme0n1', size: 5 }],
  },
  { network_adapters: [ethernet('enp5s0', 'E810'), { device: 'ib0', interface: 'InfiniBand', model: 'MT28908' }] },
  {
    network_adapters: [ethernet('eno2', 'X710'), ethernet('eno1', 'X710')],
    storage_devices: [{ device: 'nvme0n1', size: 7 }],
  },
];
const rowsOf = ({ fields }: ReturnType<typeof compared>) =>
  Object.fromEntries(fields.filter(({ name }) => /model|size/.test(name)).map(({ label, cells }) => [label, cells]));

test('parts of different nodes are paired by name, then by role, and a part that a node lacks has no value', () => {
  expect(rowsOf(compared(NODES, { hasEqualFields: false, byRole: true }))).toEqual({
    'network_adapters[Ethernet 1].model': ['X710', 'E810', 'X710'],
    'network_adapters[eno2].model': ['X710', undefined, 'X710'],
    'network_adapters[ib0].model': [undefined, 'MT28908', undefined],
    'storage_devices[nvme0n1].size': [5, undefined, 7],
  });
});

test('parts of one node are paired by name only, and a new order is not a difference', () => {
  const [first = {}, second = {}, third = {}] = NODES;
  expect(Object.keys(rowsOf(compared([first, second], { hasEqualFields: false, byRole: false })))).toEqual([
    'network_adapters[eno1].model',
    'network_adapters[eno2].model',
    'network_adapters[enp5s0].model',
    'network_adapters[ib0].model',
    'storage_devices[nvme0n1].size',
  ]);
  const { fields, reordered } = compared([first, third], { hasEqualFields: false, byRole: false });
  expect([fields.map(({ label }) => label), reordered]).toEqual([
    ['storage_devices[nvme0n1].size'],
    ['network_adapters'],
  ]);
});

test('equal fields are listed on request', () => {
  const [first = {}] = NODES;
  expect(compared([first, first], { hasEqualFields: false, byRole: true }).fields).toEqual([]);
  expect(compared([first, first], { hasEqualFields: true, byRole: true }).fields).toHaveLength(8);
});

test('two numbers for the same nominal memory are a spelling', () => {
  const name = 'main_memory.ram_size';
  expect(isSameNominalSize(name, 256 * 1024 ** 3, 256e9)).toBe(true);
  expect(isSameNominalSize(name, 512 * 1024 ** 3, 256e9)).toBe(false);
  expect(isSameNominalSize('storage_devices.size', 256 * 1024 ** 3, 256e9)).toBe(false);
});
