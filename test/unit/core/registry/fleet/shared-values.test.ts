import { describe, expect, test } from 'vitest';
import { sharedValues } from '../../../../../src/core/registry/fleet/shared-values.ts';
import { fleetOf, told } from '../../../../support/values/fleet.ts';

const mac = (...macs: string[]) => ({ network_adapters: macs.map((each) => ({ mac: each })) });
const disk = (serial: string, wwn = '') => ({ storage_devices: [{ serial, wwn }] });

describe('parts', () => {
  test('of nodes of one type and of several', () => {
    const types = [fleetOf({ n1: disk('S1'), n2: disk('S2') }), fleetOf({ g1: disk(' s1 '), g2: disk('S3') }, 'gpu')];
    expect(sharedValues(types).map(told)).toEqual([
      { kind: 'shared', about: 'g1,n1 storage_devices.serial', value: '"S1"' },
    ]);
  });

  test('addresses are the same however they are written, serials are not', () => {
    const types = [
      fleetOf({ n1: mac('0A:1b:2c:3d:4e:5f'), n2: mac('0a-1b-2c-3d-4e-5f'), n3: disk('a-1', '0x5000c5') }),
    ];
    expect(sharedValues([...types, fleetOf({ n4: disk('a1', '5000C5') }, 'x')]).map(told)).toEqual([
      { kind: 'shared', about: 'n1,n2 network_adapters.mac', value: '"0A:1b:2c:3d:4e:5f"' },
      { kind: 'shared', about: 'n3,n4 storage_devices.wwn', value: '"0x5000c5"' },
    ]);
  });

  test('a value that many share is one fact', () => {
    const types = [fleetOf({ n1: disk('P'), n2: disk('P'), n3: disk('P'), n4: disk('P') })];
    expect(sharedValues(types).map(told)).toEqual([
      { kind: 'shared', about: 'n1,n2,n3,n4 storage_devices.serial', value: '"P"' },
    ]);
  });

  test('what one node has twice, placeholders, and equal values of different fields are no fact', () => {
    const types = [
      fleetOf({ n1: mac('0a:1b:2c:3d:4e:5f', '0a:1b:2c:3d:4e:5f'), n2: disk('None'), n3: disk('None') }),
      fleetOf({ n4: disk('C1'), n5: { chassis: { serial: 'C1' } } }),
      fleetOf({ n6: mac('00:00:00:00:00:00'), n7: mac('00:00:00:00:00:00') }),
    ];
    expect(sharedValues(types)).toEqual([]);
  });

  test('a UUID is no other part, whatever class it inherits', () => {
    const types = [fleetOf({ n1: { gpu: [{ uuid: 'GPU-1' }] }, n2: { gpu: { uuid: 'gpu-1' } } })];
    expect(sharedValues(types).map(told)).toEqual([{ kind: 'shared', about: 'n1,n2 gpu.uuid', value: '"GPU-1"' }]);
  });
});

describe('names of nodes', () => {
  const named = { node_name: 'rack1-1' };

  test('are shared at one site', () => {
    expect(sharedValues([fleetOf({ a: named, b: { node_name: 'Rack1-1' } })]).map(told)).toEqual([
      { kind: 'shared', about: 'a,b node_name', value: '"rack1-1"' },
    ]);
  });

  test('are not shared by two sites', () => {
    expect(sharedValues([fleetOf({ a: named }), fleetOf({ b: named }, 'gpu', 'vega')])).toEqual([]);
  });
});

test('points at the value that is shared', () => {
  const [fact] = sharedValues([fleetOf({ n1: mac('0a:1b:2c:3d:4e:5f'), n2: mac('0A1B2C3D4E5F') })]);
  expect(['0a1b2c3d4e5f', '0a:1b:2c:3d:4e:50', null, []].map((value) => fact?.isMeant?.(value))).toEqual([
    ...[true, false, false, false],
  ]);
});
