/** YAML features that registries do not support. */
import { describe, expect, test } from 'vitest';
import { checkOutput, message } from '../../support/registries/node-text.ts';
import { NODE_UID } from '../../support/registries/registry.ts';

describe('check rejects', () => {
  test('a duplicate key', () => {
    expect(checkOutput('bios:\n  version: a\n  vendor: b\n  version: c\n')).toBe(
      message(
        '6:3',
        'The key "version" occurs twice in one mapping. [yaml-duplicate-key]',
        `
  4 |   version: a
  5 |   vendor: b
> 6 |   version: c
    |   ^`,
        'Keep one of them.',
      ),
    );
  });

  test('several duplicate keys, quoted or not, and reports all', () => {
    expect(checkOutput('"uid": x\nrack: {a: 1, a: 2}\n')).toBe(
      [
        message(
          '3:1',
          'The key "uid" occurs twice in one mapping. [yaml-duplicate-key]',
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
          'The key "a" occurs twice in one mapping. [yaml-duplicate-key]',
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

  test('exponentially growing aliases', () => {
    const line = (i: number) =>
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]\n`;
    expect(checkOutput(`a0: &a0 [x, x, x, x, x, x, x, x, x]\n${line(1)}${line(2)}${line(3)}${line(4)}${line(5)}`)).toBe(
      message(
        '7:40',
        'The aliases in the file expand to too many values. [yaml-alias-bomb]',
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

  test('an alias of its own parent', () => {
    expect(checkOutput('rack: &rack\n  name: r1\n  holds: [*rack]\n')).toBe(
      message(
        '5:11',
        'The aliases in the file expand to too many values. [yaml-alias-bomb]',
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
    const fix =
      'Remove the tag. Values are strings, numbers, true, false and null. Quote a value that must be a string.';
    expect(checkOutput('rack: !!str 12\nrun: !!js/function "x"\n')).toBe(
      [
        message(
          '3:7',
          'The tag "!!str" is not supported. [yaml-tag]',
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
          'The tag "!!js/function" is not supported. [yaml-tag]',
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

  test('several documents in one file', () => {
    expect(checkOutput('---\ntype: node\n')).toBe(
      message(
        '3:1',
        'The file contains more than one YAML document. [yaml-several-documents]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | ---
    | ^
  4 | type: node`,
        'Keep one document: remove the "---" and everything after it.',
      ),
    );
  });

  test('merge keys', () => {
    expect(checkOutput('base: &base {a: 1}\nbios:\n  <<: *base\n')).toBe(
      message(
        '5:3',
        'The merge key "<<" is not supported. YAML 1.2 does not have merge keys. [yaml-merge-key]',
        `
  3 | base: &base {a: 1}
  4 | bios:
> 5 |   <<: *base
    |   ^`,
        'Write the merged fields out.',
      ),
    );
  });

  test('a list as a key', () => {
    expect(checkOutput('? [a, b]\n: c\n')).toBe(
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

  test('unlimited nesting', () => {
    expect(checkOutput(`rack: ${'['.repeat(20_000)}\n`)).toBe(
      message(
        '3:100',
        'The values in the file are nested too deeply. [yaml-too-deep]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | rack: ${'['.repeat(154)}
    | ${' '.repeat(99)}^`,
        'Reduce the nesting.',
      ),
    );
  });

  test.each([
    ['nothing', '', '> 1 |\n    | ^'],
    ['a list', '- a\n', '> 1 | - a\n    | ^'],
  ])('%s instead of fields', (_, text, frame) => {
    expect(checkOutput(new TextEncoder().encode(text))).toBe(
      message(
        '1:1',
        'The file is not a mapping of fields to values. [yaml-not-a-mapping]',
        frame,
        'Write one "field: value" on each line.',
      ),
    );
  });
});
