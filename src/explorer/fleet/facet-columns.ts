/** The values of any field, nested ones too, as numbers by row: what facets count, and filters look up. */
import { wayOfField } from '../../core/model/fields/field-name.ts';
import { byCodeUnit, type Json } from '../../core/model/json.ts';
import { addressOf, valuesAt } from '../../core/query/columns.ts';
import { ABSENT } from '../../core/table/dictionary.ts';
import type { Fleet } from './fleet.ts';

export interface FacetColumn {
  /** Every value once, by its text: what is a number here may be a text there. */
  readonly texts: readonly string[];
  readonly values: readonly Json[];
  /** For each row the number of what stands there in its column, or ABSENT. */
  readonly rows: ArrayLike<number>;
  /** For each of these numbers the places of the values in `texts`. */
  readonly held: readonly (readonly number[])[];
}

const known = new WeakMap<Fleet, Map<string, FacetColumn>>();

export function facetColumn(fleet: Fleet, name: string): FacetColumn {
  const columns = known.get(fleet) ?? new Map<string, FacetColumn>();
  known.set(fleet, columns);
  const column = columns.get(name) ?? made(fleet, name);
  columns.set(name, column);
  return column;
}

function made({ query }: Fleet, name: string): FacetColumn {
  const { kind, name: top, rest } = addressOf({ name, way: wayOfField(name) ?? [name] });
  const column = query.column(kind, top) ?? { values: [], rows: [] };
  const places = new Map<string, number>();
  const values: Json[] = [];
  const held = column.values.map((value) => {
    const found = valuesAt(value, rest).filter((each) => typeof each !== 'object');
    const numbers = found.map((each) => {
      const place = places.get(String(each)) ?? values.push(each) - 1;
      places.set(String(each), place);
      return place;
    });
    return [...new Set(numbers)];
  });
  return { texts: [...places.keys()], values, rows: column.rows, held };
}

export function countsIn({ texts, rows, held }: FacetColumn, wanted: Iterable<number>): Uint32Array {
  const byNumber = new Uint32Array(held.length);
  for (const row of wanted) {
    const number = rows[row] ?? ABSENT;
    if (number !== ABSENT) byNumber[number] = (byNumber[number] ?? 0) + 1;
  }
  const counts = new Uint32Array(texts.length);
  for (const [number, places] of held.entries()) {
    for (const place of places) counts[place] = (counts[place] ?? 0) + (byNumber[number] ?? 0);
  }
  return counts;
}

/** Numbers by size, then texts by code units. */
export function byValue(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return byCodeUnit(String(a), String(b));
}
