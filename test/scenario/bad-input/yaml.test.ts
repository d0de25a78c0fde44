/** Sources that are no YAML, or more than a registry can hold. */
import { describe, expect, test } from 'vitest';
import { loadSources } from '../../../src/commands/sources.ts';
import { resourceAt } from '../../../src/model/state.ts';
import { storedObject } from '../../../src/registry/registry.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registry.ts';

const START = `type: node\nuid: ${NODE_UID}\n`;

/** What a check says of a registry whose node has some text more. */
function told(text: string | Uint8Array): string {
  return registryOf({ [NODE]: typeof text === 'string' ? START + text : text }).findings();
}

/** The message about a line: where, what, the frame, what to do. */
function message(where: string, what: string, frame: string, fix: string): string {
  return `registry-data/${NODE}:${where}: error: ${what}\n${frame.replace(/^\n/, '')}\n  ${fix}\n`;
}

const MEND = 'Mend the syntax at the mark, or just before it.';

describe('broken YAML', () => {
  test('a bracket that is never closed', () => {
    expect(told('bios: {version: 1\nnode_name: x\n')).toBe(
      message(
        '4:1',
        'Broken YAML: A "{" has no "}" that closes it. [yaml-syntax]',
        `
  2 | uid: ${NODE_UID}
  3 | bios: {version: 1
> 4 | node_name: x
    | ^`,
        MEND,
      ),
    );
  });

  test('a quote that is never closed: the mark stands where it opens', () => {
    expect(told('bios:\n  version: "1.0\nnode_name: x\n')).toBe(
      message(
        '4:12',
        'Broken YAML: A quoted value has no closing ". [yaml-syntax]',
        `
  2 | uid: ${NODE_UID}
  3 | bios:
> 4 |   version: "1.0
    |            ^
  5 | node_name: x`,
        MEND,
      ),
    );
  });

  test('a tab for indentation', () => {
    expect(told('bios:\n\tversion: 1\n')).toBe(
      message(
        '4:1',
        'Broken YAML: Tabs are not allowed as indentation. [yaml-syntax]',
        `
  2 | uid: ${NODE_UID}
  3 | bios:
> 4 | \tversion: 1
    | ^`,
        MEND,
      ),
    );
  });

  test('an indentation that fits nothing', () => {
    expect(told('bios:\n    version: a\n  vendor: b\n')).toBe(
      message(
        '5:1',
        'Broken YAML: All mapping items must start at the same column. [yaml-syntax]',
        `
  3 | bios:
  4 |     version: a
> 5 |   vendor: b
    | ^`,
        MEND,
      ),
    );
  });

  test('a line that is no field', () => {
    expect(told('just words\nnode_name: x\n')).toBe(
      message(
        '3:1',
        'Broken YAML: A line is no "field: value". [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | just words
    | ^
  4 | node_name: x`,
        MEND,
      ),
    );
  });

  test('an alias of nothing', () => {
    expect(told('rack: *rack\n')).toBe(
      message(
        '3:7',
        'Broken YAML: The alias *rack has no anchor. [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | rack: *rack
    |       ^`,
        MEND,
      ),
    );
  });

  test('far to the right: the frame is cut around the mark', () => {
    expect(told(`list: [${'a, '.repeat(100)}@, b]\n`)).toBe(
      message(
        '3:308',
        'Broken YAML: Plain value cannot start with reserved character @. [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | … ${'a, '.repeat(26)}@, b]
    | ${' '.repeat(80)}^`,
        MEND,
      ),
    );
  });

  test('a colon too many', () => {
    expect(told('note: disk 2: replaced\n')).toBe(
      message(
        '3:7',
        'Broken YAML: A line has ": " twice; quote what holds the second. [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | note: disk 2: replaced
    |       ^`,
        MEND,
      ),
    );
  });
});

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
    expect(
      told(`a0: &a0 [x, x, x, x, x, x, x, x, x]\n${line(1)}${line(2)}${line(3)}${line(4)}${line(5)}`),
    ).toBe(
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

describe('bytes', () => {
  const bytes = (text: string, ...more: number[]) =>
    Uint8Array.from([...new TextEncoder().encode(text), ...more]);

  test('a NUL, shown as its symbol', () => {
    expect(told('node_name: x\0y\n')).toBe(
      message(
        '3:13',
        'The file contains a NUL character. [yaml-nul]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | node_name: x␀y
    |             ^`,
        'Remove it: YAML is text.',
      ),
    );
  });

  test('Latin-1', () => {
    expect(told(bytes(`${START}node_name: caf`, 0xe9, 0x0a))).toBe(
      message(
        '3:15',
        'The file is not valid UTF-8. [not-utf8]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | node_name: caf\ufffd
    |               ^`,
        'Save it as UTF-8.',
      ),
    );
  });

  test('UTF-16', () => {
    expect(told(Uint8Array.from([0xff, 0xfe, 0x61, 0x00, 0x3a, 0x00]))).toBe(
      message(
        '1:1',
        'The file is not valid UTF-8. [not-utf8]',
        `
> 1 | \ufffd\ufffda␀:␀
    | ^`,
        'Save it as UTF-8.',
      ),
    );
  });

  test('a byte order mark and CR LF are accepted, and leave no trace', () => {
    const text = `\ufeff${START}note: |\n  one\n  two\nrack: r1\n`.replaceAll('\n', '\r\n');
    const given = registryOf({ [NODE]: text });
    given.record('First');
    expect(given.findings()).toBe('');
    const { worktree, store } = loadSources({ registry: given.registry });
    const node = resourceAt(worktree, NODE.slice(0, -'.yaml'.length));
    expect(node && storedObject(store, node.body.handle)).toEqual({
      type: 'node',
      uid: NODE_UID,
      note: 'one\ntwo\n',
      rack: 'r1',
    });
  });

  test('positions do not count a byte order mark, nor CR', () => {
    expect(told(new TextEncoder().encode(`\ufeff${START}a: @x\n`.replaceAll('\n', '\r\n')))).toBe(
      message(
        '3:4',
        'Broken YAML: Plain value cannot start with reserved character @. [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | a: @x
    |    ^`,
        MEND,
      ),
    );
  });

  test('escape sequences reach no terminal', () => {
    expect(told('a: "\u001b[31m\n')).toContain('> 3 | a: "␛[31m\n');
  });
});

test('the same holds for the configuration and for revision files', async () => {
  const given = registryOf({ '../gridpress.yaml': 'cluster_uid: main\ncluster_uid: other\n' });
  expect(
    await given.failure(() => loadSources({ registry: given.registry })),
  ).toBe(`gridpress.yaml:2:1: error: The key "cluster_uid" stands twice in one mapping. [yaml-duplicate-key]
  1 | cluster_uid: main
> 2 | cluster_uid: other
    | ^
  Keep one of them.
`);
  const other = registryOf();
  const { file } = other.record('First');
  other.write({ [file]: `${other.read(file)}changes: []\n` });
  expect(
    other.findings(),
  ).toBe(`registry-data/${file}:26:1: error: The key "changes" stands twice in one mapping. [yaml-duplicate-key]
  24 |       uid: ${NODE_UID}
  25 |       node_name: lyra-1
> 26 | changes: []
     | ^
  Keep one of them.
`);
});
