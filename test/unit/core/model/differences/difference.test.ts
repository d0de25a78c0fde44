import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  classesOf,
  difference as compared,
  type FieldChange,
  isReplacement,
} from '../../../../../src/core/model/differences/difference.ts';
import { classNames, FIELD_CLASSES, fieldRules } from '../../../../../src/core/model/field-classes.ts';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { NODE } from '../../../../../src/core/model/kinds.ts';
import { partsObject } from '../../../../support/values/arbitraries.ts';

const difference = (before: JsonObject, after: JsonObject) => compared(before, after, fieldRules(NODE));

describe('difference', () => {
  test('is empty for equal bodies in any key order', () => {
    expect(difference({ a: 1, b: [{ c: null, d: 2 }] }, { b: [{ d: 2, c: null }], a: 1 })).toEqual([]);
  });

  test('lists changes by JSON pointer: removals and updates in old order, then additions', () => {
    expect(
      difference(
        { uid: 'n1', bios: { version: '1.0', vendor: 'V' }, gone: 5 },
        { uid: 'n1', bios: { version: '1.1', vendor: 'V' }, fresh: { x: 1 } },
      ),
    ).toEqual([
      { at: '/bios/version', from: '1.0', to: '1.1' },
      { at: '/gone', from: 5 },
      { at: '/fresh', to: { x: 1 } },
    ]);
  });

  test('distinguishes null from a missing value', () => {
    expect(difference({ a: null }, {})).toEqual([{ at: '/a', from: null }]);
    expect(difference({}, { a: null })).toEqual([{ at: '/a', to: null }]);
    expect(difference({ a: null }, { a: 0 })).toEqual([{ at: '/a', from: null, to: 0 }]);
  });

  test('compares arrays by position, with items added or removed at the end', () => {
    expect(difference({ a: [1, 2, 3] }, { a: [1, 5] })).toEqual([
      { at: '/a/1', from: 2, to: 5 },
      { at: '/a/2', from: 3 },
    ]);
    expect(difference({ a: [] }, { a: [null, [1]] })).toEqual([
      { at: '/a/0', to: null },
      { at: '/a/1', to: [1] },
    ]);
  });

  test('replaces the whole value if its type changes', () => {
    expect(difference({ a: { b: 1 } }, { a: [1] })).toEqual([{ at: '/a', from: { b: 1 }, to: [1] }]);
  });

  test('escapes "~" and "/" in keys (RFC 6901)', () => {
    expect(difference({ 'a/b~c': 1 }, { 'a/b~c': 2, '~1': 3 })).toEqual([
      { at: '/a~1b~0c', from: 1, to: 2 },
      { at: '/~01', to: 3 },
    ]);
  });

  test('treats "__proto__" and "constructor" as ordinary keys', () => {
    const before: JsonObject = JSON.parse('{"__proto__":{"polluted":1},"constructor":"x"}');
    const after: JsonObject = JSON.parse('{"__proto__":{"polluted":2},"constructor":"y"}');
    expect(difference(before, after)).toEqual([
      { at: '/__proto__/polluted', from: 1, to: 2 },
      { at: '/constructor', from: 'x', to: 'y' },
    ]);
  });
});

describe('difference of parts', () => {
  const disk = (device: string, serial: string, more = {}) => ({ device, serial, ...more });

  test('compares parts with the same key at any position', () => {
    const before = { storage_devices: [disk('sda', 'A'), disk('sdb', 'B', { rev: '1' }), disk('sdc', 'C')] };
    const after = { storage_devices: [disk('sdb', 'X', { rev: '1' }), disk('nvme0n1', 'N'), disk('sdc', 'C')] };
    expect(difference(before, after)).toEqual([
      { at: '/storage_devices/0', from: { device: 'sda', serial: 'A' } },
      { at: '/storage_devices/1/serial', from: 'B', to: 'X' },
      { at: '/storage_devices/1', to: { device: 'nvme0n1', serial: 'N' } },
    ]);
  });

  test('matches a renamed part by its serial or MAC', () => {
    expect(
      difference(
        {
          network_adapters: [
            { device: 'eth0', mac: 'aa' },
            { device: 'eth1', mac: 'bb' },
          ],
        },
        {
          network_adapters: [
            { device: 'eno2', mac: 'bb' },
            { device: 'eno1', mac: 'aa' },
          ],
        },
      ),
    ).toEqual([
      { at: '/network_adapters/0/device', from: 'eth0', to: 'eno1' },
      { at: '/network_adapters/1/device', from: 'eth1', to: 'eno2' },
      { at: '/network_adapters', order: [1, 0] },
    ]);
  });

  test('matches parts that swapped names', () => {
    const before = { storage_devices: [disk('sda', 'A', { size: 1 }), disk('sdb', 'B', { size: 1 })] };
    const after = { storage_devices: [disk('sda', 'B', { size: 1 }), disk('sdb', 'A', { size: 1 })] };
    expect(difference(before, after)).toEqual([
      { at: '/storage_devices/0/device', from: 'sda', to: 'sdb' },
      { at: '/storage_devices/1/device', from: 'sdb', to: 'sda' },
      { at: '/storage_devices', order: [1, 0] },
    ]);
    // The names decide if one disk differs.
    const other = { storage_devices: [disk('sda', 'B', { size: 1 }), disk('sdb', 'C', { size: 1 })] };
    expect(difference(before, other)).toEqual([
      { at: '/storage_devices/0/serial', from: 'A', to: 'B' },
      { at: '/storage_devices/1/serial', from: 'B', to: 'C' },
    ]);
  });

  test('contains only positions if only the order changes', () => {
    const [a, b, c] = [disk('sda', 'A'), disk('sdb', 'B'), disk('sdc', 'C')];
    expect(difference({ storage_devices: [a, b, c] }, { storage_devices: [c, a, b] })).toEqual([
      { at: '/storage_devices', order: [2, 0, 1] },
    ]);
  });

  test('uses new positions for added fields and old positions for removed ones', () => {
    expect(
      difference(
        { storage_devices: [disk('sda', 'A'), disk('sdb', 'B', { rev: '1' })] },
        { storage_devices: [disk('sdb', 'B', { wwn: '0x5' })] },
      ),
    ).toEqual([
      { at: '/storage_devices/0', from: { device: 'sda', serial: 'A' } },
      { at: '/storage_devices/1/rev', from: '1' },
      { at: '/storage_devices/0/wwn', to: '0x5' },
    ]);
  });

  test.each([
    ['have no key', [{ size: 1 }, { size: 2 }], [{ size: 1 }, { size: 3 }], '/storage_devices/1/size'],
    [
      'share a key',
      [disk('sda', ''), disk('sda', '', { size: 2 })],
      [disk('sda', ''), disk('sda', '', { size: 3 })],
      '/storage_devices/1/size',
    ],
    ['gain a key', [{ size: 2 }], [{ size: 3, device: 'sda' }], '/storage_devices/0/size'],
  ])('compares parts by order if they %s', (_, before, after, at) => {
    const [change] = difference({ storage_devices: before }, { storage_devices: after });
    expect(change).toEqual({ at, from: 2, to: 3 });
  });

  test('compares lists without part keys by position', () => {
    const change = difference({ ports: [{ device: 'a' }] }, { ports: [{ device: 'b' }, { device: 'a' }] });
    expect(change).toEqual([
      { at: '/ports/0/device', from: 'a', to: 'b' },
      { at: '/ports/1', to: { device: 'a' } },
    ]);
  });
});

describe('the classes of a difference', () => {
  test('are the union over its fields', () => {
    fc.assert(
      fc.property(partsObject, partsObject, (a, b) => {
        const changes = difference(a, b);
        const union = new Set(changes.flatMap((change) => classNames(classesOf(NODE, [change]))));
        expect(classNames(classesOf(NODE, changes))).toEqual(FIELD_CLASSES.filter((name) => union.has(name)));
      }),
    );
  });

  test.each<[FieldChange, string]>([
    [{ at: '/main_memory/ram_size', from: 1, to: 2 }, 'hardware'],
    [{ at: '/main_memory/humanized_ram_size', from: '1', to: '2' }, 'derived'],
    [{ at: '/storage_devices/3/serial', from: 'a', to: 'b' }, 'component'],
    [{ at: '/storage_devices/3', from: { device: 'sdd' } }, 'hardware'],
    [{ at: '/storage_devices', order: [1, 0] }, 'derived'],
    [{ at: '/placement/rack', from: 1, to: 2 }, 'placement'],
  ])('%j', (change, name) => {
    expect(classNames(classesOf(NODE, [change]))).toEqual([name]);
  });
});

describe('a replacement', () => {
  const mac = { at: '/network_adapters/0/mac', from: 'aa', to: 'bb' };
  const serial = { at: '/chassis/serial', from: 'x', to: 'y' };
  test.each<[string, FieldChange[], boolean]>([
    ['changes only components', [mac, serial], true],
    ['changes only parts, not other fields', [mac, { at: '/bios/version', from: '1', to: '2' }], false],
    ['has an old part', [{ at: '/chassis/serial', from: null, to: 'y' }], false],
    ['has a new part', [{ at: '/chassis/serial', from: 'x' }], false],
    ['does not reorder parts', [{ at: '/network_adapters', order: [1, 0] }], false],
  ])('%s', (_, changes, expected) => {
    expect(isReplacement(NODE, changes)).toBe(expected);
  });
});
