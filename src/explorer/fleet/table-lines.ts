import { findField } from '../../core/query/columns.ts';
import { sortedNodes } from '../../core/query/sort.ts';
import type { Fleet } from './fleet.ts';
import type { Profiles } from './profiles.ts';

export interface Line {
  readonly row: number;
  readonly members: readonly number[];
  /** True if the line shows one node of an open group, below the line of the group. */
  readonly isMember?: boolean;
}

export interface Lines {
  readonly length: number;
  readonly slice: (from: number, to: number) => readonly Line[];
}

export interface Sorting {
  readonly field: string;
  readonly isDescending: boolean;
}

/** Parses a sort order, such as `-label.ram,node_name`. The hyphen means descending order. */
export function sortingsOf(text: string | null): Sorting[] {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  return names.map((name) =>
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

/** Returns one line for each node or hardware profile. The set `opened` contains the first row of each open group. */
export function linesOf(
  fleet: Fleet,
  rows: readonly number[],
  sortings: readonly Sorting[],
  profiles: Profiles | undefined,
  opened: ReadonlySet<number>,
): Lines {
  const order = fleet.orderOf();
  const byName = rows.toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  const sorted = sortings.reduceRight(
    (some, { field, isDescending }) => sortedNodes(some, findField(field, fleet.query).valuesOf, isDescending),
    byName,
  );
  if (!profiles) {
    const slice = (from: number, to: number) => sorted.slice(from, to).map((row) => ({ row, members: [row] }));
    return { length: sorted.length, slice };
  }
  const groups = Map.groupBy(sorted, (row) => profiles.profileByRow[row]);
  const lines: Line[] = [...groups.values()].map((members) => ({ row: members[0] ?? 0, members }));
  if (sortings.length === 0) lines.sort((a, b) => b.members.length - a.members.length);
  return lines.flatMap((line) =>
    opened.has(line.row) ? [line, ...line.members.map((row) => ({ row, members: [row], isMember: true }))] : [line],
  );
}

const NAME = 'node_name';
const HARDWARE = ['label.cpu', 'label.ram', 'label.gpu', 'gpu.gpu_count'];
const OTHERS = ['architecture.smt_size', 'label.disk', 'label.network'];
const TYPE = 'node_type';

/** Returns the columns in the URL, or else the default columns that have values. Always includes the node name. */
export function columnsOf(fleet: Fleet, text: string | null, isGrouped = false): string[] {
  const named = (text ?? '').split(',').filter((name) => name !== '');
  const defaults = isGrouped ? [TYPE, ...HARDWARE, 'site', ...OTHERS] : ['site', TYPE, ...HARDWARE, ...OTHERS];
  const shown = named.length > 0 ? named : defaults.filter((name) => findField(name, fleet.query).hasValues);
  return shown.includes(NAME) ? shown : [NAME, ...shown];
}
