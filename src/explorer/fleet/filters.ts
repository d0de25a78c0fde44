import { pathOfField } from '../../core/model/fields/field-name.ts';
import { byNaturalOrder, type Json } from '../../core/model/json.ts';
import { quantityOf, unitOfField } from '../../core/model/units.ts';
import { addressOf, valuesAt } from '../../core/query/columns.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { ParamName } from '../state/view-params.ts';
import type { Fleet } from './fleet.ts';

export interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** A filter on one field. A node matches if a value of the field is in `texts` or in `range`. */
export interface Filter {
  readonly field: string;
  readonly texts: readonly string[];
  readonly range: Range | undefined;
}

/**
 * URL parameters that the explorer reserves for other purposes. A field with a reserved name gets the prefix `field:`.
 */
const RESERVED_PARAMETERS: readonly string[] = Object.keys({
  at: 0,
  pick: 0,
  fields: 0,
  q: 0,
  columns: 0,
  sort: 0,
  group: 0,
  pages: 0,
  page: 0,
} satisfies Record<ParamName<'every' | 'nodes'>, 0>);
const PREFIX = 'field:';

export function parameterOf(field: string): string {
  return RESERVED_PARAMETERS.includes(field) || field.startsWith(PREFIX) ? PREFIX + field : field;
}

function fieldOf(parameter: string): string | undefined {
  if (RESERVED_PARAMETERS.includes(parameter)) return undefined;
  return parameter.startsWith(PREFIX) ? parameter.slice(PREFIX.length) : parameter;
}

interface NamedTexts {
  keys(): Iterable<string>;
  getAll(name: string): string[];
}

/** Reads filters from the URL. The text `1..5` means a range unless a node has exactly this value. */
export function filtersIn(params: NamedTexts, fleet: Fleet): Filter[] {
  return [...new Set(params.keys())].flatMap((parameter) => {
    const field = fieldOf(parameter);
    if (field === undefined) return [];
    const known = facetColumn(fleet, field).texts;
    const texts: string[] = [];
    let range: Range | undefined;
    for (const text of new Set(params.getAll(parameter))) {
      const parsed = known.includes(text) ? undefined : rangeIn(text, field);
      if (parsed) range = parsed;
      else texts.push(text);
    }
    return [{ field, texts, range }];
  });
}

/** Parses a range, such as `64GiB..256GiB`, `64GiB..` or `..256GiB`, in any unit of the field. */
function rangeIn(text: string, field: string): Range | undefined {
  const at = text.indexOf('..');
  if (at < 0) return undefined;
  const [from, to] = [text.slice(0, at), text.slice(at + 2)].map((side) => parseBound(side, field));
  if (from === null || to === null || (from === undefined && to === undefined)) return undefined;
  return { from, to };
}

/** Parses one end of a range. Returns undefined for an empty text, and null for an invalid number or unit. */
export function parseBound(text: string, field: string): number | undefined | null {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const base = unitOfField(pathOfField(field) ?? [field]);
  const quantity = quantityOf(trimmed);
  if (quantity) return quantity.unit.base === base ? quantity.value : null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

export interface Selection {
  readonly rows: readonly number[];
  readonly rowsWithout: (field: string) => readonly number[];
}

export function selection(fleet: Fleet, filters: readonly Filter[], found: readonly number[] | undefined): Selection {
  const total = fleet.table.total;
  // `failed` counts the filters that a row does not match, up to 2. `failing` stores the last of these filters.
  const failed = new Uint8Array(total);
  const failing = new Uint16Array(total);
  if (found) {
    const isFound = new Uint8Array(total);
    for (const row of found) isFound[row] = 1;
    // A row that the query excludes counts in no facet, because the query belongs to no single field.
    for (let row = 0; row < total; row++) if (isFound[row] === 0) failed[row] = 2;
  }
  for (const [index, filter] of filters.entries()) {
    const { rows, passes } = tested(fleet, filter);
    for (let row = 0; row < total; row++) {
      const number = rows[row] ?? ABSENT;
      if (number !== ABSENT && passes[number]) continue;
      failed[row] = failed[row] === 0 ? 1 : 2;
      failing[row] = index;
    }
  }
  const rowsWithout = (index: number) => {
    const passing: number[] = [];
    for (let row = 0; row < total; row++) {
      if (failed[row] === 0 || (failed[row] === 1 && failing[row] === index)) passing.push(row);
    }
    return passing;
  };
  const rows = rowsWithout(-1);
  return {
    rows,
    rowsWithout: (field) => {
      const index = filters.findIndex((filter) => filter.field === field);
      return index < 0 ? rows : rowsWithout(index);
    },
  };
}

function tested(fleet: Fleet, { field, texts, range }: Filter) {
  const { texts: all, numbers, rows, textIndexes } = facetColumn(fleet, field);
  const [from, to] = [range?.from ?? Number.NEGATIVE_INFINITY, range?.to ?? Number.POSITIVE_INFINITY];
  const isWanted = all.map((text) => texts.includes(text));
  const isInRange = (value: number) => value >= from && value <= to;
  const passes = textIndexes.map(
    (places, i) => places.some((place) => isWanted[place]) || (range && numbers[i]?.some(isInRange)),
  );
  return { rows, passes };
}

export interface FacetColumn {
  /** The distinct values as texts. A number and a string can have the same text. */
  readonly texts: readonly string[];
  readonly values: readonly Json[];
  /** An index in `textIndexes` for each row, or ABSENT. */
  readonly rows: ArrayLike<number>;
  /** The numbers in each value of the column. */
  readonly numbers: readonly (readonly number[])[];
  /** The indexes in `texts` for each value of the column. */
  readonly textIndexes: readonly (readonly number[])[];
}

const cache = new WeakMap<Fleet, Map<string, FacetColumn>>();

export function facetColumn(fleet: Fleet, name: string): FacetColumn {
  const columns = cache.get(fleet) ?? new Map<string, FacetColumn>();
  cache.set(fleet, columns);
  const column = columns.get(name) ?? newFacetColumn(fleet, name);
  columns.set(name, column);
  return column;
}

function newFacetColumn({ query }: Fleet, name: string): FacetColumn {
  const { kind, name: top, rest } = addressOf({ name, path: pathOfField(name) ?? [name] });
  const column = query.column(kind, top) ?? { values: [], rows: [] };
  const places = new Map<string, number>();
  const values: Json[] = [];
  const scalars = column.values.map((value) => valuesAt(value, rest).filter((each) => typeof each !== 'object'));
  const textIndexes = scalars.map((found) => {
    const indexes = found.map((each) => {
      const place = places.get(String(each)) ?? values.push(each) - 1;
      places.set(String(each), place);
      return place;
    });
    return [...new Set(indexes)];
  });
  const numbers = scalars.map((found) => found.filter((each) => typeof each === 'number'));
  return { texts: [...places.keys()], values, rows: column.rows, numbers, textIndexes };
}

export function countsIn({ texts, rows, textIndexes }: FacetColumn, wanted: Iterable<number>): Uint32Array {
  const byNumber = new Uint32Array(textIndexes.length);
  for (const row of wanted) {
    const number = rows[row] ?? ABSENT;
    if (number !== ABSENT) byNumber[number] = (byNumber[number] ?? 0) + 1;
  }
  const counts = new Uint32Array(texts.length);
  for (const [number, places] of textIndexes.entries()) {
    for (const place of places) counts[place] = (counts[place] ?? 0) + (byNumber[number] ?? 0);
  }
  return counts;
}

/** Sorts numbers before texts, and texts in natural order. */
export function byValue(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return byNaturalOrder(String(a), String(b));
}
