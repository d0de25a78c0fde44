import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  difference,
  type FieldChange,
  patch,
  pointerTokens,
  valueAt,
} from '../../../src/model/difference.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../src/model/json.ts';
import { jsonObject, smallObject } from '../../support/arbitraries.ts';

/** The patched body as canonical JSON, so that nothing but its value is compared. */
function patched(before: JsonObject, changes: readonly FieldChange[]): string {
  const result = patch(before, changes);
  return result.misfit ? `misfit at ${result.misfit.change.at}` : canonicalJson(result.body);
}

describe('difference', () => {
  test('is empty for equal bodies, whatever their key order', () => {
    expect(difference({ a: 1, b: [{ c: null, d: 2 }] }, { b: [{ d: 2, c: null }], a: 1 })).toEqual([]);
  });

  test('names what changed by JSON pointers, removals first, then what was added', () => {
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

  test('tells null from absent', () => {
    expect(difference({ a: null }, {})).toEqual([{ at: '/a', from: null }]);
    expect(difference({}, { a: null })).toEqual([{ at: '/a', to: null }]);
    expect(difference({ a: null }, { a: 0 })).toEqual([{ at: '/a', from: null, to: 0 }]);
  });

  test('compares arrays by position, and lets them grow and shrink at their end', () => {
    expect(difference({ a: [1, 2, 3] }, { a: [1, 5] })).toEqual([
      { at: '/a/1', from: 2, to: 5 },
      { at: '/a/2', from: 3 },
    ]);
    expect(difference({ a: [] }, { a: [null, [1]] })).toEqual([
      { at: '/a/0', to: null },
      { at: '/a/1', to: [1] },
    ]);
  });

  test('replaces a value whose type changes as a whole', () => {
    expect(difference({ a: { b: 1 } }, { a: [1] })).toEqual([{ at: '/a', from: { b: 1 }, to: [1] }]);
  });

  test('escapes "~" and "/" in keys (RFC 6901)', () => {
    expect(difference({ 'a/b~c': 1 }, { 'a/b~c': 2, '~1': 3 })).toEqual([
      { at: '/a~1b~0c', from: 1, to: 2 },
      { at: '/~01', to: 3 },
    ]);
  });

  test('takes "__proto__" and "constructor" for keys like any other', () => {
    const before: JsonObject = JSON.parse('{"__proto__":{"polluted":1},"constructor":"x"}');
    const after: JsonObject = JSON.parse('{"__proto__":{"polluted":2},"constructor":"y"}');
    const changes = [
      { at: '/__proto__/polluted', from: 1, to: 2 },
      { at: '/constructor', from: 'x', to: 'y' },
    ];
    expect(difference(before, after)).toEqual(changes);
    expect(patched(before, changes)).toBe('{"__proto__":{"polluted":2},"constructor":"y"}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('patch', () => {
  test.each([
    ['bodies that have much in common', smallObject],
    ['any bodies', jsonObject],
  ])('of a difference gives the other body, both ways: %s', (_, bodies) => {
    fc.assert(
      fc.property(bodies, bodies, (a, b) => {
        expect(patched(a, difference(a, b))).toBe(canonicalJson(b));
        expect(patched(b, difference(b, a))).toBe(canonicalJson(a));
      }),
      { numRuns: 500 },
    );
  });

  test('does not depend on the order of the fields', () => {
    fc.assert(
      fc.property(smallObject, smallObject, fc.integer(), (a, b, turn) => {
        const changes = difference(a, b);
        const by = changes.length > 0 ? Math.abs(turn) % changes.length : 0;
        const turned = [...changes.slice(by), ...changes.slice(0, by)].reverse();
        expect(patched(a, turned)).toBe(canonicalJson(b));
      }),
    );
  });

  test('leaves the body that it is given as it is', () => {
    fc.assert(
      fc.property(smallObject, smallObject, (a, b) => {
        const text = JSON.stringify(a);
        patch(a, difference(a, b));
        expect(JSON.stringify(a)).toBe(text);
      }),
    );
  });

  test('keeps the order of the keys that stay, and puts new ones last', () => {
    const result = patch({ c: 1, a: 2, b: 3 }, [
      { at: '/d', to: 4 },
      { at: '/a', from: 2 },
      { at: '/c', from: 1, to: 0 },
    ]);
    expect(JSON.stringify(result)).toBe('{"body":{"c":0,"b":3,"d":4}}');
  });

  test('refuses every field whose "from" is not what is there', () => {
    fc.assert(
      fc.property(smallObject, smallObject, fc.nat(), smallObject, (a, b, nth, wrong) => {
        const changes = difference(a, b);
        const chosen = changes[nth % Math.max(changes.length, 1)];
        fc.pre(chosen !== undefined);
        const { from: _, ...rest } = chosen;
        const others: (Json | undefined)[] = [undefined, null, 0, 1, '', [], wrong];
        for (const from of others) {
          if (from === chosen.from || canonicalJson([from ?? '?']) === canonicalJson([chosen.from ?? '?']))
            continue;
          const forged = from === undefined ? rest : { ...rest, from };
          const result = patch(
            a,
            changes.map((change) => (change === chosen ? forged : change)),
          );
          expect(result.misfit?.change).toEqual(forged);
        }
      }),
    );
  });

  test('names what stands where a field does not fit', () => {
    const wrong = { at: '/disks/0/serial', from: 'A9', to: 'B1' };
    expect(patch({ disks: [{ serial: 'A1' }] }, [wrong])).toEqual({ misfit: { change: wrong, found: 'A1' } });
    const absent = { at: '/bios/version', from: '1', to: '2' };
    expect(patch({ bios: {} }, [absent])).toEqual({ misfit: { change: absent } });
  });

  const body = { list: [1, 2, 3], map: { a: 1 }, text: 'x' };
  const nowhere: FieldChange[] = [
    { at: '/nothing/here', to: 1 },
    { at: '/text/0', to: 'y' },
    { at: '/list/x', to: 1 },
    { at: '/list/01', to: 1 },
    { at: '/list/-', to: 1 },
    { at: '/list/4', to: 1 },
    { at: '/list/0', from: 1 },
    { at: '/map/a' },
    { at: '', from: body, to: {} },
    { at: 'map/a', from: 1, to: 2 },
  ];
  test.each(nowhere)('refuses a field that has no place: %j', (change) => {
    expect(patch(body, [change]).misfit?.change).toEqual(change);
  });

  test('refuses two changes of one field', () => {
    const twice = [
      { at: '/text', from: 'x', to: 'y' },
      { at: '/text', from: 'y', to: 'z' },
    ];
    expect(patch(body, twice).misfit?.change).toEqual(twice[1]);
  });
});

describe('valueAt', () => {
  const body = { a: [{ b: null }], '': 5, 'x/y': { '~': 1 } };
  test.each([
    ['', body],
    ['/a/0', { b: null }],
    ['/a/0/b', null],
    ['/', 5],
    ['/x~1y/~0', 1],
    ['/a/1', undefined],
    ['/a/length', undefined],
    ['/a/00', undefined],
    ['/toString', undefined],
    ['/a/0/b/c', undefined],
  ])('%j', (pointer, value) => {
    expect(valueAt(body, pointer)).toEqual(value);
  });
});

test.each([
  ['', []],
  ['/', ['']],
  ['/a/b', ['a', 'b']],
  ['/~01/~1', ['~1', '/']],
  ['a', undefined],
])('pointerTokens(%j)', (pointer, tokens) => {
  expect(pointerTokens(pointer)).toEqual(tokens);
});
