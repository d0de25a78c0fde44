import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { kindNamed } from '../../../../../src/core/model/kinds.ts';
import { openColumns } from '../../../../../src/core/registry/fleet/columns.ts';
import { implausibleValues } from '../../../../../src/core/registry/fleet/implausible.ts';
import { fleetOf, formatFact, member } from '../../../../support/values/fleet.ts';

/** Returns the findings for a node with only these fields. */
function problems(body: JsonObject): string[] {
  return implausibleValues(fleetOf({ n1: body })).map(
    ({ field, value, problem }) => `${field.join('.')} ${value}: ${problem}`,
  );
}

describe('implausibleValues of numbers', () => {
  test.each<[JsonObject, string[]]>([
    [{ main_memory: { ram_size: 0 } }, ['main_memory.ram_size 0: zero']],
    [{ main_memory: { ram_size: -1 } }, ['main_memory.ram_size -1: negative']],
    [{ main_memory: { ram_size: 256 } }, ['main_memory.ram_size 256: unit']],
    [
      { storage_devices: [{ size: 480 }, { size: 0 }] },
      ['storage_devices.size 480: unit', 'storage_devices.size 0: zero'],
    ],
    [{ processor: { clock_speed: 0 } }, ['processor.clock_speed 0: zero']],
    [{ processor: { clock_speed: 2.4 } }, ['processor.clock_speed 2.4: unit']],
    [{ processor: { clock_speed: 2_400_000_000_000 } }, ['processor.clock_speed 2400000000000: unit']],
    [{ processor: { cache_l3: -1 } }, ['processor.cache_l3 -1: negative']],
    [{ network_adapters: [{ rate: 25 }] }, ['network_adapters.rate 25: unit']],
    [{ architecture: { smp_size: 1.5, smt_size: 2 } }, ['architecture.smp_size 1.5: fraction']],
    [{ architecture: { smp_size: 2, smt_size: 1 } }, ['architecture.smt_size 1: fewer-threads']],
    [{ gpu: { gpu: true, gpu_count: -4 } }, ['gpu.gpu_count -4: negative']],
  ])('reports %j', (body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  test.each<JsonObject>([
    { main_memory: { ram_size: 137_438_953_472 }, processor: { clock_speed: 2_400_000_000, cache_l3: 0 } },
    { network_adapters: [{ rate: 0 }, { rate: 400_000_000_000 }] },
    { storage_devices: [{ size: 480_103_981_056, slot: -1, numa_node: -1 }] },
    { memory_devices: [{ size: 0, speed: 0 }] },
    { gpu: { gpu: false, gpu_count: 0 } },
    { architecture: { smp_size: 2, smt_size: 2 } },
    { placement: { node: 0 }, admin_size: -1 },
  ])('accepts %j', (body) => {
    expect(problems(body)).toEqual([]);
  });

  test('accepts a flavor without a disk', () => {
    const flavors = openColumns(kindNamed('flavor'), undefined);
    flavors.add(member('tiny', null), { name: 'tiny', vcpus: 0, ram: 512, disk: 0 });
    expect(implausibleValues(flavors.close()).map(formatFact)).toEqual([
      { kind: 'implausible', about: 'tiny vcpus', value: '0', problem: 'zero' },
    ]);
  });
});

describe('implausibleValues of MAC addresses', () => {
  test.each([
    ['0a:1b:2c:3d:4e', 'mac'],
    ['0a:1b:2c:3d:4e:5g', 'mac'],
    ['eth0', 'mac'],
    ['01:1b:2c:3d:4e:5f', 'group-mac'],
  ])('rejects %j', (mac, problem) => {
    expect(problems({ network_adapters: [{ mac }] })).toEqual([`network_adapters.mac "${mac}": ${problem}`]);
  });

  test.each([
    ...['0a:1b:2c:3d:4e:5f', '0A-1B-2C-3D-4E-5F', '0a1b.2c3d.4e5f', '0a:1b:2c:ff:fe:3d:4e:5f'],
    '80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1',
  ])('accepts %j', (mac) => {
    expect(problems({ network_adapters: [{ mac }] })).toEqual([]);
  });

  test('ignores placeholders', () => {
    expect(problems({ network_adapters: [{ mac: '' }, { mac: 'ff:ff:ff:ff:ff:ff' }] })).toEqual([]);
  });
});

test('a value is one finding for all nodes that have it', () => {
  const body = { storage_devices: [{ size: 0 }, { size: 0 }] };
  expect(implausibleValues(fleetOf({ n1: body, n2: body, n3: {} })).map(formatFact)).toEqual([
    { kind: 'implausible', about: 'n1,n2 storage_devices.size', value: '0', problem: 'zero' },
  ]);
});
