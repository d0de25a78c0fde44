import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classDigests, differingClasses } from '../../../../src/core/model/class-digests.ts';
import { classesOf, classesWithin, difference } from '../../../../src/core/model/differences/difference.ts';
import { bodyDigest } from '../../../../src/core/model/digest.ts';
import { classNames, classSet, fieldRules } from '../../../../src/core/model/field-classes.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { jsonObject, partsObject } from '../../../support/values/arbitraries.ts';

const ORDER_ONLY = classSet(['derived']);

const differing = (before: JsonObject, after: JsonObject) =>
  classNames(differingClasses(classDigests(NODE, before), classDigests(NODE, after)));

const disk = (device: string, serial: string, more: JsonObject = {}) => ({ device, serial, ...more });
const disks = (...storage_devices: Json[]): JsonObject => ({ uid: 'n1', storage_devices });

describe('the digest of a class', () => {
  test('covers the body without the fields of other classes', () => {
    const body = { uid: 'n1', bios: { version: '1.10' }, storage_devices: [disk('sda', 'A', { size: 7 })] };
    expect(classDigests(NODE, body)).toEqual({
      hardware: bodyDigest({ storage_devices: ['labels', { 'device=sda': { size: 7 } }, {}] }),
      firmware: bodyDigest({ bios: { version: '1.10' } }),
      component: bodyDigest({ storage_devices: ['labels', { 'device=sda': { serial: 'A' } }, {}] }),
      identity: bodyDigest({ uid: 'n1', storage_devices: ['labels', { 'device=sda': { device: 'sda' } }, {}] }),
    });
  });

  test('is missing if the class has no fields', () => {
    expect(Object.keys(classDigests(NODE, { uid: 'n1' }))).toEqual(['hardware', 'identity']);
  });

  test('is independent of the order of keys and of parts', () => {
    const [a, b] = [disk('sda', 'A', { size: 1 }), disk('sdb', 'B', { size: 2 })];
    expect(differing(disks(a, b), disks(b, { size: 1, serial: 'A', device: 'sda' }))).toEqual([]);
  });
});

describe('the digests of two bodies differ', () => {
  const before = disks(disk('sda', 'A', { size: 1, rev: 'x' }), disk('sdb', 'B', { size: 2 }));

  test.each<[string, JsonObject, string[]]>([
    [
      'by a replaced part',
      disks(disk('sda', 'Z', { size: 1, rev: 'x' }), disk('sdb', 'B', { size: 2 })),
      ['component'],
    ],
    ['by firmware', disks(disk('sda', 'A', { size: 1, rev: 'y' }), disk('sdb', 'B', { size: 2 })), ['firmware']],
    [
      'by the order of parts with names',
      disks(disk('sda', 'B', { size: 2 }), disk('sdb', 'A', { size: 1, rev: 'x' })),
      ['hardware', 'firmware', 'component'],
    ],
    [
      'in all classes of a removed part',
      disks(disk('sdb', 'B', { size: 2 })),
      ['hardware', 'firmware', 'component', 'identity'],
    ],
    [
      'in all classes of a renamed part',
      disks(disk('sdc', 'A', { size: 1, rev: 'x' }), disk('sdb', 'B', { size: 2 })),
      ['hardware', 'firmware', 'component', 'identity'],
    ],
    ['by an unknown field', { ...before, cooling: 'water' }, ['unknown']],
    ['by null in the place of a missing value', { ...before, placement: null }, ['placement']],
  ])('%s', (_, after, classes) => {
    expect(differing(before, after)).toEqual(classes);
  });

  test('by a list that becomes an object with index keys', () => {
    expect(differing({ fpga: ['x'] }, { fpga: { 0: 'x' } })).toEqual(['hardware']);
    expect(differing({ fpga: [] }, { fpga: {} })).toEqual(['hardware']);
    expect(differing({ fpga: [] }, {})).toEqual(['hardware']);
  });

  test('by the order of indistinguishable parts', () => {
    const [small, large] = [{ size: 1 }, { size: 2 }];
    expect(differing(disks(small, large), disks(large, small))).toEqual(['hardware']);
    expect(differing(disks(small, disk('sda', 'A')), disks(disk('sda', 'A'), small))).toEqual([]);
  });
});

describe('for any two bodies', () => {
  const bodies = fc.oneof(partsObject, jsonObject);

  test('the digests of every changed class differ, except for the order of parts', () => {
    fc.assert(
      fc.property(bodies, bodies, (a, b) => {
        const changes = difference(a, b, fieldRules(NODE));
        const parts = changes.filter(({ order }) => order === undefined);
        const missed = classesOf(NODE, parts) & ~differingClasses(classDigests(NODE, a), classDigests(NODE, b));
        expect(classNames(missed)).toEqual([]);
        const within = classesWithin(NODE, changes);
        expect(classNames(within & ~differingClasses(classDigests(NODE, a), classDigests(NODE, b)))).toEqual([]);
        expect(classNames(classesOf(NODE, changes) & ~within & ~ORDER_ONLY)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('no other digest differs if parts keep their identifying fields', () => {
    const device = fc.record({ size: fc.constantFrom(1, 2), serial: fc.constantFrom('A', 'B') }, { requiredKeys: [] });
    const named = fc
      .dictionary(fc.constantFrom('sda', 'sdb', 'sdc'), device, { noNullPrototype: true })
      .map((by) => disks(...Object.entries(by).map(([name, rest]) => ({ ...rest, device: name }))));
    // Serials identify parts only if device names do not.
    fc.assert(
      fc.property(named, named, (a, b) => {
        const isRenamed = difference(a, b, fieldRules(NODE)).some(({ at }) => at.endsWith('/device'));
        fc.pre(!isRenamed);
        expect(differing(a, b)).toEqual(classNames(classesWithin(NODE, difference(a, b, fieldRules(NODE)))));
      }),
      { numRuns: 1000 },
    );
  });

  test('no digest differs if only the order of keys and of identifiable parts differs', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const turned = Object.fromEntries(Object.entries(body).reverse());
        expect(differing(body, turned)).toEqual([]);
      }),
    );
  });
});
