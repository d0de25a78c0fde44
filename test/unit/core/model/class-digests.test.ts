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
  test('is of that which is left without the fields of other classes', () => {
    const body = { uid: 'n1', bios: { version: '1.10' }, storage_devices: [disk('sda', 'A', { size: 7 })] };
    expect(classDigests(NODE, body)).toEqual({
      hardware: bodyDigest({ storage_devices: ['labels', { 'device=sda': { size: 7 } }, {}] }),
      firmware: bodyDigest({ bios: { version: '1.10' } }),
      component: bodyDigest({ storage_devices: ['labels', { 'device=sda': { serial: 'A' } }, {}] }),
      identity: bodyDigest({ uid: 'n1', storage_devices: ['labels', { 'device=sda': { device: 'sda' } }, {}] }),
    });
  });

  test('is missing where there is nothing of the class', () => {
    expect(Object.keys(classDigests(NODE, { uid: 'n1' }))).toEqual(['hardware', 'identity']);
  });

  test('does not depend on the order of keys and of parts', () => {
    const [a, b] = [disk('sda', 'A', { size: 1 }), disk('sdb', 'B', { size: 2 })];
    expect(differing(disks(a, b), disks(b, { size: 1, serial: 'A', device: 'sda' }))).toEqual([]);
  });
});

describe('two bodies differ', () => {
  const before = disks(disk('sda', 'A', { size: 1, rev: 'x' }), disk('sdb', 'B', { size: 2 }));

  test.each<[string, JsonObject, string[]]>([
    [
      'by a replaced part',
      disks(disk('sda', 'Z', { size: 1, rev: 'x' }), disk('sdb', 'B', { size: 2 })),
      ['component'],
    ],
    ['by firmware', disks(disk('sda', 'A', { size: 1, rev: 'y' }), disk('sdb', 'B', { size: 2 })), ['firmware']],
    [
      'by parts that change places and keep their names',
      disks(disk('sda', 'B', { size: 2 }), disk('sdb', 'A', { size: 1, rev: 'x' })),
      ['hardware', 'firmware', 'component'],
    ],
    [
      'in all that a part has, when it goes',
      disks(disk('sdb', 'B', { size: 2 })),
      ['hardware', 'firmware', 'component', 'identity'],
    ],
    [
      'in all that a part has, under another name',
      disks(disk('sdc', 'A', { size: 1, rev: 'x' }), disk('sdb', 'B', { size: 2 })),
      ['hardware', 'firmware', 'component', 'identity'],
    ],
    ['by a field that the table does not know', { ...before, cooling: 'water' }, ['unknown']],
    ['by null where nothing was', { ...before, placement: null }, ['placement']],
  ])('%s', (_, after, classes) => {
    expect(differing(before, after)).toEqual(classes);
  });

  test('by a list that becomes an object with its words', () => {
    expect(differing({ fpga: ['x'] }, { fpga: { 0: 'x' } })).toEqual(['hardware']);
    expect(differing({ fpga: [] }, { fpga: {} })).toEqual(['hardware']);
    expect(differing({ fpga: [] }, {})).toEqual(['hardware']);
  });

  test('by parts that nothing tells apart, in the order in which they stand', () => {
    const [small, large] = [{ size: 1 }, { size: 2 }];
    expect(differing(disks(small, large), disks(large, small))).toEqual(['hardware']);
    expect(differing(disks(small, disk('sda', 'A')), disks(disk('sda', 'A'), small))).toEqual([]);
  });
});

describe('of any two bodies', () => {
  const bodies = fc.oneof(partsObject, jsonObject);

  test('the digests of every class of their difference differ, but for the order of parts', () => {
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

  test('whose parts keep what tells them apart, no other digest differs', () => {
    const device = fc.record({ size: fc.constantFrom(1, 2), serial: fc.constantFrom('A', 'B') }, { requiredKeys: [] });
    const named = fc
      .dictionary(fc.constantFrom('sda', 'sdb', 'sdc'), device, { noNullPrototype: true })
      .map((by) => disks(...Object.entries(by).map(([name, rest]) => ({ ...rest, device: name }))));
    // Serials tell parts apart only where devices do not.
    fc.assert(
      fc.property(named, named, (a, b) => {
        const isRenamed = difference(a, b, fieldRules(NODE)).some(({ at }) => at.endsWith('/device'));
        fc.pre(!isRenamed);
        expect(differing(a, b)).toEqual(classNames(classesWithin(NODE, difference(a, b, fieldRules(NODE)))));
      }),
      { numRuns: 1000 },
    );
  });

  test('that say the same, none differs, whatever the order of keys and of parts that are told apart', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const turned = Object.fromEntries(Object.entries(body).reverse());
        expect(differing(body, turned)).toEqual([]);
      }),
    );
  });
});
