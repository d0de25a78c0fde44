import { describe, expect, test } from 'vitest';
import { newColumnRows } from '../../../../src/core/table/column-rows.ts';
import { ABSENT, newDictionary } from '../../../../src/core/table/dictionary.ts';

const column = (name: string) => ({ name, ...newDictionary() });

describe('the rows of columns', () => {
  test('keep numbers of any width, and say where there are none', () => {
    const rows = newColumnRows();
    const numbers = [0, 127, 128, 5, 32_767, 32_768, ABSENT, 2 ** 31 - 1, 3];
    for (const [i, number] of numbers.entries()) rows.add(i < 2 ? [number] : [number, i]);
    expect(rows.close(['a', 'b', 'c'].map(column)).map((each) => [...each.rows])).toEqual([
      numbers,
      [ABSENT, ABSENT, 2, 3, 4, 5, 6, 7, 8],
      numbers.map(() => ABSENT),
    ]);
  });

  test('keep them while there come more and more', () => {
    const rows = newColumnRows();
    const added = Array.from({ length: 40_000 }, (_, i) => [i % 100, i]);
    for (const row of added) rows.add(row);
    const [few, many] = rows.close(['few', 'many'].map(column));
    expect(few && [...few.rows]).toEqual(added.map(([number]) => number));
    expect(many && [...many.rows]).toEqual(added.map(([, number]) => number));
  });
});
