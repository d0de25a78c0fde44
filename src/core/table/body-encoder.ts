/**
 * Bodies as rows of numbers: each field at the top of bodies is a column, whose whole values stand once each in a
 * dictionary. Hardware repeats, so that thousands of nodes share some dozens of values.
 */
import { type KnownField, newBodyReader, type TellField } from './body-reader.ts';
import { type Dictionary, newDictionary } from './dictionary.ts';
import type { OwnFields } from './own-fields.ts';

/** What stands in a row where a node has not the field. */
export const ABSENT = -1;

export interface EncodedColumn extends Dictionary {
  readonly name: string;
}

/** For each column the number of the value, or ABSENT; columns that came later are absent too. */
export type Row = readonly number[];

export interface BodyEncoder {
  /** In the order in which they were first seen. */
  readonly columns: readonly EncodedColumn[];
  /** The row of a body's JSON text. `tellOwn` is told of what is the node's own, which is in no column. */
  readonly encode: (json: string, tellOwn: TellField) => Row;
}

export function newBodyEncoder(own: OwnFields): BodyEncoder {
  const reader = newBodyReader(own);
  const columns: EncodedColumn[] = [];
  const places = new Map<KnownField, number>();
  const placeOf = (field: KnownField): number => {
    const name = field.fields.way[0] ?? '';
    const place = places.get(field) ?? columns.push({ name, ...newDictionary() }) - 1;
    places.set(field, place);
    return place;
  };
  return {
    columns,
    encode: (json, tellOwn) => {
      const row = new Array<number>(columns.length).fill(ABSENT);
      const put: TellField = (field, text) => {
        const place = placeOf(field);
        row[place] = columns[place]?.numberOf(text) ?? ABSENT;
      };
      reader.read(json, put, tellOwn);
      return row;
    },
  };
}
