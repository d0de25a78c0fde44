import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byCodeUnit,
  canonicalJson,
  isCompactJson,
  isJsonObject,
  parsedJson,
  sameJson,
  setOwn,
} from '../../../../src/core/model/json.ts';
import { JSON_DEPTH, JSON_PARTS } from '../../../../src/core/platform/limits.ts';
import { jsonObject, jsonValue } from '../../../support/values/arbitraries.ts';

describe('canonicalJson', () => {
  test('serializes the example of RFC 8785, section 3.2.2', () => {
    const source = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(source)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('sorts keys as in the example of RFC 8785, section 3.2.3', () => {
    const source = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect([...canonicalJson(source).matchAll(/:"([^"]*)"/g)].map(([, value]) => value)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // RFC 8785, appendix B.
  test.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [-5e-324, '-5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [1e23, '1e+23'],
    [999999999999999700000, '999999999999999700000'],
    [1e21, '1e+21'],
    [9.999999999999997e-7, '9.999999999999997e-7'],
    [0.000001, '0.000001'],
    [333333333.33333325, '333333333.33333325'],
    [-0.0000033333333333333333, '-0.0000033333333333333333'],
    [1424953923781206.2, '1424953923781206.2'],
  ])('writes the number %d as %s', (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  test('sorts at every depth, and keeps the order of arrays', () => {
    expect(canonicalJson({ b: [{ d: 1, c: [2, 1] }], a: {} })).toBe('{"a":{},"b":[{"c":[2,1],"d":1}]}');
  });

  test('includes "__proto__" as a key', () => {
    expect(canonicalJson(JSON.parse('{"a":1,"__proto__":{"b":2}}'))).toBe('{"__proto__":{"b":2},"a":1}');
  });

  test('is equal for two values exactly if they are equal', () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, (a, b) => {
        expect(sameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        const again = JSON.parse(JSON.stringify(a));
        expect(sameJson(a, again)).toBe(true);
        expect(canonicalJson(again)).toBe(canonicalJson(a));
      }),
    );
  });
});

describe('sameJson', () => {
  test('ignores the order of keys', () => {
    fc.assert(
      fc.property(jsonObject, (object) => {
        const turned = Object.fromEntries(Object.entries(object).reverse());
        expect(sameJson(object, turned)).toBe(true);
      }),
    );
  });

  test.each([
    [null, {}],
    [{}, []],
    [[], [null]],
    [{ a: null }, { b: null }],
    [{ a: null }, {}],
    ['1', 1],
    [{ toString: null }, { a: null }],
  ])('distinguishes %j from %j', (a, b) => {
    expect([sameJson(a, b), sameJson(b, a)]).toEqual([false, false]);
  });
});

describe('isCompactJson', () => {
  test('accepts JSON.stringify without indentation only', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const spaced = JSON.stringify(value, null, 1);
        const compact = JSON.stringify(value);
        expect([isCompactJson(compact), isCompactJson(spaced)]).toEqual([true, spaced === compact]);
      }),
    );
  });

  test.each([
    ['{"b":"\\u200f \\" \u200f","2":1}', true],
    ['{"b":"\\\\" }', false],
    ['{}\n', false],
    ['\t[]', false],
  ])('for %s is %s', (json, is) => {
    expect(isCompactJson(json)).toBe(is);
  });
});

test('byCodeUnit compares UTF-16 code units', () => {
  expect(['b', 'a', 'B', 'ä', 'a-', 'a', '\ufb33', '\ud83d\ude00', ''].sort(byCodeUnit)).toEqual([
    ...['', 'B', 'a', 'a', 'a-', 'b', 'ä', '\ud83d\ude00', '\ufb33'],
  ]);
});

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ['{}', false],
  [undefined, false],
])('isJsonObject(%j) is correct', (value, is) => {
  expect(isJsonObject(value)).toBe(is);
});

test('setOwn sets keys that an assignment would pollute', () => {
  const target: Record<string, unknown> = {};
  setOwn(target, '__proto__', { polluted: true });
  setOwn(target, 'constructor', 1);
  expect(JSON.stringify(target)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  expect('polluted' in target).toBe(false);
});

describe('parsedJson', () => {
  const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}0${'}]'.repeat(levels / 2)}`;

  test('accepts the maximum depth and rejects any deeper value', () => {
    expect(parsedJson(nested(JSON_DEPTH))).toEqual(JSON.parse(nested(JSON_DEPTH)));
    expect(parsedJson(`{"a":${nested(JSON_DEPTH)}}`)).toBeUndefined();
    expect(parsedJson(`[${nested(JSON_DEPTH)}]`)).toBeUndefined();
  });

  test('accepts the maximum number of objects and fields, but any number of plain values', () => {
    const objects = (count: number) => `[${'{},'.repeat(count)}0]`;
    expect(parsedJson(objects(JSON_PARTS - 1))).toBeDefined();
    expect(parsedJson(objects(JSON_PARTS))).toBeUndefined();
    expect(parsedJson(`{${'"a":1,'.repeat(JSON_PARTS)}"a":1}`)).toBeUndefined();
    expect(parsedJson(`["::::"${',1'.repeat(JSON_PARTS)}]`)).toBeDefined();
  });

  test('counts neither siblings nor brackets in texts', () => {
    const wide = Array.from({ length: 2 * JSON_DEPTH }, (_, i) => ({ text: '[{'.repeat(i), list: [i] }));
    expect(parsedJson(JSON.stringify(wide))).toEqual(wide);
  });
});
