import { findField } from '../../core/query/columns.ts';
import { sortedNodes } from '../../core/query/sort.ts';
import type { Fleet } from './fleet.ts';
import type { Profiles } from './profiles.ts';

export interface Line {
  readonly row: number;
  readonly members: readonly number[];
  /** Whether the line lists one node of the open group above it. */
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

/** Parses a sort order. `-label.ram` means descending order. */
export function sortingOf(text: string | null): Sorting | undefined {
  if (text === null || text === '') return undefined;
  return text.startsWith('-') ? { field: text.slice(1), isDescending: true } : { field: text, isDescending: false };
}

/** One line per node, or per hardware profile. `opened` contains the first rows of groups whose nodes are listed. */
export function linesOf(
  fleet: Fleet,
  rows: readonly number[],
  sorting: Sorting | undefined,
  profiles: Profiles | undefined,
  opened: ReadonlySet<number>,
): Lines {
  const order = fleet.orderOf();
  const byName = rows.toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  const sorted = sorting
    ? sortedNodes(byName, findField(sorting.field, fleet.query).valuesOf, sorting.isDescending)
    : byName;
  if (!profiles) {
    const slice = (from: number, to: number) => sorted.slice(from, to).map((row) => ({ row, members: [row] }));
    return { length: sorted.length, slice };
  }
  const groups = Map.groupBy(sorted, (row) => profiles.of[row]);
  const lines: Line[] = [...groups.values()].map((members) => ({ row: members[0] ?? 0, members }));
  if (!sorting) lines.sort((a, b) => b.members.length - a.members.length);
  return lines.flatMap((line) =>
    opened.has(line.row) ? [line, ...line.members.map((row) => ({ row, members: [row], isMember: true }))] : [line],
  );
}

const NAME = 'node_name';
/** The last columns are hidden if not all fit. */
const DEFAULTS = [
  ...['site', 'node_type', 'label.cpu', 'label.ram', 'label.gpu', 'gpu.gpu_count'],
  ...['architecture.smt_size', 'label.disk', 'label.network'],
];

/**
 * Returns the columns of the URL, or the default columns that are not empty. The name is always included, because it
 * links to a node.
 */
export function columnsOf(fleet: Fleet, text: string | null): string[] {
  const named = (text ?? '').split(',').filter((name) => name !== '');
  const shown = named.length > 0 ? named : DEFAULTS.filter((name) => findField(name, fleet.query).hasValues);
  return shown.includes(NAME) ? shown : [NAME, ...shown];
}
