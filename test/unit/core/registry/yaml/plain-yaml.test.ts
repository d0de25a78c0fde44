import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPlainYaml } from '../../../../../src/core/registry/yaml/plain-yaml.ts';
import { parseYaml, plainScalar } from '../../../../../src/core/registry/yaml/read-yaml.ts';

const read = (text: string) => readPlainYaml(text, plainScalar);

describe('reads', () => {
  test.each([
    ['a scalar of each type', 'a: 1\nb: x y\nc: true\nd: ~\n', { a: 1, b: 'x y', c: true, d: null }],
    ['nothing as null', 'a:\nb: # nothing\n', { a: null, b: null }],
    ['texts that look like numbers', 'a: 007\nb: 22227146E059\nc: -5\n', { a: '007', b: '22227146E059', c: -5 }],
    ['colons and hashes within words', 'a: 00:1b:21\nb: x#y\n', { a: '00:1b:21', b: 'x#y' }],
    ['comments', '# one\na: 1 # two\n\n  # three\nb: 2', { a: 1, b: 2 }],
    ['mappings within mappings', 'a:\n  b:\n    c: 1\n  d: 2\n', { a: { b: { c: 1 }, d: 2 } }],
    ['lists below their key, and at its column', 'a:\n  - 1\n  - x\nb:\n- 2\n', { a: [1, 'x'], b: [2] }],
    ['mappings in lists', 'a:\n  - b: 1\n    c: 2\n  -\n    d: 3\n', { a: [{ b: 1, c: 2 }, { d: 3 }] }],
    ['single quotes', "a: 'it''s: #1'\n", { a: "it's: #1" }],
    ['double quotes', 'a: "007"\nb: "x\\n\\"\\u00e9\\\\"\n', { a: '007', b: 'x\n"é\\' }],
    ['collections on a line', 'a: {b: [1, "x, y"], c: {}}\nd: []\n', { a: { b: [1, 'x, y'], c: {} }, d: [] }],
    ['literal blocks', 'a: |\n  x: #1\n\n    y\n\nb: |-\n  z\n\n', { a: 'x: #1\n\n  y\n', b: 'z' }],
    ['a literal block before what is less deep', 'a:\n  b: |-\n    x\n# c\nd: 1\n', { a: { b: 'x' }, d: 1 }],
    ['letters of all alphabets', 'a: naïve 日本 🚀\n', { a: 'naïve 日本 🚀' }],
  ])('%s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('keys in the order of the text', () => {
    expect(JSON.stringify(read('b: 1\na: {d: 2, c: 3}\n'))).toBe('{"b":1,"a":{"d":2,"c":3}}');
  });
});

describe('leaves to the whole parser', () => {
  test.each([
    ['nothing at all', ''],
    ['a list', '- 1\n'],
    ['a scalar', 'a\n'],
    ['a mapping that does not begin at the margin', '  a: 1\n'],
    ['a key that stands twice', 'a: 1\na: 2\n'],
    ['a key that stands twice on a line', 'a: {b: 1, b: 2}\n'],
    ['a key that every object has', 'constructor: 1\n'],
    ['__proto__', '__proto__: 1\n'],
    ['a key that is a keyword', 'True: 1\n'],
    ['a key in quotes', '"a": 1\n'],
    ['a key with a space', 'a b: 1\n'],
    ['a key without a space after its colon', 'a:1\n'],
    ['an anchor', 'a: &x 1\n'],
    ['an alias', 'a: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a merge key', '<<: 1\n'],
    ['a literal block with a header of its own', 'a: |2\n   x\n'],
    ['a literal block that keeps all newlines', 'a: |+\n  x\n\n'],
    ['a literal block with a comment', 'a: | # x\n  x\n'],
    ['a literal block in a list', 'a:\n  - |\n    x\n'],
    ['a literal block that begins with an empty line', 'a: |\n\n  x\n'],
    ['a literal block with spaces on an empty line', 'a: |\n  x\n   \n'],
    ['a literal block without an end', 'a: |\n  x'],
    ['an empty literal block', 'a: |\nb: 1\n'],
    ['a literal block that becomes deeper again', 'a:\n  b: |\n      x\n     y\n'],
    ['a folded block', 'a: >\n  x\n'],
    ['a plain text of two lines', 'a: x\n  y\n'],
    ['a quoted text of two lines', "a: 'x\n  y'\n"],
    ['a key within a plain text', 'a: b: c\n'],
    ['a text after a quoted one', "a: 'x' y\n"],
    ['an escape that JSON does not know', 'a: "\\x41"\n'],
    ['a list in a list', 'a:\n  - - 1\n'],
    ['a colon in a collection on a line', 'a: {b: c:d}\n'],
    ['a collection of several lines', 'a: [1,\n  2]\n'],
    ['a document marker', '---\na: 1\n'],
    ['an end that is nested less than its beginning', 'a:\n    b: 1\n  c: 2\n'],
    ['a tab', 'a:\t1\n'],
    ['a carriage return', 'a: 1\r\n'],
    ['a control character', 'a: "\u0007"\n'],
    ['half of a surrogate pair', 'a: \ud800\n'],
    ['nesting without an end', `a: ${'['.repeat(60)}${']'.repeat(60)}\n`],
  ])('%s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('gives what the whole parser gives', () => {
  const pieces = [
    ...['a: ', 'b: ', 'c.d: ', '\n', '\n  ', '\n    ', '- ', '\n- ', '\n  - ', ' ', '# x\n', ' # x'],
    ...['x', '1', '-1', '1.5', '007', 'true', '~', "'q'", '"q"', '"\\n"', '{}', '[]', '{e: x, f: 1}', '[x, "y"]'],
    ...[':', '-', ',', '}', ']', "'", '"', '&', '*', '|', '<<', '?', 'é'],
    ...['|\n', '|-\n', '|-\n  x', '|\n   x\n', '\n   y\n', '\n\n'],
  ];

  test('whatever the text, if it reads it', () => {
    assert(
      property(array(constantFrom(...pieces), { maxLength: 16 }), (chosen) => {
        const text = `k: ${chosen.join('')}`;
        const value = read(text);
        if (value !== undefined) expect(value).toEqual(parseYaml(text));
      }),
      { numRuns: 20_000, seed: 1 },
    );
  });
});
