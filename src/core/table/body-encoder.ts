/** Each top-level field is a column that lists each distinct value once, because many nodes have equal values. */
import { isJsonObject, type Json } from '../model/json.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { ABSENT, type Dictionary, newDictionary, type TableColumn } from './node-table.ts';
import { type OnPerNodeField, type PerNodeFields, sharedValue } from './per-node-fields.ts';

export interface EncodedColumn extends Dictionary {
  readonly name: string;
}

/**
 * The number that stands for the body's value in each column, or ABSENT if the body lacks the field. If a row is
 * shorter than the list of columns, its other values are absent, too.
 */
export type Row = readonly number[];

export interface FormerRow {
  readonly row: Row;
  readonly changed: ReadonlySet<string>;
}

export interface BodyEncoder {
  readonly columns: readonly EncodedColumn[];
  /** Encodes a body as a row. Copies the unchanged fields from the row in `former`, if `former` is set. */
  readonly encode: (json: string, onPerNodeField: OnPerNodeField, former?: FormerRow) => Row;
}

export function newBodyEncoder(own: PerNodeFields): BodyEncoder {
  const columns: EncodedColumn[] = [];
  const places = new Map<string, number>();
  const placeOf = (name: string): number =>
    getOrCreate(places, name, () => columns.push({ name, ...newDictionary() }) - 1);
  return {
    columns,
    encode: (json, onPerNodeField, former) => {
      const row = columns.map(({ name }, place) =>
        former && !former.changed.has(name) ? (former.row[place] ?? ABSENT) : ABSENT,
      );
      for (const [name, value] of fieldsOf(json)) {
        if (former && !former.changed.has(name)) continue;
        const field = own.below(name);
        if (field.isPerNode) {
          onPerNodeField(field, value);
          continue;
        }
        const place = placeOf(name);
        row[place] = columns[place]?.numberOf(JSON.stringify(sharedValue(value, field, onPerNodeField))) ?? ABSENT;
      }
      return row;
    },
  };
}

function fieldsOf(json: string): [name: string, value: Json][] {
  const body: unknown = JSON.parse(json);
  return isJsonObject(body) ? Object.entries(body) : [];
}

export function newTableColumns(own: PerNodeFields) {
  const { columns, encode } = newBodyEncoder(own);
  const rows: number[][] = [];
  let total = 0;
  return {
    add: (json: string, onPerNodeField: OnPerNodeField) => {
      for (const [place, number] of encode(json, onPerNodeField).entries()) {
        rows[place] ??= Array.from({ length: total }, () => ABSENT);
        rows[place].push(number);
      }
      total++;
    },
    close: (): TableColumn[] => columns.map(({ name, values }, place) => ({ name, values, rows: rows[place] ?? [] })),
  };
}

/** Returns the column of a field. Returns undefined if no body has the field. */
export function columnOfBodies(name: string, bodies: Iterable<string>): TableColumn | undefined {
  const { values, numberOf } = newDictionary();
  const rows: number[] = [];
  for (const json of bodies) {
    const field = fieldsOf(json).find(([other]) => other === name);
    rows.push(field ? numberOf(JSON.stringify(field[1])) : ABSENT);
  }
  return values.length === 0 ? undefined : { name, values, rows };
}
