/** Filters, as the fragment has them, and which nodes pass them; each facet counts what all the other filters let pass. */

import { wayOfField } from '../../core/model/fields/field-name.ts';
import { byCodeUnit, type Json } from '../../core/model/json.ts';
import { quantityOf, unitOfField } from '../../core/model/units.ts';
import { addressOf, valuesAt } from '../../core/query/columns.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { Fleet } from './fleet.ts';

export interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** One field: it must have one of the texts, or a number within the range. */
export interface Filter {
  readonly field: string;
  readonly texts: readonly string[];
  readonly range: Range | undefined;
}

/** Parameters of the fragment that are no fields; a field of such a name stands behind `field:`. */
const TAKEN = ['at', 'pick', 'q', 'columns', 'sort', 'group', 'pages', 'page', 'rows', 'facets', 'all', 'with', 'than'];
const PREFIX = 'field:';

export function parameterOf(field: string): string {
  return TAKEN.includes(field) || field.startsWith(PREFIX) ? PREFIX + field : field;
}

function fieldOf(parameter: string): string | undefined {
  if (TAKEN.includes(parameter)) return undefined;
  return parameter.startsWith(PREFIX) ? parameter.slice(PREFIX.length) : parameter;
}

export function filtersIn(params: URLSearchParams): Filter[] {
  return [...new Set(params.keys())].flatMap((parameter) => {
    const field = fieldOf(parameter);
    if (field === undefined) return [];
    const all = params.getAll(parameter);
    const ranges = all.flatMap((each) => rangeIn(each, field) ?? []);
    const texts = all.filter((each) => rangeIn(each, field) === undefined);
    return [{ field, texts, range: ranges.at(-1) }];
  });
}

/** `64GiB..256GiB`, `64GiB..` or `..256GiB`, in any unit that the field can be told in. */
function rangeIn(text: string, field: string): Range | undefined {
  const at = text.indexOf('..');
  if (at < 0) return undefined;
  const [from, to] = [text.slice(0, at), text.slice(at + 2)].map((side) => boundIn(side, field));
  if (from === null || to === null || (from === undefined && to === undefined)) return undefined;
  return { from, to };
}

/** Undefined where there is none; null where there is something else than a number that fits the field. */
export function boundIn(text: string, field: string): number | undefined | null {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const base = unitOfField(wayOfField(field) ?? [field]);
  const quantity = quantityOf(trimmed);
  if (quantity) return quantity.unit.base === base ? quantity.value : null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

export interface Selection {
  readonly rows: readonly number[];
  /** Those that pass everything but perhaps the filter of one field. */
  readonly rowsBut: (field: string) => readonly number[];
}

/** `found` are the rows that a query is true of, where there is one. */
export function selection(fleet: Fleet, filters: readonly Filter[], found: readonly number[] | undefined): Selection {
  const total = fleet.table.total;
  /** By how many filters each row is kept out, two for more; and by which, where it is one. */
  const failed = new Uint8Array(total);
  const failing = new Uint16Array(total);
  if (found) {
    const isFound = new Uint8Array(total);
    for (const row of found) isFound[row] = 1;
    // A query that is not true of a node is not the filter of any field: the node counts nowhere.
    for (let row = 0; row < total; row++) if (isFound[row] === 0) failed[row] = 2;
  }
  for (const [place, filter] of filters.entries()) {
    const { rows, passes } = tested(fleet, filter);
    for (let row = 0; row < total; row++) {
      const number = rows[row] ?? ABSENT;
      if (number !== ABSENT && passes[number] === 1) continue;
      failed[row] = failed[row] === 0 ? 1 : 2;
      failing[row] = place;
    }
  }
  const rowsBut = (place: number) => {
    const wanted: number[] = [];
    for (let row = 0; row < total; row++) {
      const by = failed[row];
      if (by === 0 || (by === 1 && failing[row] === place)) wanted.push(row);
    }
    return wanted;
  };
  const rows = rowsBut(-1);
  return {
    rows,
    rowsBut: (field) => {
      const place = filters.findIndex((filter) => filter.field === field);
      return place < 0 ? rows : rowsBut(place);
    },
  };
}

function tested(fleet: Fleet, { field, texts, range }: Filter) {
  const column = facetColumn(fleet, field);
  const wanted = new Set(texts);
  const isWanted = column.texts.map((text, place) => {
    if (wanted.has(text)) return true;
    const value = column.values[place];
    return (
      range !== undefined &&
      typeof value === 'number' &&
      value >= (range.from ?? Number.NEGATIVE_INFINITY) &&
      value <= (range.to ?? Number.POSITIVE_INFINITY)
    );
  });
  const passes = Uint8Array.from(column.held, (places) => (places.some((place) => isWanted[place]) ? 1 : 0));
  return { rows: column.rows, passes };
}

/** The values of any field, nested ones too, as numbers by row: what facets count, and filters look up. */
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
