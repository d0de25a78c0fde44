import { findField } from '../../core/query/columns.ts';
import { sortedNodes } from '../../core/query/sort.ts';
import type { Fleet } from './fleet.ts';
import type { Profiles } from './profiles.ts';
import type { Sorting } from './table-params.ts';

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
