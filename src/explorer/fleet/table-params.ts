/** The columns and the sort order of the table of nodes, as parameters in the URL. */
import { findField } from '../../core/query/columns.ts';
import type { Fleet } from './fleet.ts';

export interface Sorting {
  readonly field: string;
  readonly isDescending: boolean;
}

/** The maximum number of fields in a sort order. */
const MOST_SORTINGS = 10;

/** Parses a sort order, such as `-label.ram,node_name`. The hyphen means descending order. Ignores more than ten fields. */
export function sortingsOf(text: string | null): Sorting[] {
  return namesIn(text)
    .slice(0, MOST_SORTINGS)
    .map((name) =>
      name.startsWith('-') ? { field: name.slice(1), isDescending: true } : { field: name, isDescending: false },
    );
}

function sortText(sortings: readonly Sorting[]): string {
  return sortings.map(({ field, isDescending }) => (isDescending ? `-${field}` : field)).join(',');
}

/**
 * The first click on a column sorts in ascending order, the second in descending order. The third click removes the
 * column from the sort order. With `isAdded`, all other sort columns stay.
 */
export function sortAfterClick(sortings: readonly Sorting[], field: string, isAdded: boolean): string {
  const now = sortings.find((each) => each.field === field);
  const next = now?.isDescending ? [] : [{ field, isDescending: now !== undefined }];
  if (!isAdded) return sortText(next);
  return sortText(now ? sortings.flatMap((each) => (each === now ? next : [each])) : [...sortings, ...next]);
}

const NAME = 'node_name';
const HARDWARE = ['label.cpu', 'label.ram', 'label.gpu', 'gpu.gpu_count'];
const OTHERS = ['architecture.smt_size', 'label.disk', 'label.network'];
const TYPE = 'node_type';

/** The maximum number of columns of the table. More columns would make it slow. */
export const MOST_COLUMNS = 50;

/** Returns the distinct names in a list such as `site,label.ram`. */
export function namesIn(text: string | null): string[] {
  return [...new Set(text?.split(','))].filter((name) => name !== '');
}

/** True if a node has the field, or if the node table omits the field. */
export function isKnownField(name: string, { table, query }: Fleet): boolean {
  return table.omittedFields.includes(name) || findField(name, query).hasValues;
}

/** Returns the known columns in the URL, or else the default columns that have values. Always includes the node name. */
export function columnsOf(fleet: Fleet, text: string | null, isGrouped = false): string[] {
  const named = namesIn(text).filter((name) => isKnownField(name, fleet));
  const defaults = isGrouped ? [TYPE, ...HARDWARE, 'site', ...OTHERS] : ['site', TYPE, ...HARDWARE, ...OTHERS];
  const shown = named.length > 0 ? named : defaults.filter((name) => findField(name, fleet.query).hasValues);
  return shown.includes(NAME) ? shown : [NAME, ...shown];
}
