import { describe, expect, test } from 'vitest';
import { locate, positionsIn } from '../../../../../src/core/registry/yaml/yaml-positions.ts';

const SOURCE = `# a comment
uid: n1
bios:
  version: 1.10
  "vendor": 'x'
disks:
  - serial: A1
  - {serial: "B1", 007: y}
~: z
`;

describe('locate', () => {
  test.each<[PropertyKey[], string]>([
    [[], '2:1'],
    [['uid'], '2:6'],
    [['bios'], '4:3'],
    [['bios', 'version'], '4:12'],
    [['bios', 'vendor'], '5:13'],
    [['disks', 0], '7:5'],
    [['disks', 0, 'serial'], '7:13'],
    [['disks', 1, 'serial'], '8:14'],
    [['disks', 1, '007'], '8:25'],
  ])('finds %j', (path, where) => {
    const { line, column } = locate('f', SOURCE, path);
    expect(`${line}:${column}`).toBe(where);
  });

  test('points at the nearest parent of a missing value', () => {
    const where = (...path: PropertyKey[]) => {
      const { line, column } = locate('f', SOURCE, path);
      return `${line}:${column}`;
    };
    expect([where('name'), where('bios', 'release'), where('disks', 5), where('uid', 'x')]).toEqual([
      ...['2:1', '4:3', '7:3', '2:6'],
    ]);
  });

  test.each([
    ['uid:   n1\n', 8],
    ['uid: "n1"\n', 6],
    ['uid: &a n1\n', 9],
    ['uid: # none\n  n1\n', 3],
    ['"uid": n1\n', 8],
    ['{uid: n1}\n', 7],
    ['uid : n1\n', 7],
  ])('finds a top-level field in any notation: %j', (source, column) => {
    expect(locate('f', source, ['uid']).column).toBe(column);
  });

  test('points at the key if the key is wrong', () => {
    const { line, column } = positionsIn('f', SOURCE).locate(['bios', 'vendor'], 'key');
    expect([line, column]).toEqual([5, 3]);
  });

  test('points at the start of an empty file', () => {
    expect(locate('f', '', ['name'])).toEqual({
      file: 'f',
      line: 1,
      column: 1,
      frame: { firstLine: 1, lines: [''], mark: 1 },
    });
  });
});

test('mappings as keys are not fields, at any depth', () => {
  const { line, column } = locate('f', `a: 1\nb: ${'{'.repeat(60)}\n`, ['b', 'c']);
  expect(`${line}:${column}`).toBe('2:4');
});

test.each<[PropertyKey[], string | undefined]>([
  [['bios', 'version'], '1.10'],
  [['bios', 'vendor'], undefined],
  [['disks', 1, 'serial'], undefined],
  [['disks', 0, 'serial'], 'A1'],
  [['disks'], undefined],
  [['name'], undefined],
])('plainTextAt %j is %j', (path, text) => {
  expect(positionsIn('f', SOURCE).plainTextAt(path)).toBe(text);
});
