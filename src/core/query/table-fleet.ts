/**
 * Nodes in columns as what queries are asked of: a table, or nodes of which a column is read when it is asked for. Labels
 * are made of columns when they are asked for, too.
 */
import { LABEL_NAMES, LABELS, type Labelling } from '../labels/labels.ts';
import { PLACE_NAMES } from '../model/fields/field-name.ts';
import type { Lazy } from '../platform/on-demand.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import { type NodeTable, newDictionary, type TableColumn } from '../table/node-table.ts';
import type { ColumnKind, QueryColumn, QueryFleet } from './columns.ts';

/** Where a table keeps what tells its nodes apart, beside its columns. */
const UID = 'uid';

interface FleetColumns extends Pick<NodeTable, 'total' | 'uids' | 'clusters'> {
  readonly column: (name: string) => TableColumn | undefined;
  readonly names: () => readonly string[];
}

export function tableFleet(table: NodeTable, labels: Labelling): QueryFleet {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return columnsFleet({ ...table, column: (name) => columns.get(name), names: () => [...columns.keys()] }, labels);
}

/** Nodes of which a column is read when it is asked for; `all` are their columns together, in code-unit order. */
export interface ReadNodes extends Pick<NodeTable, 'uids' | 'clusters'> {
  readonly read: (name: string) => TableColumn | undefined;
  readonly all: Lazy<readonly TableColumn[]>;
}

/** Questions that take all fields read all of them at once, and others those that they ask about. */
export function readFleet({ uids, clusters, read, all }: ReadNodes, labels: Labelling): QueryFleet {
  let known: ReadonlyMap<string, TableColumn> | undefined;
  const names = () => {
    known ??= new Map(all().map((column) => [column.name, column]));
    return [...known.keys()];
  };
  const column = (name: string) => (known ? known.get(name) : read(name));
  return columnsFleet({ uids, clusters, total: uids.length, column, names }, labels);
}

function columnsFleet(fleet: FleetColumns, labels: Labelling): QueryFleet {
  const { total, uids } = fleet;
  const field = remembered((name) =>
    name === UID ? { name, values: uids, rows: uids.map((_, row) => row) } : fleet.column(name),
  );
  const columns: Readonly<Record<ColumnKind, (name: string) => QueryColumn | undefined>> = {
    place: remembered((name) => placeColumn(fleet, name)),
    label: remembered((name) => {
      const label = LABELS.find((each) => each.name === name);
      return label && columnOfLabel(label, field, labels);
    }),
    field,
  };
  const names: Readonly<Record<ColumnKind, () => readonly string[]>> = {
    place: () => PLACE_NAMES,
    label: () => LABEL_NAMES,
    field: () => [UID, ...fleet.names()],
  };
  return {
    total,
    column: (kind, name) => columns[kind](name),
    names: (kind) => names[kind]().filter((name) => columns[kind](name) !== undefined),
  };
}

function remembered<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (name) => {
    const known = made.get(name) ?? { value: make(name) };
    made.set(name, known);
    return known.value;
  };
}

/** All rows of a cluster have the same in it. */
function placeColumn({ clusters }: FleetColumns, name: string): QueryColumn | undefined {
  if (name !== 'site' && name !== 'cluster') return undefined;
  const { values, numberOf } = newDictionary();
  const rows = clusters.flatMap((cluster) => {
    const number = numberOf(JSON.stringify(cluster[name]));
    return Array.from({ length: cluster.nodes }, () => number);
  });
  return { values, rows };
}
