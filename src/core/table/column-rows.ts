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

/** Most columns have a few dozen values. */
const WIDTHS = [Int8Array, Int16Array, Int32Array] as const;

type Numbers = InstanceType<(typeof WIDTHS)[number]>;

export function newColumnRows(): ColumnRows {
  const columns: Numbers[] = [];
  let length = FIRST_LENGTH;
  let total = 0;

  const grow = () => {
    length *= 2;
    for (const [place, old] of columns.entries()) columns[place] = widened(old, old.BYTES_PER_ELEMENT, length);
  };
  /** The column at a place, in which a number has room. */
  const columnFor = (place: number, number: number): Numbers => {
    const bytes = bytesFor(number);
    const known = columns[place];
    if (known && known.BYTES_PER_ELEMENT >= bytes) return known;
    const column = widened(known ?? [], bytes, length);
    columns[place] = column;
    return column;
  };
  return {
    add: (row) => {
      if (total === length) grow();
      for (const [place, number] of row.entries()) columnFor(place, number)[total] = number;
      total++;
    },
    close: (encoded) =>
      encoded.map(({ name, values }, place) => {
        const rows = columns[place] ?? widened([], 1, total);
        return { name, values, rows: rows.subarray(0, total) };
      }),
  };
}

/** How many bytes a number takes. */
function bytesFor(number: number): number {
  if (number < 1 << 7) return 1;
  return number < 1 << 15 ? 2 : 4;
}

/** Numbers in a list of so many, each in so many bytes; ABSENT behind them. */
function widened(numbers: ArrayLike<number>, bytes: number, length: number): Numbers {
  const Width = WIDTHS.find(({ BYTES_PER_ELEMENT }) => BYTES_PER_ELEMENT >= bytes) ?? Int32Array;
  const wide = new Width(length).fill(ABSENT, numbers.length);
  wide.set(numbers);
  return wide;
}
