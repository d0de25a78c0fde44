/**
 * Bodies as rows of numbers: each field at the top of bodies is a column, whose whole values stand once each in a
 * dictionary. Hardware repeats, so that thousands of nodes share some dozens of values.
 */
import { isJsonObject, type Json } from '../model/json.ts';
import { ABSENT, type Dictionary, newDictionary, type TableColumn } from './node-table.ts';
import { type OwnFields, sharedValue, type TellOwn } from './own-fields.ts';

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
   * The row of a body's JSON text. `tellOwn` is called for each field that is the node's own, which is in no column. With
   * a former row, only the changed fields are encoded.
   */
  readonly encode: (json: string, tellOwn: TellOwn, former?: FormerRow) => Row;
}

export function newBodyEncoder(own: OwnFields): BodyEncoder {
  const columns: EncodedColumn[] = [];
  const places = new Map<string, number>();
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? columns.push({ name, ...newDictionary() }) - 1;
    places.set(name, place);
    return place;
  };
  return {
    columns,
    encode: (json, tellOwn, former) => {
      const row = columns.map(({ name }, place) =>
        former && !former.changed.has(name) ? (former.row[place] ?? ABSENT) : ABSENT,
      );
      for (const [name, value] of fieldsOf(json)) {
        if (former && !former.changed.has(name)) continue;
        const field = own.below(name);
        if (field.isOwn) {
          tellOwn(field, value);
          continue;
        }
        const place = placeOf(name);
        row[place] = columns[place]?.numberOf(JSON.stringify(sharedValue(value, field, tellOwn))) ?? ABSENT;
      }
      return row;
    },
  };
}

function fieldsOf(json: string): [name: string, value: Json][] {
  const body: unknown = JSON.parse(json);
  return isJsonObject(body) ? Object.entries(body) : [];
}

export function newTableColumns(own: OwnFields) {
  const { columns, encode } = newBodyEncoder(own);
  const rows: number[][] = [];
  let total = 0;
  return {
    add: (json: string, tellOwn: TellOwn) => {
      for (const [place, number] of encode(json, tellOwn).entries()) {
        rows[place] ??= Array.from({ length: total }, () => ABSENT);
        rows[place].push(number);
      }
      total++;
    },
    close: (): TableColumn[] => columns.map(({ name, values }, place) => ({ name, values, rows: rows[place] ?? [] })),
  };
}

/** The column of a field at the top of bodies, with whole values; undefined where none has it. */
export function columnOfBodies(name: string, bodies: Iterable<string>): TableColumn | undefined {
  const { values, numberOf } = newDictionary();
  const rows: number[] = [];
  for (const json of bodies) {
    const field = fieldsOf(json).find(([other]) => other === name);
    rows.push(field ? numberOf(JSON.stringify(field[1])) : ABSENT);
  }
  return values.length === 0 ? undefined : { name, values, rows };
}
