/** The numbers of columns, row after row, in little memory. */
import type { EncodedColumn, Row } from './body-encoder.ts';
import { ABSENT } from './dictionary.ts';
import type { TableColumn } from './node-table.ts';

export interface ColumnRows {
  readonly add: (row: Row) => void;
  /** The columns, each with as many rows as were added. */
  readonly close: (columns: readonly EncodedColumn[]) => TableColumn[];
}

const FIRST_LENGTH = 1024;

export function newColumnRows(): ColumnRows {
  const numbers: Int32Array[] = [];
  let length = FIRST_LENGTH;
  let total = 0;

  const grow = () => {
    length *= 2;
    for (const [place, old] of numbers.entries()) {
      const larger = new Int32Array(length).fill(ABSENT);
      larger.set(old);
      numbers[place] = larger;
    }
  };
  return {
    add: (row) => {
      if (total === length) grow();
      for (const [place, number] of row.entries()) {
        const column = numbers[place] ?? new Int32Array(length).fill(ABSENT);
        numbers[place] = column;
        column[total] = number;
      }
      total++;
    },
    close: (columns) =>
      columns.map(({ name, values }, place) => {
        const rows = numbers[place] ?? new Int32Array(total).fill(ABSENT);
        return { name, values, rows: rows.subarray(0, total) };
      }),
  };
}
