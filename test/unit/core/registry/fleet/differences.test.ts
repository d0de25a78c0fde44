import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { nodeDifferences } from '../../../../../src/core/registry/fleet/differences.ts';
import { fleetOf, formatFact } from '../../../../support/values/fleet.ts';

function tell(bodies: readonly JsonObject[]) {
  const named = bodies.map((body, i) => [`n${i + 1}`, body] as const);
  return nodeDifferences(fleetOf(Object.fromEntries(named))).map(formatFact);
}

const cpu = (model: string) => ({ processor: { model } });
const disks = (...models: string[]) => ({ storage_devices: models.map((model) => ({ model })) });

describe('a node that differs from the majority', () => {
  test('is reported for a hardware field', () => {
    const odd = { kind: 'difference', isCount: false, usual: '"A"' };
    expect(tell([cpu('A'), cpu('B'), cpu('A'), cpu('A'), cpu('C'), cpu('B'), cpu('A')])).toEqual([
      { ...odd, about: 'n2,n6 processor.model', value: '"B"' },
      { ...odd, about: 'n5 processor.model', value: '"C"' },
    ]);
  });

  test('is not compared if its value is missing or a placeholder', () => {
    expect(tell([cpu('A'), cpu('A'), cpu('To be filled by O.E.M.'), {}])).toEqual([]);
  });

  test('is not compared in fields that are not hardware or unique to each node', () => {
    const body = (n: number) => ({
      node_name: `n${n}`,
      placement: { rack: n },
      bios: { version: `${n}` },
      note: n,
      gpu: [{ uuid: `GPU-${n}`, serial: `${n}` }],
    });
    expect(tell([body(1), body(2)])).toEqual([]);
  });

  test('is not reported if it is the only one of its type', () => {
    expect(tell([cpu('A')])).toEqual([]);
  });

  test('is not reported if it has no type', () => {
    expect(nodeDifferences(fleetOf({ n1: cpu('A'), n2: cpu('B') }, null))).toEqual([]);
  });

  test('is reported with the most frequent spelling of the usual value', () => {
    expect(tell([cpu('a'), cpu('A'), cpu('A'), cpu('B')])).toEqual([
      { kind: 'difference', isCount: false, about: 'n4 processor.model', value: '"B"', usual: '"A"' },
    ]);
  });
});

describe('nodes without a majority', () => {
  test('are reported for two different nodes', () => {
    expect(tell([cpu('A'), cpu('B')])).toEqual([
      { kind: 'split', about: 'n1,n2 processor.model', isCount: false, valueGroups: ['n1: "A"', 'n2: "B"'] },
    ]);
  });

  test('are reported if half of the nodes agree, most frequent value first', () => {
    expect(tell([cpu('B'), cpu('A'), cpu('C'), cpu('A')])).toEqual([
      {
        kind: 'split',
        about: 'n1,n2,n3,n4 processor.model',
        isCount: false,
        valueGroups: ['n2,n4: "A"', 'n1: "B"', 'n3: "C"'],
      },
    ]);
  });

  test('are not reported if no two of three nodes agree', () => {
    expect(tell([cpu('A'), cpu('B'), cpu('C')])).toEqual([]);
  });
});

describe('array items', () => {
  test('are compared as a set', () => {
    expect(tell([disks('A', 'B'), disks('B', 'A'), disks('A', 'B')])).toEqual([]);
    expect(tell([disks('A', 'B', 'B'), disks('A', 'B', 'B'), disks('A', 'A', 'B')])).toEqual([
      {
        kind: 'difference',
        isCount: false,
        about: 'n3 storage_devices.model',
        value: '2 × "A", "B"',
        usual: '2 × "B", "A"',
      },
    ]);
  });

  test('are reported by number, and otherwise by values that other nodes lack', () => {
    const count = { kind: 'difference', isCount: true, about: 'n3 storage_devices', usual: '2' };
    expect(tell([disks('A', 'A'), disks('A', 'A'), disks('A')])).toEqual([{ ...count, value: '1' }]);
    expect(tell([disks('A', 'A'), disks('A', 'A'), disks('A', 'A', 'B')])).toEqual([
      { ...count, value: '3' },
      {
        kind: 'difference',
        isCount: false,
        about: 'n3 storage_devices.model',
        value: '2 × "A", "B"',
        usual: '2 × "A"',
      },
    ]);
    expect(tell([disks('A'), disks('A'), { storage_devices: [] }])).toEqual([{ ...count, value: '0', usual: '1' }]);
  });

  test('without a field may have the same value as the other nodes', () => {
    const partly = { storage_devices: [{ model: 'A' }, { device: 'sdb' }] };
    expect(tell([disks('A', 'A'), disks('A', 'A'), partly])).toEqual([]);
  });
});

test('the finding points at the differing value', () => {
  const [odd] = nodeDifferences(fleetOf({ n1: disks('A'), n2: disks('A'), n3: disks('A', 'B') })).slice(1);
  expect(['A', 'a', 'B', ['B'], null].map((value) => odd?.isReportedValue?.(value))).toEqual([
    ...[false, false, true, false, false],
  ]);
});
