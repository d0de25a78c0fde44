import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../../src/core/diagnostics/finding.ts';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { decodeText, isExactNumber, plainScalar, readYaml } from '../../../../../src/core/registry/yaml/read-yaml.ts';

function codes({ findings }: { readonly findings?: readonly Finding[] | undefined }): string[] {
  return (findings ?? []).map(({ code, place }) => `${code} ${place?.line}:${place?.column}`);
}

function bodyOf(source: string): JsonObject | undefined {
  const read = readYaml('f', source);
  return read.findings ? undefined : read.value;
}

describe('plainScalar', () => {
  test.each([
    '22227146E059',
    '0x5000c500a3f1b6d7',
    '007',
    '1.10',
    '2.0',
    '1e3',
    '9007199254740993',
    '.nan',
    '.inf',
    '-.INF',
    'NaN',
    'Infinity',
    'yes',
    'No',
    'on',
    'y',
    '2021-04-05',
    '10:20:30:40:50:06',
    '-0',
    '0o17',
    '0b1',
    '1_000',
    '+1',
    '.5',
    '5.',
    '1E400',
    '1e400',
    '1e+21',
    '0.1.2',
    '1-2',
    '1e',
    'NUll',
    'tRue',
  ])('keeps %s as text', (text) => {
    expect(plainScalar(text)).toBe(text);
  });

  test.each([
    ['271828182846', 271828182846],
    ['0', 0],
    ['-1', -1],
    ['1.5', 1.5],
    ['-0.25', -0.25],
    ['1e-7', 1e-7],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['null', null],
    ['Null', null],
    ['NULL', null],
    ['~', null],
    ['', null],
    ['true', true],
    ['True', true],
    ['FALSE', false],
  ])('reads %j as a value', (text, value) => {
    expect(plainScalar(text)).toBe(value);
  });
});

test.each([
  ['1', true],
  ['01', false],
  ['9007199254740992', false],
  ['1.7976931348623157e+308', false],
  ['5e-324', true],
  ['', false],
  [' 1', false],
])('isExactNumber(%j) is correct', (text, is) => {
  expect(isExactNumber(text)).toBe(is);
});

describe('readYaml', () => {
  test('converts nothing, plain or quoted, in any style', () => {
    const source = `
serial: 22227146E059
count: 4
quoted: "4"
list: [007, 7, '7', yes, ~, null]
flow: {version: 1.10, size: 1.5}
date: 2021-04-05
empty:
multi: one
  two
block: |
  7
folded: >-
  7
`;
    expect(readYaml('f', source)).toEqual({
      value: {
        serial: '22227146E059',
        count: 4,
        quoted: '4',
        list: ['007', 7, '7', 'yes', null, null],
        flow: { version: '1.10', size: 1.5 },
        date: '2021-04-05',
        empty: null,
        multi: 'one two',
        block: '7\n',
        folded: '7',
      },
    });
  });

  test.each([
    ['a scalar of each type', 'a: 1\nb: x y\nc: true\nd: ~\n', { a: 1, b: 'x y', c: true, d: null }],
    ['an empty value as null', 'a:\nb: # nothing\n', { a: null, b: null }],
    ['texts that look like numbers', 'a: 007\nb: 22227146E059\nc: -5\n', { a: '007', b: '22227146E059', c: -5 }],
    ['colons and hashes within words', 'a: 00:1b:21\nb: x#y\n', { a: '00:1b:21', b: 'x#y' }],
    ['comments', '# one\na: 1 # two\n\n  # three\nb: 2', { a: 1, b: 2 }],
    ['nested mappings', 'a:\n  b:\n    c: 1\n  d: 2\n', { a: { b: { c: 1 }, d: 2 } }],
    ['lists at the column of their key or deeper', 'a:\n  - 1\n  - x\nb:\n- 2\n', { a: [1, 'x'], b: [2] }],
    ['mappings in lists', 'a:\n  - b: 1\n    c: 2\n  -\n    d: 3\n', { a: [{ b: 1, c: 2 }, { d: 3 }] }],
    ['single quotes', "a: 'it''s: #1'\n", { a: "it's: #1" }],
    ['double quotes', 'a: "007"\nb: "x\\n\\"\\u00e9\\\\"\n', { a: '007', b: 'x\n"é\\' }],
    ['flow collections', 'a: {b: [1, "x, y"], c: {}}\nd: []\n', { a: { b: [1, 'x, y'], c: {} }, d: [] }],
    ['literal blocks', 'a: |\n  x: #1\n\n    y\n\nb: |-\n  z\n\n', { a: 'x: #1\n\n  y\n', b: 'z' }],
    ['a literal block before a less indented line', 'a:\n  b: |-\n    x\n# c\nd: 1\n', { a: { b: 'x' }, d: 1 }],
    ['letters of all alphabets', 'a: naïve 日本 🚀\n', { a: 'naïve 日本 🚀' }],
  ])('reads %s', (_, text, value) => {
    expect(bodyOf(text)).toEqual(value);
  });

  test('looks for special characters only outside of texts, in texts of any length', () => {
    const url = 'http://[::1]:5000';
    const value = bodyOf(`url: "${url}"\ntext: x *y !z &w << {}:? a\nlong: ${'x'.repeat(300_000)}\n`);
    expect(value?.['url']).toBe(url);
    const marked = `url: "${url}"\nlong: ${'x'.repeat(300_000)}\nanchor: &a 1\n`;
    expect(codes(readYaml('f', marked))).toEqual(['yaml-too-large undefined:undefined']);
  });

  test('reads CRLF as LF', () => {
    expect(readYaml('f', 'a: |\r\n  x\r\n  y\r\nb: "p\r\n  q"\r\nc: z\r\n')).toEqual({
      value: { a: 'x\ny\n', b: 'p q', c: 'z' },
    });
  });

  test('keeps the order of keys', () => {
    const value = bodyOf('b: 1\na: 2\nc: {z: 1, y: 2}\n');
    expect(JSON.stringify(value)).toBe('{"b":1,"a":2,"c":{"z":1,"y":2}}');
  });

  test('keeps "__proto__" and "constructor" as plain data', () => {
    const value = bodyOf('__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\n');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect('polluted' in {}).toBe(false);
  });

  test('expands a few aliases', () => {
    expect(readYaml('f', 'a: &x [1, 2]\nb: *x\nc: {d: *x}\n')).toEqual({
      value: { a: [1, 2], b: [1, 2], c: { d: [1, 2] } },
    });
  });

  test.each([
    ['an alias of itself', 'a: &x [*x]\n', ['yaml-alias-bomb 1:8']],
    ['an alias of a mapping around it', 'a: &x\n  b:\n    c: *x\n', ['yaml-alias-bomb 3:8']],
    ['an alias without an anchor', 'a: *x\n', ['yaml-syntax 1:4']],
    ['an alias before its anchor', 'a: *x\nb: &x 1\n', ['yaml-syntax 1:4']],
    ['a tag before a scalar', 'a: !!str 5\n', ['yaml-tag 1:4']],
    ['a tag before a mapping', 'a: !!map\n  b: 1\n', ['yaml-tag 1:4']],
    ['a tag before an anchor', 'a: !x &y 5\n', ['yaml-tag 1:4']],
    ['a tag without a value', 'a: !!null\n', ['yaml-tag 1:4']],
    ['tags in a flow collection', 'a: [!x 1,!y 2]\n', ['yaml-tag 1:5', 'yaml-tag 1:10']],
    ['a tag of the document', '!!map\na: 1\n', ['yaml-tag 1:1']],
    ['a tag without a name', 'a: ! 5\n', ['yaml-tag 1:4']],
    ['a merge key', 'a: &x {b: 1}\nc:\n  <<: *x\n', ['yaml-merge-key 3:3']],
    ['a list as a key', '? [a]\n: 1\n', ['yaml-complex-key 1:3']],
    ['a mapping as a key', 'x: {{a: 1}: 2}\n', ['yaml-complex-key 1:5']],
    ['a merge conflict', 'a:\n<<<<<<< HEAD\n  b: 1\n=======\n  b: 2\n>>>>>>> side\n', ['yaml-conflict 2:1']],
    ['a second document', 'a: 1\n---\nb: 2\n', ['yaml-several-documents 2:1']],
    ['a second, empty document', 'a: 1\n---\n', ['yaml-several-documents 2:1']],
    ['a value other than a mapping', '- a\n', ['yaml-not-a-mapping 1:1']],
    ['nothing', '', ['yaml-not-a-mapping 1:1']],
    ['unclosed brackets', `a: ${'['.repeat(50_000)}\n`, ['yaml-too-deep 1:97']],
  ])('reports %s', (_, source, expected) => {
    expect(codes(readYaml('f', source))).toEqual(expected);
  });

  test.each([
    ['a quoted merge key', '"<<": 1\n', { '<<': 1 }],
    ['text that contains special characters', 'a: x & y ! z *\nb: "&x *y !z"\n', { a: 'x & y ! z *', b: '&x *y !z' }],
    ['an unused anchor', 'a: &x 1\n', { a: 1 }],
    ['a document between markers', '---\na: 1\n...\n', { a: 1 }],
    [
      'keys that other parsers treat as equal',
      'a: "&x"\n1: a\n1.0: b\n0x1: c\n',
      { 1: 'a', '1.0': 'b', '0x1': 'c', a: '&x' },
    ],
    ['a key written with a question mark', '? a\n: 1\n', { a: 1 }],
  ])('accepts %s', (_, source, value) => {
    expect(readYaml('f', source)).toEqual({ value });
  });

  test.each([
    ['the first half', 'a: 1\nb: "x\\ud800"\n', ['yaml-half-character 2:6']],
    ['the second half', 'b: "\\uDC00"\n', ['yaml-half-character 1:5']],
    ['a half in a key', '"\\ud83d": "\\ud83d\\ude00"\n', ['yaml-half-character 1:2']],
    ['a half of eight digits', 'b: "\\U0000DFFF"\n', ['yaml-half-character 1:5']],
  ])('reports %s of a character', (_, source, expected) => {
    expect(codes(readYaml('f', source))).toEqual(expected);
  });

  test('accepts both halves of a character, and texts that only look like escapes', () => {
    const source = 'a: "\\ud83d\\ude00"\nb: "\\\\ud800"\nc: \\ud800\nd: \'\\ud800\'\ne: "\\U0001F600"\n';
    const value = { a: '😀', b: '\\ud800', c: '\\ud800', d: '\\ud800', e: '😀' };
    expect(readYaml('f', source)).toEqual({ value });
  });

  test('rejects exponential aliases quickly', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(codes(readYaml('f', lines.join('\n')))).toEqual(['yaml-alias-bomb 5:40']);
  });
});

describe('decodeText', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);

  test('removes only a byte order mark', () => {
    expect(decodeText('f', bytes(0xef, 0xbb, 0xbf, 0x61, 0xef, 0xbb, 0xbf))).toEqual({ value: 'a\ufeff' });
  });

  test('accepts a replacement character in the source', () => {
    expect(decodeText('f', bytes(0xef, 0xbf, 0xbd))).toEqual({ value: '\ufffd' });
  });

  test.each([
    ['a byte of Latin-1', bytes(0x61, 0x0a, 0x62, 0xe9), ['not-utf8 2:2']],
    ['a truncated sequence', bytes(0xe2, 0x82), ['not-utf8 1:1']],
    ['an overlong sequence', bytes(0x61, 0xc0, 0x80), ['not-utf8 1:2']],
    ['an encoded surrogate', bytes(0xed, 0xa0, 0x80), ['not-utf8 1:1']],
    ['UTF-16', bytes(0xff, 0xfe, 0x61, 0x00), ['not-utf8 1:1']],
    ['a NUL', bytes(0x61, 0x3a, 0x20, 0x00), ['yaml-nul 1:4']],
  ])('reports %s', (_, source, expected) => {
    expect(codes(decodeText('f', source))).toEqual(expected);
  });
});
