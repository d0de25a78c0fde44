/**
 * The changes of all revisions in columns of numbers, a row for each: what takes a question about one resource
 * through hundreds of thousands of changes in a millisecond. Texts are by their numbers in a list of all texts.
 */

import { ACTIONS } from '../../core/history/actions.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { damaged } from './index-damaged.ts';

/** What stands in a row. Where there is none of a row or of a text, its number is 0, and others count from 1. */
export const COLUMNS = {
  /** The text of the path. */
  path: Uint32Array,
  /** In `ROW_ACTIONS`. */
  action: Uint8Array,
  classes: Uint32Array,
  /** The row that holds the body before the change. */
  before: Uint32Array,
  /** The text of the node's name after the change. */
  name: Uint32Array,
  /** The text of the uid of what took the place of a removed resource. */
  successor: Uint32Array,
  /** Where its record begins among the records: the fields' text, then the body's where it is kept whole. */
  at: Float64Array,
  fieldBytes: Uint32Array,
  bodyBytes: Uint32Array,
  /** The CRC-32 of the record. */
  check: Uint32Array,
} as const;

export const ROW_ACTIONS = [...ACTIONS, 'touched'] as const;

export type ColumnName = keyof typeof COLUMNS;
export const COLUMN_NAMES: readonly ColumnName[] = [
  ...(['path', 'action', 'classes', 'before', 'name', 'successor'] as const),
  ...(['at', 'fieldBytes', 'bodyBytes', 'check'] as const),
];

type NumberList = Uint8Array | Uint32Array | Float64Array;
export type Columns = Readonly<Record<ColumnName, NumberList>>;

/** A digest of a body, as bytes. */
export const DIGEST_BYTES = 32;

/** Columns for so many rows, all 0. */
export function emptyColumns(rows: number): Columns {
  return columnsOf((_, Kind) => new Kind(rows));
}

export function columnsOf(make: (name: ColumnName, Kind: (typeof COLUMNS)[ColumnName]) => NumberList): Columns {
  const of = (name: ColumnName) => make(name, COLUMNS[name]);
  return {
    path: of('path'),
    action: of('action'),
    classes: of('classes'),
    before: of('before'),
    name: of('name'),
    successor: of('successor'),
    at: of('at'),
    fieldBytes: of('fieldBytes'),
    bodyBytes: of('bodyBytes'),
    check: of('check'),
  };
}

/** Columns of which each is made when it is first asked for. */
export function columnsOnDemand(make: (name: ColumnName, Kind: (typeof COLUMNS)[ColumnName]) => NumberList): Columns {
  const getters = COLUMN_NAMES.map((name) => [name, { get: lazily(() => make(name, COLUMNS[name])) }]);
  return Object.defineProperties(emptyColumns(0), Object.fromEntries(getters));
}

export interface ColumnBounds {
  readonly texts: number;
  readonly recordBytes: number;
}

/** Numbers that lead nowhere would be read as something else. Where records end, they tell themselves. */
export function checkColumn(name: ColumnName, column: NumberList, { texts, recordBytes }: ColumnBounds): void {
  const most: Readonly<Partial<Record<ColumnName, number>>> = {
    path: texts - 1,
    action: ROW_ACTIONS.length - 1,
    name: texts,
    successor: texts,
    at: recordBytes,
  };
  const bound = most[name];
  if (bound === undefined && name !== 'before') return;
  for (let row = 0; row < column.length; row++) {
    const value = itemAt(column, row);
    if (!(value >= 0 && value <= (bound ?? row))) damaged(`the ${name} of row ${row}`);
  }
}
