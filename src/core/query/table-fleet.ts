/**
 * Nodes in columns as what queries are asked of: a table, or nodes of which a column is read when it is asked for. Labels
 * are made of columns when they are asked for, too.
 */
import { LABELS, type Labelling } from '../labels/labels.ts';
import { type Lazy, lazily } from '../platform/on-demand.ts';
import { newDictionary } from '../table/dictionary.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import type { NodeTable, TableColumn } from '../table/node-table.ts';
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
  const { total } = fleet;
  const places = new Map<string, () => QueryColumn | undefined>([
    ['site', () => placeColumn(fleet, 'site')],
    ['cluster', () => placeColumn(fleet, 'cluster')],
  ]);
  const fields = remembered((name) => fleet.column(name));
  const labelled = new Map<string, () => QueryColumn | undefined>(
    LABELS.map((label) => [label.name, () => columnOfLabel(label, fields, labels)]),
  );
  const uids = lazily((): QueryColumn => ({ values: fleet.uids, rows: rowNumbers(total) }));
  const columns: Readonly<Record<ColumnKind, (name: string) => QueryColumn | undefined>> = {
    place: remembered((name) => places.get(name)?.()),
    label: remembered((name) => labelled.get(name)?.()),
    field: (name) => (name === UID ? uids() : fields(name)),
  };
  const names: Readonly<Record<ColumnKind, () => readonly string[]>> = {
    place: () => [...places.keys()],
    label: () => [...labelled.keys()],
    field: () => [UID, ...fleet.names()],
  };
  return {
    total,
    column: (kind, name) => columns[kind](name),
    names: (kind) => names[kind]().filter((name) => columns[kind](name) !== undefined),
  };
}

function rowNumbers(total: number): Int32Array {
  const rows = new Int32Array(total);
  for (let row = 0; row < total; row++) rows[row] = row;
  return rows;
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
function placeColumn({ total, clusters }: FleetColumns, name: 'site' | 'cluster'): QueryColumn {
  const dictionary = newDictionary();
  const rows = new Int32Array(total);
  let end = 0;
  for (const cluster of clusters) {
    const start = end;
    end += cluster.nodes;
    rows.fill(dictionary.numberOf(JSON.stringify(cluster[name])), start, end);
  }
  return { values: dictionary.values, rows };
}
