import { expect, test } from 'vitest';
import { kindNamed } from '../../../../src/core/model/kinds.ts';
import { FIELD_PARTS } from '../../../../src/core/platform/limits.ts';
import { templateOf, withCells } from '../../../../src/features/edit/new-body.ts';

const nested = (parts: number) => Array.from({ length: parts }, (_, i) => `a${i}`).join('.');

test('a field can have only as many parts as a YAML file can nest', () => {
  const body = { type: 'node', uid: '00000000-0000-4000-8000-000000000001' };
  const problems = (parts: number) =>
    withCells(body, [{ field: nested(parts), text: '1' }]).problems.filter(({ field }) => field.startsWith('a0'));
  expect(problems(FIELD_PARTS)).toEqual([]);
  expect(problems(FIELD_PARTS + 1)).toEqual([
    { field: nested(FIELD_PARTS + 1), problem: `the name has more than ${FIELD_PARTS} parts` },
  ]);
});

test('a template lacks serial numbers, addresses and the place of its node', () => {
  const adapter = { device: 'eth0', mac: '02:00:00:00:00:01', ip: '192.0.2.1', ip6: '2001:db8::1', rate: 25e9 };
  const body = {
    type: 'node',
    uid: '00000000-0000-4000-8000-000000000001',
    node_name: 'lyra-1',
    ip: '192.0.2.1',
    chassis: { serial: 'SX1' },
    supported_job_types: {},
    network_adapters: [{ ...adapter, network_address: 'lyra-1.example.org' }],
    storage_devices: [{ device: 'sda', by_id: '/dev/disk/by-id/wwn-0x1', by_path: '/dev/disk/by-path/pci-1', size: 1 }],
    placement: { rack: 4 },
  };
  expect(templateOf(kindNamed('node'), body)).toEqual({
    body: {
      supported_job_types: {},
      network_adapters: [{ device: 'eth0', rate: 25e9 }],
      storage_devices: [{ device: 'sda', by_path: '/dev/disk/by-path/pci-1', size: 1 }],
    },
    left: [
      ...['ip', 'chassis.serial', 'network_adapters.mac', 'network_adapters.ip', 'network_adapters.ip6'],
      ...['network_adapters.network_address', 'storage_devices.by_id', 'placement'],
    ],
  });
});
