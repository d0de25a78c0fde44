import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { isJsonObject, type Json } from '../../../../../src/core/model/json.ts';
import { encodeYaml } from '../../../../../src/core/registry/yaml/write-yaml.ts';
import { blockOffset } from '../../../../../src/core/registry/yaml/yaml-positions.ts';
import { jsonObject, partsObject } from '../../../../support/values/arbitraries.ts';

const SOURCE = `# a comment
uid: n1
bios: # of the board
  # since spring
  version: 1.10
  vendor: 'x'

note: |
  version: none
disks:
  - serial: A1
    size: 5
  - serial: "B1"
tags: [a, b]
about: in two
  lines: not
last: 1
`;

function lineAndColumn(...path: PropertyKey[]): string | undefined {
  const offset = blockOffset(SOURCE, path);
  if (offset === undefined) return undefined;
  const lines = SOURCE.slice(0, offset).split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

describe('blockOffset', () => {
  test.each<[PropertyKey[], string]>([
    [[], '2:1'],
    [['uid'], '2:6'],
    [['bios'], '5:3'],
    [['bios', 'version'], '5:12'],
    [['bios', 'vendor'], '6:11'],
    [['disks'], '11:3'],
    [['disks', 0], '11:5'],
    [['disks', 0, 'size'], '12:11'],
    [['disks', 1, 'serial'], '13:13'],
    [['tags'], '14:7'],
    [['last'], '17:7'],
  ])('finds %j', (path, where) => {
    expect(lineAndColumn(...path)).toBe(where);
  });

  test.each<[PropertyKey[], string]>([
    [['name'], '2:1'],
    [['bios', 'date'], '5:3'],
    [['disks', 2], '11:3'],
    [['disks', 1, 'size'], '13:5'],
  ])('points at the nearest parent of a missing value: %j', (path, where) => {
    expect(lineAndColumn(...path)).toBe(where);
  });

  test.each<[PropertyKey[]]>([
    [['note']],
    [['note', 'version']],
    [['uid', 'x']],
    [['tags', 0]],
    [['disks', 'serial']],
    [['bios', 0]],
  ])('returns undefined for %j', (path) => {
    expect(lineAndColumn(...path)).toBeUndefined();
  });

  test.each([
    ...['', '# nothing\n', '  a: 1\n', '- a\n', '{a: 1}\n', '---\na: 1\n', 'a:\tb\n', 'a: 1\r\n', '"a": 1\n'],
    ...['a:\n- 1\n', 'a: &x 1\n', 'a: *x\n', 'a: !t 1\n', 'a: >\n  b\n', 'a :\n  b: 1\n', 'a:\n', '? a\n: b\n'],
  ])('returns undefined for the source %j', (source) => {
    expect(blockOffset(source, ['a'])).toBeUndefined();
  });

  test("equals the parser's result, or is undefined, for all YAML that gridpress writes", () => {
    fc.assert(
      fc.property(fc.oneof(jsonObject, partsObject), (body) => {
        const text = encodeYaml(body);
        const document = parseDocument(text, { schema: 'failsafe' });
        for (const path of pathsIn(body, [])) {
          const offset = blockOffset(text, path);
          const node: unknown = document.getIn(path, true);
          if (offset !== undefined) expect({ path, node }).toMatchObject({ node: { range: { 0: offset } } });
        }
      }),
    );
  });
});

function* pathsIn(value: Json, path: readonly PropertyKey[]): Generator<readonly PropertyKey[]> {
  if (path.length > 0) yield path;
  const entries = Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  for (const [key, item] of entries) yield* pathsIn(item, [...path, key]);
}
