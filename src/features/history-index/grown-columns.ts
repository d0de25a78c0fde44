/** Columns, and the digests beside them, that grow row by row. */

import { COLUMN_NAMES, type Columns, columnsOf, DIGEST_BYTES, emptyColumns } from './columns.ts';

export interface GrowingColumns {
  /** What has come so far, with room behind it. */
  readonly columns: () => Columns;
  readonly digests: () => Buffer;
  /** The next row, all 0. */
  readonly next: () => number;
  /** So many rows of others, as they are. */
  readonly take: (columns: Columns, digests: Buffer, first: number, rows: number) => void;
  /** The rows that have come. */
  readonly whole: () => { readonly rows: number; readonly columns: Columns; readonly digests: Buffer };
}

const FIRST_ROOM = 1 << 12;

export function growingColumns(): GrowingColumns {
  let rows = 0;
  let room = FIRST_ROOM;
  let columns = emptyColumns(room);
  let digests = Buffer.alloc(room * DIGEST_BYTES);
  const makeRoom = (wanted: number) => {
    if (wanted <= room) return;
    while (room < wanted) room *= 2;
    const [old, oldDigests] = [columns, digests];
    columns = emptyColumns(room);
    digests = Buffer.alloc(room * DIGEST_BYTES);
    for (const name of COLUMN_NAMES) columns[name].set(old[name].subarray(0, rows));
    oldDigests.copy(digests, 0, 0, rows * DIGEST_BYTES);
  };
  return {
    columns: () => columns,
    digests: () => digests,
    next: () => {
      makeRoom(rows + 1);
      return rows++;
    },
    take: (from, fromDigests, first, count) => {
      makeRoom(rows + count);
      for (const name of COLUMN_NAMES) columns[name].set(from[name].subarray(first, first + count), rows);
      fromDigests.copy(digests, rows * DIGEST_BYTES, first * DIGEST_BYTES, (first + count) * DIGEST_BYTES);
      rows += count;
    },
    whole: () => ({
      rows,
      columns: columnsOf((name) => columns[name].subarray(0, rows)),
      digests: digests.subarray(0, rows * DIGEST_BYTES),
    }),
  };
}
