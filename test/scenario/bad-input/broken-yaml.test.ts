/** Files that are not valid YAML. */
import { describe, expect, test } from 'vitest';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { checkOutput, MEND, message } from '../../support/registries/node-text.ts';
import { NODE_UID, registryOf } from '../../support/registries/registry.ts';

describe('check reports broken YAML', () => {
  test('with an unclosed bracket', () => {
    expect(checkOutput('bios: {version: 1\nnode_name: x\n')).toBe(
      message(
        '4:1',
        'Invalid YAML: A "{" has no "}" that closes it. [yaml-syntax]',
        `
  2 | uid: ${NODE_UID}
  3 | bios: {version: 1
> 4 | node_name: x
    | ^`,
        MEND,
      ),
    );
  });

  test('with an unclosed quote, at its start', () => {
    expect(checkOutput('bios:\n  version: "1.0\nnode_name: x\n')).toBe(
      message(
        '4:12',
        'Invalid YAML: A quoted value has no closing ". [yaml-syntax]',
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

  test('with a tab as indentation', () => {
    expect(checkOutput('bios:\n\tversion: 1\n')).toBe(
      message(
        '4:1',
        'Invalid YAML: Tabs are not allowed as indentation. [yaml-syntax]',
        `
  2 | uid: ${NODE_UID}
  3 | bios:
> 4 | \tversion: 1
    | ^`,
        MEND,
      ),
    );
  });

  test('with inconsistent indentation', () => {
    expect(checkOutput('bios:\n    version: a\n  vendor: b\n')).toBe(
      message(
        '5:1',
        'Invalid YAML: All mapping items must start at the same column. [yaml-syntax]',
        `
  3 | bios:
  4 |     version: a
> 5 |   vendor: b
    | ^`,
        MEND,
      ),
    );
  });

  test('with a line that is not a field', () => {
    expect(checkOutput('just words\nnode_name: x\n')).toBe(
      message(
        '3:1',
        'Invalid YAML: A line is no "field: value". [yaml-syntax]',
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

  test('with an alias that has no anchor', () => {
    expect(checkOutput('rack: *rack\n')).toBe(
      message(
        '3:7',
        'Invalid YAML: The alias *rack has no anchor. [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | rack: *rack
    |       ^`,
        MEND,
      ),
    );
  });

  test('in a long line, and shows the part around the mark', () => {
    expect(checkOutput(`list: [${'a, '.repeat(100)}@, b]\n`)).toBe(
      message(
        '3:308',
        'Invalid YAML: Plain value cannot start with reserved character @. [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | … ${'a, '.repeat(26)}@, b]
    | ${' '.repeat(80)}^`,
        MEND,
      ),
    );
  });

  test('with a second colon in a value', () => {
    expect(checkOutput('note: disk 2: replaced\n')).toBe(
      message(
        '3:7',
        'Invalid YAML: A line has ": " twice; quote what holds the second. [yaml-syntax]',
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

test('check reports broken YAML in the configuration and in revision files', async () => {
  const given = registryOf({ '../gridpress.yaml': 'cluster_uid: main\ncluster_uid: other\n' });
  expect(
    await given.failure(() => loadSources({ registry: given.registry })),
  ).toBe(`gridpress.yaml:2:1: error: The key "cluster_uid" occurs twice in one mapping. [yaml-duplicate-key]
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
  ).toBe(`registry-data/${file}:27:1: error: The key "changes" occurs twice in one mapping. [yaml-duplicate-key]
  25 |       uid: ${NODE_UID}
  26 |       node_name: lyra-1
> 27 | changes: []
     | ^
  Keep one of them.
`);
});
