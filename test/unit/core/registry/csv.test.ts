import { expect, test } from 'vitest';
import { readCsv } from '../../../../src/features/edit/node-names.ts';

function recordsOf(text: string) {
  const records = readCsv(text);
  if ('problem' in records) throw new Error(records.problem);
  return records;
}

const cellsOf = (text: string) => recordsOf(text).map(({ cells }) => cells);

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
  [
    'a,b\r1,"2\r3"\r',
    [
      ['a', 'b'],
      ['1', '2\r3'],
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

const INSIDE = 'a quotation mark is inside a cell; put the cell in quotes, and double the mark';

test.each([
  ['"a', 1, 'a cell in quotes does not end'],
  ['x\na,"b\nc\n', 2, 'a cell in quotes does not end'],
  ['"a"b\n', 1, INSIDE],
  ['x\r"y\rz"\ra"b\n', 4, INSIDE],
])('readCsv rejects %j', (text, line, problem) => {
  expect(readCsv(text)).toEqual({ line, problem });
});

test('records have the numbers of their first lines', () => {
  expect(recordsOf('a\n"b\nc"\n\nd\n').map(({ line }) => line)).toEqual([1, 2, 5]);
});

test('readCsv parses long cells', () => {
  const long = 'a"b,'.repeat(2_000_000);
  expect(cellsOf(`x,"${long.replaceAll('"', '""')}"\n`)).toEqual([['x', long]]);
});
