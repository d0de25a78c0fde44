/** YAML that means more than a registry can hold. */
import { describe, expect, test } from 'vitest';
import { message, told } from '../../support/registries/node-text.ts';
import { NODE_UID } from '../../support/registries/registry.ts';

describe('YAML that a registry does not hold', () => {
  test('a key twice in one mapping', () => {
    expect(told('bios:\n  version: a\n  vendor: b\n  version: c\n')).toBe(
      message(
        '6:3',
        'The key "version" stands twice in one mapping. [yaml-duplicate-key]',
        `
  4 |   version: a
  5 |   vendor: b
> 6 |   version: c
    |   ^`,
        'Keep one of them.',
      ),
    );
  });

  test('a key twice, once in quotes, and another: all are told', () => {
    expect(told('"uid": x\nrack: {a: 1, a: 2}\n')).toBe(
      [
        message(
          '3:1',
          'The key "uid" stands twice in one mapping. [yaml-duplicate-key]',
          `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | "uid": x
    | ^
  4 | rack: {a: 1, a: 2}`,
          'Keep one of them.',
        ),
        message(
          '4:14',
          'The key "a" stands twice in one mapping. [yaml-duplicate-key]',
          `
  2 | uid: ${NODE_UID}
  3 | "uid": x
> 4 | rack: {a: 1, a: 2}
    |              ^`,
          'Keep one of them.',
        ),
      ].join('\n'),
    );
  });

  test('a bomb of aliases', () => {
    const line = (i: number) =>
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]\n`;
    expect(told(`a0: &a0 [x, x, x, x, x, x, x, x, x]\n${line(1)}${line(2)}${line(3)}${line(4)}${line(5)}`)).toBe(
      message(
        '7:40',
        'The aliases of the file would expand beyond all bounds. [yaml-alias-bomb]',
        `
  5 | ${line(2).trimEnd()}
  6 | ${line(3).trimEnd()}
> 7 | ${line(4).trimEnd()}
    | ${' '.repeat(39)}^
  8 | ${line(5).trimEnd()}`,
        'Write the values out instead of using aliases.',
      ),
    );
  });

  test('an alias of what holds it', () => {
    expect(told('rack: &rack\n  name: r1\n  holds: [*rack]\n')).toBe(
      message(
        '5:11',
        'The aliases of the file would expand beyond all bounds. [yaml-alias-bomb]',
        `
  3 | rack: &rack
  4 |   name: r1
> 5 |   holds: [*rack]
    |           ^`,
        'Write the values out instead of using aliases.',
      ),
    );
  });

  test('tags', () => {
    const fix = 'Remove it: values are strings, numbers, true, false and null; quote what must be a string.';
    expect(told('rack: !!str 12\nrun: !!js/function "x"\n')).toBe(
      [
        message(
          '3:7',
          'The tag !!str is not supported. [yaml-tag]',
          `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | rack: !!str 12
    |       ^
  4 | run: !!js/function "x"`,
          fix,
        ),
        message(
          '4:6',
          'The tag !!js/function is not supported. [yaml-tag]',
          `
  2 | uid: ${NODE_UID}
  3 | rack: !!str 12
> 4 | run: !!js/function "x"
    |      ^`,
          fix,
        ),
      ].join('\n'),
    );
  });

  test('several documents', () => {
    expect(told('---\ntype: node\n')).toBe(
      message(
        '3:1',
        'The file holds more than one YAML document. [yaml-several-documents]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | ---
    | ^
  4 | type: node`,
        'Keep one document in a file: remove the "---" and what follows it.',
      ),
    );
  });

  test('a merge key', () => {
    expect(told('base: &base {a: 1}\nbios:\n  <<: *base\n')).toBe(
      message(
        '5:3',
        'The merge key "<<" is not supported: YAML 1.2 has none. [yaml-merge-key]',
        `
  3 | base: &base {a: 1}
  4 | bios:
> 5 |   <<: *base
    |   ^`,
        'Write the merged fields out.',
      ),
    );
  });

  test('a list for a key', () => {
    expect(told('? [a, b]\n: c\n')).toBe(
      message(
        '3:3',
        'A key is not a plain scalar. [yaml-complex-key]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | ? [a, b]
    |   ^
  4 | : c`,
        'Use strings as keys.',
      ),
    );
  });

  test('brackets without end', () => {
    expect(told(`rack: ${'['.repeat(20_000)}\n`)).toBe(
      message(
        '3:106',
        'The values of the file lie too deep within each other. [yaml-too-deep]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | rack: ${'['.repeat(154)}
    | ${' '.repeat(105)}^`,
        'Write them flatter.',
      ),
    );
  });

  test.each([
    ['nothing', '', '> 1 |\n    | ^'],
    ['a list', '- a\n', '> 1 | - a\n    | ^'],
  ])('%s where fields are expected', (_, text, frame) => {
    expect(told(new TextEncoder().encode(text))).toBe(
      message(
        '1:1',
        'The file is not a mapping of fields to values. [yaml-not-a-mapping]',
        frame,
        'Write one "field: value" on each line.',
      ),
    );
  });
});
