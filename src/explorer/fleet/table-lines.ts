import { findField } from '../../core/query/columns.ts';
import { sortedNodes } from '../../core/query/sort.ts';
import type { Fleet } from './fleet.ts';
import type { Profiles } from './profiles.ts';

export interface Line {
  readonly row: number;
  readonly members: readonly number[];
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

export function linesOf(
  fleet: Fleet,
  rows: readonly number[],
  sorting: Sorting | undefined,
  profiles: Profiles | undefined,
): Lines {
  const sorted = sorting
    ? sortedNodes(rows, findField(sorting.field, fleet.query).valuesOf, sorting.isDescending)
    : rows;
  if (!profiles) {
    const slice = (from: number, to: number) => sorted.slice(from, to).map((row) => ({ row, members: [row] }));
    return { length: sorted.length, slice };
  }
  const groups = Map.groupBy(sorted, (row) => profiles.of[row]);
  const lines = [...groups.values()].map((members) => ({ row: members[0] ?? 0, members }));
  return sorting ? lines : lines.sort((a, b) => b.members.length - a.members.length);
}

const NAME = 'node_name';
const DEFAULTS = [
  ...['site', 'node_type', 'label.cpu', 'architecture.smt_size', 'label.ram'],
  ...['label.gpu', 'gpu.gpu_count', 'label.disk', 'label.network'],
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
