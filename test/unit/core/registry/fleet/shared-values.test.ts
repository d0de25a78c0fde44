import { describe, expect, test } from 'vitest';
import { sharedValues } from '../../../../../src/core/registry/fleet/shared-values.ts';
import { fleetOf, formatFact } from '../../../../support/values/fleet.ts';

const mac = (...macs: string[]) => ({ network_adapters: macs.map((each) => ({ mac: each })) });
const disk = (serial: string, wwn = '') => ({ storage_devices: [{ serial, wwn }] });

describe('an identifier of a part', () => {
  test('is reported if nodes of one type or of several types share it', () => {
    const types = [fleetOf({ n1: disk('S1'), n2: disk('S2') }), fleetOf({ g1: disk(' s1 '), g2: disk('S3') }, 'gpu')];
    expect(sharedValues(types).map(formatFact)).toEqual([
      { kind: 'shared', about: 'g1,n1 storage_devices.serial', value: '"S1"' },
    ]);
  });

  test('is compared regardless of notation for addresses, but exactly for serials', () => {
    const types = [
      fleetOf({ n1: mac('0A:1b:2c:3d:4e:5f'), n2: mac('0a-1b-2c-3d-4e-5f'), n3: disk('a-1', '0x5000c5') }),
    ];
    expect(sharedValues([...types, fleetOf({ n4: disk('a1', '5000C5') }, 'x')]).map(formatFact)).toEqual([
      { kind: 'shared', about: 'n1,n2 network_adapters.mac', value: '"0A:1b:2c:3d:4e:5f"' },
      { kind: 'shared', about: 'n3,n4 storage_devices.wwn', value: '"0x5000c5"' },
    ]);
  });

  test('is one finding if many nodes share it', () => {
    const types = [fleetOf({ n1: disk('P'), n2: disk('P'), n3: disk('P'), n4: disk('P') })];
    expect(sharedValues(types).map(formatFact)).toEqual([
      { kind: 'shared', about: 'n1,n2,n3,n4 storage_devices.serial', value: '"P"' },
    ]);
  });

  test('is not reported within one node, for placeholders, or in different fields', () => {
    const types = [
      fleetOf({ n1: mac('0a:1b:2c:3d:4e:5f', '0a:1b:2c:3d:4e:5f'), n2: disk('None'), n3: disk('None') }),
      fleetOf({ n4: disk('C1'), n5: { chassis: { serial: 'C1' } } }),
      fleetOf({ n6: mac('00:00:00:00:00:00'), n7: mac('00:00:00:00:00:00') }),
    ];
    expect(sharedValues(types)).toEqual([]);
  });

  test('includes UUIDs of any field class', () => {
    const types = [fleetOf({ n1: { gpu: [{ uuid: 'GPU-1' }] }, n2: { gpu: { uuid: 'gpu-1' } } })];
    expect(sharedValues(types).map(formatFact)).toEqual([
      { kind: 'shared', about: 'n1,n2 gpu.uuid', value: '"GPU-1"' },
    ]);
  });
});

describe('a node name', () => {
  const named = { node_name: 'rack1-1' };

  test('is reported if nodes of one site share it', () => {
    expect(sharedValues([fleetOf({ a: named, b: { node_name: 'Rack1-1' } })]).map(formatFact)).toEqual([
      { kind: 'shared', about: 'a,b node_name', value: '"rack1-1"' },
    ]);
  });

  test('is not reported if nodes of two sites share it', () => {
    expect(sharedValues([fleetOf({ a: named }), fleetOf({ b: named }, 'gpu', 'vega')])).toEqual([]);
  });
});

test('the finding points at the shared value', () => {
  const [fact] = sharedValues([fleetOf({ n1: mac('0a:1b:2c:3d:4e:5f'), n2: mac('0A1B2C3D4E5F') })]);
  expect(['0a1b2c3d4e5f', '0a:1b:2c:3d:4e:50', null, []].map((value) => fact?.isReportedValue?.(value))).toEqual([
    ...[true, false, false, false],
  ]);
});
