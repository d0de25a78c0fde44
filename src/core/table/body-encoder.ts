/**
 * Bodies as rows of numbers: each field at the top of bodies is a column, whose whole values stand once each in a
 * dictionary. Hardware repeats, so that thousands of nodes share some dozens of values.
 */
import { type KnownField, newBodyReader, type TellField } from './body-reader.ts';
import { ABSENT, type Dictionary, newDictionary } from './dictionary.ts';
import type { OwnFields } from './own-fields.ts';

export interface EncodedColumn extends Dictionary {
  readonly name: string;
}

/** For each column the number of the value, or ABSENT; columns that came later are absent too. */
export type Row = readonly number[];

/** The row of a body as it was before some fields at its top changed. */
export interface FormerRow {
  readonly row: Row;
  readonly changed: ReadonlySet<string>;
}

export interface BodyEncoder {
  /** In the order in which they were first seen. */
  readonly columns: readonly EncodedColumn[];
  /**
   * The row of a body's JSON text. `tellOwn` is told of what is the node's own, which is in no column. Where it is known
   * what the body was before, only what changed is read and told.
   */
  readonly encode: (json: string, tellOwn: TellField, former?: FormerRow) => Row;
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
    encode: (json, tellOwn, former) => {
      const row = columns.map(({ name }, place) =>
        former && !former.changed.has(name) ? (former.row[place] ?? ABSENT) : ABSENT,
      );
      const put: TellField = (field, text) => {
        const place = placeOf(field);
        row[place] = columns[place]?.numberOf(text) ?? ABSENT;
      };
      reader.read(json, put, tellOwn, former?.changed);
      return row;
    },
  };
}
