import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../../../../src/core/model/json.ts';
import { readYaml } from '../../../../../src/core/registry/yaml/read-yaml.ts';
import { encodeLines, encodeYaml } from '../../../../../src/core/registry/yaml/write-yaml.ts';

/** Texts that some parser reads as another type, or that contain special characters of YAML. */
const SPECIAL = [
  ...['', ' ', '~', 'null', 'Null', 'true', 'False', 'yes', 'No', 'ON', 'off', 'y', 'N', '.nan', '-.INF', '<<', '='],
  ...['0', '-1', '+1', '007', '0x1F', '0o17', '0b11', '1_000', '1,000', '1.10', '.5', '1e3', '33334775E021', '1E400'],
  ...['10:20:30:40:50:06', '190:20:30', '2021-04-05', '2001-12-14t21:59:43.10-05:00', '2001-12-14 21:59:43 Z'],
  ...[
    '- a',
    '-',
    '--- a',
    '...',
    '? a',
    ':',
    'a: b',
    'a:',
    'a #b',
    '#',
    '[a]',
    '{a: b}',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '@a',
    '`a',
  ],
  ...["'a'", '"a"', "it's", 'a"b', 'a\\nb', 'C:\\x', '%TAG', 'a, b', 'a]', 'a}', 'a\tb', '\ta', ' a', 'a ', 'a  b'],
  ...[
    'a\nb',
    'a\n',
    'a\n\n',
    '\na',
    'a\n b\n',
    ' a\nb',
    'a\r\nb',
    'a\rb',
    'a\n\tb',
    'a\n \nb',
    'a\nb ',
    '# a\n# b',
    '- a\n- b',
  ],
  ...['\0', '\u0007', '\u007f', '\u0085', '\u009f', 'a\u2028b', '\u2029', '\ufeff', '\ufffe', '\uffff'],
  ...['Zürich', '東京', '😀', 'é', 'a\u00a0b', '\u200b', '\u202e', '__proto__', 'constructor', 'toString'],
];

const text = fc.oneof(
  fc.constantFrom(...SPECIAL),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...' \n\t\r:#-?,[]{}&*!|>\'"%@`~.0123456789eExXabyNno_/\\'), maxLength: 12 }),
  fc.array(fc.constantFrom(...SPECIAL), { maxLength: 3 }).map((parts) => parts.join('')),
);
const number = fc
  .oneof(
    fc.maxSafeInteger(),
    fc
      .double({ noDefaultInfinity: true, noNaN: true })
      .filter((value) => Number.isSafeInteger(value) || !Number.isInteger(value)),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));

const { object } = fc.letrec<{ json: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json')),
    tie('object'),
  ),
  object: fc.dictionary(text, tie('json'), { noNullPrototype: true }),
}));

/** Compared as JSON text, which preserves key order and `__proto__`. */
const json = (value: unknown) => JSON.stringify(value);

const readers: readonly [string, (yaml: string) => unknown][] = [
  ['gridpress', (yaml) => Object.values(readYaml('file.yaml', yaml))[0]],
  ['js-yaml with the types of YAML 1.1', (yaml) => load(yaml)],
  ['yaml as YAML 1.1', (yaml) => parse(yaml, { version: '1.1', logLevel: 'silent', maxAliasCount: 0 })],
  ['yaml as YAML 1.2', (yaml) => parse(yaml, { version: '1.2', logLevel: 'silent', maxAliasCount: 0 })],
];

describe('encodeYaml', () => {
  test('writes readable blocks', () => {
    const value = {
      type: 'node',
      name: 'Größe (2 U)',
      placement: { rack: '5', note: 'behind the door: no light' },
      nothing: null,
      flags: [true, false],
      none: [],
      empty: {},
      size: 480103981056,
      disks: [{ device: 'sda', sizes: [1, 2.5] }, ['a', 'b'], {}, 'c\nd'],
      message: 'First line\n\n  second: line\n',
      note: 'no\nend',
      odd: 'a\r\nb',
    };
    expect(encodeYaml(value)).toBe(`type: node
name: Größe (2 U)
placement:
  rack: "5"
  note: "behind the door: no light"
nothing: null
flags:
  - true
  - false
none: []
empty: {}
size: 480103981056
disks:
  - device: sda
    sizes:
      - 1
      - 2.5
  - - a
    - b
  - {}
  - |-
    c
    d
message: |
  First line

    second: line
note: |-
  no
  end
odd: "a\\r\\nb"
`);
  });

  test('indents every line', () => {
    expect(encodeYaml({ a: { b: 'c\n\nd' } }, '    ')).toBe('    a:\n      b: |-\n        c\n\n        d\n');
    expect(encodeYaml({}, '  ')).toBe('  {}\n');
  });

  test.each([
    ['serials that look like numbers', ['33334775E021', '00123456', '0x50014ee2a1b2c3d4', '301938440117']],
    ['versions', ['1.10', '2.22.1']],
    ['dates and times', ['2021-04-05', '2026-03-01T12:00:00+01:00', '10:20:30:40:50:06']],
    ['words of other types', ['yes', 'No', 'null', '~', 'TRUE', 'y', '']],
    ['marks', ['- a', '# b', 'a: b', 'a #b', '[x]', '{x}', '*x', '&x', '!x', '%x', '@x', ' x', 'x ']],
  ])('quotes %s', (_, values) => {
    for (const value of values) expect(encodeYaml({ value })).toBe(`value: ${JSON.stringify(value)}\n`);
  });

  test.each([
    ['names and sizes', ['192 GiB', 'x86_64', 'Example(R) Core(TM) 9000 CPU @ 2.40GHz', 'GX200 [X200 PCIe 80GB]']],
    ['identifiers', ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '7KD0R2M4', '02:a8:4c:26:2d:1e', '03/09/2015']],
    ['addresses', ['https://testbed.example.org/?a=b', 'help@testbed.example.org']],
  ])('writes %s without quotes', (_, values) => {
    for (const value of values) expect(encodeYaml({ value })).toBe(`value: ${value}\n`);
  });

  test('writes a long key as an explicit key', () => {
    const key = 'k'.repeat(1001);
    expect(encodeYaml({ a: { [key]: { b: 1 } } })).toBe(`a:\n  ? ${key}\n  :\n    b: 1\n`);
  });

  describe.each(readers)('%s reads back', (_, readText) => {
    test('every special text', () => {
      const object = Object.fromEntries(SPECIAL.map((value) => [value, { value, list: [value, [value]] }]));
      expect(json(readText(encodeYaml(object)))).toBe(json(object));
    });

    test('any value', () => {
      fc.assert(
        fc.property(object, (value) => {
          expect(json(readText(encodeYaml(value)))).toBe(json(value));
        }),
        { numRuns: 200 },
      );
    });

    test('any list of mappings', () => {
      const lists = fc.array(object, { minLength: 1, maxLength: 3 });
      fc.assert(
        fc.property(lists, (list) => {
          expect(json(readText(`list:\n${encodeLines(list, '    ')}`))).toBe(json({ list }));
        }),
        { numRuns: 200 },
      );
    });

    test('keys that are too long for implicit keys', () => {
      const value = { list: [{ ['k'.repeat(2000)]: { a: 1 }, [`${'\u00e9 '.repeat(600)}:`]: [1] }] };
      expect(json(readText(encodeYaml(value)))).toBe(json(value));
    });
  });
});

describe('encodeLines', () => {
  test('writes a mapping on one line, or as a block above 110 characters', () => {
    const fits = { at: '/x', from: 'a'.repeat(74), to: [1, { b: null }] };
    const isLonger = { ...fits, from: 'a'.repeat(75) };
    expect(encodeLines([fits, isLonger, {}], '  ')).toBe(
      [
        `  - {at: /x, from: ${'a'.repeat(74)}, to: [1, {b: null}]}\n`,
        `  - at: /x\n    from: ${'a'.repeat(75)}\n    to:\n      - 1\n      - b: null\n`,
        '  - {}\n',
      ].join(''),
    );
  });

  test('quotes special characters inside brackets', () => {
    expect(encodeLines([{ a: 'b, c', d: 'e]', f: 'g{h}', i: 'j:k', l: 'm (n)' }], '')).toBe(
      '- {a: "b, c", d: "e]", f: "g{h}", i: "j:k", l: m (n)}\n',
    );
  });
});
