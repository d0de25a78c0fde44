import { LABEL_NAMES, LABELS } from '../labels/label-fields.ts';
import type { Labelling } from '../labels/labels.ts';
import { PLACE_NAMES } from '../model/fields/field-name.ts';
import { getOrCreate } from '../platform/lookups.ts';
import type { Lazy } from '../platform/on-demand.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import { type NodeTable, newDictionary, type TableColumn } from '../table/node-table.ts';
import type { ColumnKind, QueryColumn, QueryFleet } from './columns.ts';

const UID = 'uid';

/** Computes each label column from the columns of the fields that the label normalizes. */
export interface FleetLabels {
  readonly names: readonly string[];
  readonly column: (name: string, columnOf: (field: string) => TableColumn | undefined) => QueryColumn | undefined;
}

interface FleetColumns extends Pick<NodeTable, 'total' | 'uids' | 'clusters'> {
  readonly column: (name: string) => TableColumn | undefined;
  readonly names: () => readonly string[];
}

export function tableFleet(table: NodeTable, labels: Labelling): QueryFleet {
  return labelledFleet(table, fleetLabels(labels));
}

export function labelledFleet(table: NodeTable, labels: FleetLabels): QueryFleet {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return columnsFleet({ ...table, column: (name) => columns.get(name), names: () => [...columns.keys()] }, labels);
}

function fleetLabels(labels: Labelling): FleetLabels {
  return {
    names: LABEL_NAMES,
    column: (name, columnOf) => {
      const label = LABELS.find((each) => each.name === name);
      return label && columnOfLabel(label, columnOf, labels);
    },
  };
}

/** The nodes of a table. `read` reads one column, and `all` reads all columns in code-unit order. */
export interface ReadNodes extends Pick<NodeTable, 'uids' | 'clusters'> {
  readonly read: (name: string) => TableColumn | undefined;
  readonly all: Lazy<readonly TableColumn[]>;
}

/** Reads single columns for most queries. Reads all columns at once if a query needs the names of all fields. */
export function readFleet({ uids, clusters, read, all }: ReadNodes, labels: Labelling): QueryFleet {
  let known: ReadonlyMap<string, TableColumn> | undefined;
  const names = () => {
    known ??= new Map(all().map((column) => [column.name, column]));
    return [...known.keys()];
  };
  const column = (name: string) => (known ? known.get(name) : read(name));
  return columnsFleet({ uids, clusters, total: uids.length, column, names }, fleetLabels(labels));
}

function columnsFleet(fleet: FleetColumns, labels: FleetLabels): QueryFleet {
  const { total, uids } = fleet;
  const field = memoized((name) =>
    name === UID ? { name, values: uids, rows: uids.map((_, row) => row) } : fleet.column(name),
  );
  const columns: Readonly<Record<ColumnKind, (name: string) => QueryColumn | undefined>> = {
    place: memoized((name) => placeColumn(fleet, name)),
    label: memoized((name) => labels.column(name, field)),
    field,
  };
  const names: Readonly<Record<ColumnKind, () => readonly string[]>> = {
    place: () => PLACE_NAMES,
    label: () => labels.names,
    field: () => [UID, ...fleet.names()],
  };
  return {
    total,
    column: (kind, name) => columns[kind](name),
    names: (kind) => names[kind]().filter((name) => columns[kind](name) !== undefined),
  };
}

function memoized<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (name) => getOrCreate(made, name, () => ({ value: make(name) })).value;
}

function placeColumn({ clusters }: FleetColumns, name: string): QueryColumn | undefined {
  if (name !== 'site' && name !== 'cluster') return undefined;
  const { values, numberOf } = newDictionary();
  const rows = clusters.flatMap((cluster) => {
    const number = numberOf(JSON.stringify(cluster[name]));
    return Array.from({ length: cluster.nodes }, () => number);
  });
  return { values, rows };
}
