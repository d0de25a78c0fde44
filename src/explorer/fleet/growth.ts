import { type NodeEvents, rowAfter } from '../../core/client/history-document.ts';
import type { ClassSet } from '../../core/model/field-classes.ts';
import { asText } from '../../core/model/json.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { FleetHistory } from '../data/history.ts';
import type { ClassesBetween } from './changed-classes.ts';
import type { Fleet } from './fleet.ts';

export const PLOTTED = ['site', 'node_type', 'label.gpu', 'label.cpu'] as const;

export interface GrowthStep {
  readonly revision: number;
  /** The number of nodes for each value of the field. The empty text stands for nodes without the field. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Counts the nodes after each revision of a first-parent line, oldest first. */
export function growthBy(history: FleetHistory, field: string, line = history.line): GrowthStep[] {
  const categoryOf = categories(history, field);
  const events = Map.groupBy(
    history.nodes.flatMap((node) => node.events.map((event) => ({ node, ...event }))),
    ({ revision }) => revision,
  );
  const rows = new Map<NodeEvents, number[]>();
  const counts = new Map<string, number>();
  const count = (row: number[], node: NodeEvents, by: number) => {
    const category = categoryOf(row, node);
    counts.set(category, (counts.get(category) ?? 0) + by);
  };
  return line.map((revision) => {
    for (const { node, cells } of events.get(revision) ?? []) {
      const before = rows.get(node);
      if (before) count(before, node, -1);
      const row = rowAfter(before, cells);
      if (row) {
        rows.set(node, row);
        count(row, node, 1);
      } else rows.delete(node);
    }
    return { revision, counts: new Map([...counts].filter(([, nodes]) => nodes > 0)) };
  });
}

/** Returns the first and the last revision in which a site had nodes, on the head's first-parent line. */
export function spanOfSite(
  history: FleetHistory,
  site: string,
): { readonly first: number; readonly last: number } | undefined {
  const steps = growthBy(history, 'site').filter(({ counts }) => counts.has(site));
  const [first, last] = [steps[0], steps.at(-1)];
  return first && last && { first: first.revision, last: last.revision };
}

export function categories(
  { columns, labels }: FleetHistory,
  field: string,
): (row: number[], node: NodeEvents) => string {
  if (field === 'site') return (_, { site }) => site;
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
  const label = labels.find(({ name }) => `label.${name}` === field);
  const sources = label
    ? label.of.map(({ column, values }) => ({ at: indexOf(column), values }))
    : [{ at: indexOf(field), values: columns[indexOf(field)]?.values ?? [] }];
  return (row) => {
    for (const { at, values } of sources) {
      const value = values[row[at] ?? ABSENT];
      if (value !== undefined && value !== null) return asText(value);
    }
    return '';
  };
}

interface FleetDifference {
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** The changed nodes, with the classes of their changed fields. */
  readonly changed: ReadonlyMap<number, ClassSet>;
}

/** Finds added, changed and removed nodes, by site and name. Both fleets must come from the same history. */
export function fleetDifference(earlier: Fleet, later: Fleet, classesBetween: ClassesBetween): FleetDifference {
  const rowsOf = ({ table, orderOf }: Fleet) => {
    const order = orderOf();
    return [...table.uids.keys()].sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  };
  const numbers = ({ table }: Fleet) => new Map(table.columns.map(({ name, rows }) => [name, rows]));
  const [before, after] = [numbers(earlier), numbers(later)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const pairs = names.map((name) => ({ name, was: before.get(name), is: after.get(name) }));
  const changed = new Map<number, ClassSet>();
  for (const row of rowsOf(later)) {
    const old = earlier.rowOf(later.pathOf(row));
    if (old < 0) continue;
    for (const { name, was, is } of pairs) {
      const [from, to] = [was?.[old] ?? ABSENT, is?.[row] ?? ABSENT];
      if (from !== to) changed.set(row, (changed.get(row) ?? 0) | classesBetween(name, from, to));
    }
  }
  return {
    added: rowsOf(later).filter((row) => earlier.rowOf(later.pathOf(row)) < 0),
    removed: rowsOf(earlier).filter((row) => later.rowOf(earlier.pathOf(row)) < 0),
    changed,
  };
}
