import { expect, test } from 'vitest';
import { readCsv } from '../../../../src/features/edit/node-names.ts';

const cellsOf = (text: string) => readCsv(text)?.map(({ cells }) => cells);

test.each<[string, string[][]]>([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['\ufeffa,b\n', [['a', 'b']]],
  [
    'a,\n,b\n',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['"a,b","say ""x""","two\nlines"\n', [['a,b', 'say "x"', 'two\nlines']]],
  [
    'a, b \n\n,\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a;"b;c"\n1,5;2\n',
    [
      ['a', 'b;c'],
      ['1,5', '2'],
    ],
  ],
  ['', []],
])('readCsv parses %j', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test.each(['"a', 'a,"b\nc\n', '"a"b\n', 'a"b\n'])('readCsv rejects %j', (text) => {
  expect(readCsv(text)).toBe(undefined);
});

test('records have the numbers of their first lines', () => {
  expect(readCsv('a\n"b\nc"\n\nd\n')?.map(({ line }) => line)).toEqual([1, 2, 5]);
});

test('readCsv parses long cells', () => {
  const long = 'a"b,'.repeat(2_000_000);
  expect(cellsOf(`x,"${long.replaceAll('"', '""')}"\n`)).toEqual([['x', long]]);
});
