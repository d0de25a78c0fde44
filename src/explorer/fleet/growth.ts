/** How many nodes had each value of a field, revision by revision, and what differs between the fleets of two. */
import { asText } from '../../core/model/json.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { FleetHistory, NodeEvents } from '../data/history.ts';
import type { Fleet } from './fleet.ts';

/** What a plot can be of: what all registries have, and what hardware is called. */
export const PLOTTED = ['site', 'node_type', 'label.gpu', 'label.cpu'] as const;

export interface GrowthStep {
  readonly moment: number;
  /** How many nodes have each value; those that have none are under the empty text. */
  readonly counts: ReadonlyMap<string, number>;
}

type Row = number[];

export function growthBy(history: FleetHistory, field: string): GrowthStep[] {
  const categoryOf = categories(history, field);
  const told = new Map<number, { readonly node: NodeEvents; readonly cells: readonly number[] | null }[]>();
  for (const node of history.nodes) {
    for (const { moment, cells } of node.events) {
      const known = told.get(moment);
      if (known) known.push({ node, cells });
      else told.set(moment, [{ node, cells }]);
    }
  }
  const rows = new Map<NodeEvents, Row>();
  const counts = new Map<string, number>();
  const count = (category: string, by: number) => counts.set(category, (counts.get(category) ?? 0) + by);
  return history.line.map((moment) => {
    for (const { node, cells } of told.get(moment) ?? []) {
      const before = rows.get(node);
      if (before) count(categoryOf(before, node), -1);
      if (!cells) {
        rows.delete(node);
        continue;
      }
      const row = before ?? [];
      for (let i = 0; i < cells.length; i += 2) row[cells[i] ?? 0] = cells[i + 1] ?? ABSENT;
      rows.set(node, row);
      count(categoryOf(row, node), 1);
    }
    return { moment, counts: new Map([...counts].filter(([, nodes]) => nodes > 0)) };
  });
}

function categories({ columns, labels }: FleetHistory, field: string): (row: Row, node: NodeEvents) => string {
  if (field === 'site') return (_, { site }) => site;
  const place = (name: string) => columns.findIndex((column) => column.name === name);
  const label = labels.find(({ name }) => name === field);
  const sources = label
    ? label.of.map(({ column, values }) => ({ at: place(column), values }))
    : [{ at: place(field), values: columns[place(field)]?.values ?? [] }];
  return (row) => {
    for (const { at, values } of sources) {
      const value = values[row[at] ?? ABSENT];
      if (value !== undefined && value !== null) return asText(value);
    }
    return '';
  };
}

export interface FleetDifference {
  /** Rows of the later fleet, of the earlier one, and of the later one. */
  readonly came: readonly number[];
  readonly went: readonly number[];
  readonly changed: readonly number[];
}

/** Of two moments of one history: where a node has the same value, its column has the same number. */
export function fleetDifference(earlier: Fleet, later: Fleet): FleetDifference {
  const rowsOf = ({ table }: Fleet) => Array.from({ length: table.total }, (_, row) => row);
  const numbers = ({ table }: Fleet) => new Map(table.columns.map(({ name, rows }) => [name, rows]));
  const [before, after] = [numbers(earlier), numbers(later)];
  const pairs = [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    return [before.get(name), after.get(name)] as const;
  });
  const isOther = (row: number, old: number) =>
    pairs.some(([was, is]) => (was?.[old] ?? ABSENT) !== (is?.[row] ?? ABSENT));
  return {
    came: rowsOf(later).filter((row) => earlier.rowOf(later.pathOf(row)) < 0),
    went: rowsOf(earlier).filter((row) => later.rowOf(earlier.pathOf(row)) < 0),
    changed: rowsOf(later).filter((row) => {
      const old = earlier.rowOf(later.pathOf(row));
      return old >= 0 && isOther(row, old);
    }),
  };
}
