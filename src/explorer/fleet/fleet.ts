/** The nodes of one revision as the views ask of them: the table, its labels, and where each row stands. */
import { LABEL_PREFIX } from '../../core/model/fields/field-name.ts';
import type { Json } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { QueryColumn, QueryFleet } from '../../core/query/columns.ts';
import { ABSENT, clusterOfRows, type NodeTable, newDictionary } from '../../core/table/node-table.ts';
import type { LabelSource } from '../data/registry.ts';

export interface Fleet {
  readonly table: NodeTable;
  readonly query: QueryFleet;
  readonly placeOf: (row: number) => { readonly site: string; readonly cluster: string };
  /** The path of a node in the API, without the slash that it begins with. */
  readonly pathOf: (row: number) => string;
  readonly rowOf: (path: string) => number;
  /** What people call a node: its uid where it has no name. */
  readonly nameOf: (row: number) => string;
}

export function fleetOf(table: NodeTable, labels: readonly LabelSource[]): Fleet {
  const places = [...clusterOfRows(table)];
  const names = table.columns.find(({ name }) => name === 'node_name');
  const placeOf = (row: number) => {
    const place = places[row];
    if (!place) throw new Error(`there is no row ${row}`);
    return place;
  };
  const uidOf = (row: number) => table.uids[row] ?? '';
  const pathOf = (row: number) => {
    const { site, cluster } = placeOf(row);
    return `sites/${site}/clusters/${cluster}/nodes/${uidOf(row)}`;
  };
  const rows = lazily(() => new Map(table.uids.map((_, row) => [pathOf(row), row])));
  return {
    table,
    placeOf,
    pathOf,
    query: queryFleet(table, labels, places),
    rowOf: (path) => rows().get(path) ?? -1,
    nameOf: (row) => {
      const name = names?.values[names.rows[row] ?? ABSENT];
      return typeof name === 'string' && name !== '' ? name : uidOf(row);
    },
  };
}

function queryFleet(
  table: NodeTable,
  labels: readonly LabelSource[],
  places: readonly { readonly site: string; readonly cluster: string }[],
): QueryFleet {
  const kinds = {
    place: new Map([
      ['site', lazily(() => dictionary(places.map(({ site }) => site)))],
      ['cluster', lazily(() => dictionary(places.map(({ cluster }) => cluster)))],
    ]),
    label: new Map(
      labels.map((label) => [label.name.slice(LABEL_PREFIX.length + 1), lazily(() => labelColumn(label, table))]),
    ),
    field: new Map<string, () => QueryColumn>([
      ['uid', lazily(() => ({ values: table.uids, rows: Int32Array.from(table.uids.keys()) }))],
      ...table.columns.map((column) => [column.name, () => column] as const),
    ]),
  } as const;
  return { total: table.total, column: (kind, name) => kinds[kind].get(name)?.(), names: (kind) => kinds[kind].keys() };
}

function dictionary(cells: readonly (Json | undefined)[]): QueryColumn {
  const made = newDictionary();
  const rows = Int32Array.from(cells, (cell) => (cell === undefined ? ABSENT : made.numberOf(JSON.stringify(cell))));
  return { values: made.values, rows };
}

/** Of the first of its columns that says anything, for each node. */
function labelColumn({ of }: LabelSource, { columns, total }: NodeTable): QueryColumn {
  const sources = of.flatMap(({ column, values }) => {
    const found = columns.find(({ name }) => name === column);
    return found ? [{ rows: found.rows, values }] : [];
  });
  return dictionary(
    Array.from({ length: total }, (_, row) => {
      for (const { rows, values } of sources) {
        const value = values[rows[row] ?? ABSENT];
        if (value !== undefined && value !== null) return value;
      }
      return undefined;
    }),
  );
}
