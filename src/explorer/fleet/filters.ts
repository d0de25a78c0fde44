/** Filters, as the fragment has them, and which nodes pass them; each facet counts what all the other filters let pass. */
import { wayOfField } from '../../core/model/fields/field-name.ts';
import { unitOfField } from '../../core/model/notation/field-units.ts';
import { quantityOf } from '../../core/model/notation/units.ts';
import { ABSENT } from '../../core/table/dictionary.ts';
import { facetColumn } from './facet-columns.ts';
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
export function rangeIn(text: string, field: string): Range | undefined {
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
