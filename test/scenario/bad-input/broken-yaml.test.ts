/** Sources that are no YAML. */
import { describe, expect, test } from 'vitest';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { MEND, message, told } from '../../support/registries/node-text.ts';
import { NODE_UID, registryOf } from '../../support/registries/registry.ts';

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
  ).toBe(`registry-data/${file}:27:1: error: The key "changes" stands twice in one mapping. [yaml-duplicate-key]
  25 |       uid: ${NODE_UID}
  26 |       node_name: lyra-1
> 27 | changes: []
     | ^
  Keep one of them.
`);
});
