import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { nodeDifferences } from '../../../../../src/core/registry/fleet/differences.ts';
import { fleetOf, told } from '../../../../support/values/fleet.ts';

function tell(bodies: readonly JsonObject[]) {
  const named = bodies.map((body, i) => [`n${i + 1}`, body] as const);
  return nodeDifferences(fleetOf(Object.fromEntries(named))).map(told);
}

const cpu = (model: string) => ({ processor: { model } });
const disks = (...models: string[]) => ({ storage_devices: models.map((model) => ({ model })) });

describe('a node against the most', () => {
  test('differs in a hardware field', () => {
    const odd = { kind: 'difference', isCount: false, usual: '"A"' };
    expect(tell([cpu('A'), cpu('B'), cpu('A'), cpu('A'), cpu('C'), cpu('B'), cpu('A')])).toEqual([
      { ...odd, about: 'n2,n6 processor.model', value: '"B"' },
      { ...odd, about: 'n5 processor.model', value: '"C"' },
    ]);
  });

  test('is not compared where it says nothing, or a placeholder', () => {
    expect(tell([cpu('A'), cpu('A'), cpu('To be filled by O.E.M.'), {}])).toEqual([]);
  });

  test('is not compared in what is not hardware, nor in what is never the same', () => {
    const body = (n: number) => ({
      node_name: `n${n}`,
      placement: { rack: n },
      bios: { version: `${n}` },
      note: n,
      gpu: [{ uuid: `GPU-${n}`, serial: `${n}` }],
    });
    expect(tell([body(1), body(2)])).toEqual([]);
  });

  test('is alone of its type', () => {
    expect(tell([cpu('A')])).toEqual([]);
  });

  test('is of no type', () => {
    expect(nodeDifferences(fleetOf({ n1: cpu('A'), n2: cpu('B') }, null))).toEqual([]);
  });

  test('shows what most of those write that say the same', () => {
    expect(tell([cpu('a'), cpu('A'), cpu('A'), cpu('B')])).toEqual([
      { kind: 'difference', isCount: false, about: 'n4 processor.model', value: '"B"', usual: '"A"' },
    ]);
  });
});

describe('no rule', () => {
  test('of two nodes none is the reference', () => {
    expect(tell([cpu('A'), cpu('B')])).toEqual([
      { kind: 'split', about: 'n1,n2 processor.model', isCount: false, sorts: ['n1: "A"', 'n2: "B"'] },
    ]);
  });

  test('half is not most; the most frequent comes first', () => {
    expect(tell([cpu('B'), cpu('A'), cpu('C'), cpu('A')])).toEqual([
      {
        kind: 'split',
        about: 'n1,n2,n3,n4 processor.model',
        isCount: false,
        sorts: ['n2,n4: "A"', 'n1: "B"', 'n3: "C"'],
      },
    ]);
  });

  test('what no two of three nodes have the same varies by nature', () => {
    expect(tell([cpu('A'), cpu('B'), cpu('C')])).toEqual([]);
  });
});

describe('items of arrays', () => {
  test('are compared as a whole, in whatever order they stand', () => {
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

  test('differ in their number, and then only in values that the others have not', () => {
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

  test('that do not say something may have what the others have', () => {
    const partly = { storage_devices: [{ model: 'A' }, { device: 'sdb' }] };
    expect(tell([disks('A', 'A'), disks('A', 'A'), partly])).toEqual([]);
  });
});

test('points at the value that is odd', () => {
  const [odd] = nodeDifferences(fleetOf({ n1: disks('A'), n2: disks('A'), n3: disks('A', 'B') })).slice(1);
  expect(['A', 'a', 'B', ['B'], null].map((value) => odd?.isMeant?.(value))).toEqual([
    ...[false, false, true, false, false],
  ]);
});
