import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, csvLine, unescapedCell } from '../../../../src/core/exports/csv.ts';
import { readCsv, textOfCell } from '../../../support/values/read-csv.ts';

describe('a CSV cell', () => {
  test.each([
    ['007', '007'],
    ['1.10', '1.10'],
    ['22223884E068', '22223884E068'],
    ['b4:2e:99:3d:1e:ac', 'b4:2e:99:3d:1e:ac'],
    [-5, '-5'],
    [false, 'false'],
    [null, ''],
    [undefined, ''],
    [[1, '2', null], '[1,"2",null]'],
    ['=cmd()', "'=cmd()"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['\t=1', `'"\\t=1"`],
    ['a\tb\nc', 'a\tb\nc'],
    ['a\0"\n', `'"a\\u0000\\"\\n"`],
    ['=\r\n', `'"=\\r\\n"`],
    ['a\u202eb\u0085', `'"a\\u202eb\\u0085"`],
    [['\u202e', 'ä'], '["\\u202e","ä"]'],
    ['a; b', 'a; b'],
    ['a;=1', `'"a\\u003b=1"`],
    ['a; "=1', `'"a; \\"=1"`],
    ['a\n+1', `'"a\\n+1"`],
    ['a\t@b', `'"a\\t@b"`],
    [['a;-1', ';'], '["a\\u003b-1","\\u003b"]'],
    ['"a"', '"a"'],
    [`'"a"`, `''"a"`],
    ['', "'"],
    ["'", "''"],
    ["'=1", "''=1"],
    ["'quoted'", "'quoted'"],
  ])('for %j is %j', (value, cell) => {
    expect(cellText(value)).toBe(cell);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...`'=- \t\n",;a＋\r\0\u202e`) }),
  );

  test('for any text can be decoded, and is never a formula', () => {
    fc.assert(
      fc.property(text, (value) => {
        const cell = cellText(value);
        expect(textOfCell(cell)).toBe(value);
        expect(unescapedCell(cell)).toBe(value);
        expect(cell).not.toMatch(/^(?:[\s\0]*[=+\-@＝＋－＠]|$)/u);
        expect(cell).not.toMatch(/[\0\r\u0085\u202a-\u202e]/);
        expect(csvLine([cell])).not.toMatch(/[;\t\n]["\s]*[=+\-@＝＋－＠]/u);
      }),
    );
  });

  test('is read back from a line with other entries', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (cells) => {
        expect(readCsv(`${csvLine(cells)}\n`)).toEqual([cells]);
      }),
    );
  });
});
