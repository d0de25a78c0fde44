import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { difference, type FieldChange } from '../../../../../src/core/model/differences/difference.ts';
import { patch } from '../../../../../src/core/model/differences/patch.ts';
import { fieldRules } from '../../../../../src/core/model/field-classes.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../../../src/core/model/json.ts';
import { NODE } from '../../../../../src/core/model/kinds.ts';
import { jsonObject, partsObject, smallObject } from '../../../../support/values/arbitraries.ts';

const node = fieldRules(NODE);

/** The patched body as canonical JSON, to compare only its value. */
function patched(before: JsonObject, changes: readonly FieldChange[]): string {
  const result = patch(before, changes);
  return result.conflict ? `conflict at ${result.conflict.change.at}` : canonicalJson(result.body);
}

test.each([
  ['similar bodies', smallObject],
  ['any bodies', jsonObject],
  ['nodes with added, removed and reordered parts', partsObject],
])('of a difference gives the other body in both directions: %s', (_, bodies) => {
  fc.assert(
    fc.property(bodies, bodies, (a, b) => {
      expect(patched(a, difference(a, b, node))).toBe(canonicalJson(b));
      expect(patched(b, difference(b, a, node))).toBe(canonicalJson(a));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['similar bodies', smallObject],
  ['nodes with added, removed and reordered parts', partsObject],
])('is independent of the order of changes: %s', (_, bodies) => {
  fc.assert(
    fc.property(bodies, bodies, fc.nat(), (a, b, turn) => {
      const changes = difference(a, b, node);
      const by = changes.length > 0 ? turn % changes.length : 0;
      const turned = [...changes.slice(by), ...changes.slice(0, by)].reverse();
      expect(patched(a, turned)).toBe(canonicalJson(b));
    }),
  );
});

test('does not modify its input', () => {
  fc.assert(
    fc.property(smallObject, smallObject, (a, b) => {
      const text = JSON.stringify(a);
      patch(a, difference(a, b, node));
      expect(JSON.stringify(a)).toBe(text);
    }),
  );
});

test('keeps the order of existing keys, and appends new ones', () => {
  const result = patch({ c: 1, a: 2, b: 3 }, [
    { at: '/e', to: 5 },
    { at: '/d', to: 4 },
    { at: '/a', from: 2 },
    { at: '/c', from: 1, to: 0 },
  ]);
  expect(JSON.stringify(result)).toBe('{"body":{"c":0,"b":3,"e":5,"d":4}}');
});

test('treats "__proto__" and "constructor" as ordinary keys', () => {
  const before: JsonObject = JSON.parse('{"__proto__":{"polluted":1},"constructor":"x"}');
  const changes = [
    { at: '/__proto__/polluted', from: 1, to: 2 },
    { at: '/constructor', from: 'x', to: 'y' },
  ];
  expect(patched(before, changes)).toBe('{"__proto__":{"polluted":2},"constructor":"y"}');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

describe('patch of arrays', () => {
  test('uses old positions for removals and new positions for additions', () => {
    expect(
      patch({ list: ['a', 'b', 'c', { d: 1 }] }, [
        { at: '/list/0', from: 'a' },
        { at: '/list/2', from: 'c', to: 'C' },
        { at: '/list/0', to: 'new' },
        { at: '/list/3/e', to: 2 },
        { at: '/list/4', to: 'last' },
      ]),
    ).toEqual({ body: { list: ['new', 'b', 'C', { d: 1, e: 2 }, 'last'] } });
  });

  test('reorders remaining items before it inserts others', () => {
    expect(
      patch({ list: ['a', 'b', 'c', 'd'] }, [
        { at: '/list/1', from: 'b' },
        { at: '/list', order: [2, 0, 1] },
        { at: '/list/1', to: 'x' },
      ]),
    ).toEqual({ body: { list: ['d', 'x', 'a', 'c'] } });
  });

  test.each([
    ['too few positions', [0, 1]],
    ['too many positions', [0, 1, 2, 3]],
    ['a duplicate position', [0, 0, 1]],
    ['an invalid position', [0, 1, 3]],
  ])('rejects an order with %s', (_, order) => {
    const change = { at: '/list', order };
    expect(patch({ list: [1, 2, 3] }, [change])).toEqual({ conflict: { change, found: [1, 2, 3] } });
  });
});

test('patch rejects every field whose "from" differs from the current value', () => {
  fc.assert(
    fc.property(smallObject, smallObject, fc.nat(), smallObject, (a, b, nth, wrong) => {
      const changes = difference(a, b, node);
      const chosen = changes[nth % Math.max(changes.length, 1)];
      fc.pre(chosen !== undefined);
      const others: Json[] = [null, 0, 1, '', [], wrong];
      for (const from of others) {
        if (chosen.from !== undefined && canonicalJson([from]) === canonicalJson([chosen.from])) continue;
        const forged = { ...chosen, from };
        const result = patch(
          a,
          changes.map((change) => (change === chosen ? forged : change)),
        );
        expect(result.conflict?.change).toEqual(forged);
      }
    }),
  );
});

test('patch returns the current value of a conflict', () => {
  const wrong = { at: '/disks/0/serial', from: 'A9', to: 'B1' };
  expect(patch({ disks: [{ serial: 'A1' }] }, [wrong])).toEqual({ conflict: { change: wrong, found: 'A1' } });
  const absent = { at: '/bios/version', from: '1', to: '2' };
  expect(patch({ bios: {} }, [absent])).toEqual({ conflict: { change: absent } });
  const there = { at: '/bios/version', to: '2' };
  expect(patch({ bios: { version: '1' } }, [there])).toEqual({ conflict: { change: there, found: '1' } });
});

const body = { list: [1, 2, 3], map: { a: 1 }, text: 'x' };
const nowhere: FieldChange[] = [
  { at: '/nothing/here', to: 1 },
  { at: '/text/0', to: 'y' },
  { at: '/list/x', to: 1 },
  { at: '/list/01', to: 1 },
  { at: '/list/-', to: 1 },
  { at: '/list/4', to: 1 },
  { at: '/list/3', from: 1 },
  { at: '/map/a' },
  { at: '/map', order: [0] },
  { at: '/list', from: [1, 2, 3], order: [0, 1, 2] },
  { at: '', from: body, to: {} },
  { at: 'map/a', from: 1, to: 2 },
];
test.each(nowhere)('patch rejects a field without a parent: %j', (change) => {
  expect(patch(body, [change]).conflict?.change).toEqual(change);
});

test.each<FieldChange[][]>([
  [
    [
      { at: '/text', from: 'x', to: 'y' },
      { at: '/text', from: 'y', to: 'z' },
    ],
  ],
  [
    [
      { at: '/map', from: { a: 1 }, to: {} },
      { at: '/map/a', from: 1, to: 2 },
    ],
  ],
  [
    [
      { at: '/map/b', to: {} },
      { at: '/map/b/c', to: 1 },
    ],
  ],
  [
    [
      { at: '/list', order: [2, 1, 0] },
      { at: '/list', order: [0, 1, 2] },
    ],
  ],
])('patch rejects two changes of one field: %j', (changes) => {
  expect(patch(body, changes).conflict?.change).toEqual(changes[1]);
});
