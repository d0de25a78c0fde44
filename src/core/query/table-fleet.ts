/** A table of nodes as what queries are asked of, with its labels, which are made of its columns when they are asked for. */
import { LABELS, type Labelling } from '../labels/labels.ts';
import { newDictionary } from '../table/dictionary.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import { clusterOfRows, type NodeTable } from '../table/node-table.ts';
import type { ColumnKind, QueryColumn, QueryFleet } from './columns.ts';

/** Where a table keeps what tells its nodes apart, beside its columns. */
const UID = 'uid';

export function tableFleet(table: NodeTable, labels: Labelling): QueryFleet {
  const columns = new Map(table.columns.map((column): [string, QueryColumn] => [column.name, column]));
  const uids: QueryColumn = { values: table.uids, rows: Int32Array.from(table.uids.keys()) };
  const makers: Readonly<Record<ColumnKind, ReadonlyMap<string, () => QueryColumn | undefined>>> = {
    place: new Map([
      ['site', () => dictionaryOf(table.total, placesOf(table, 'site'))],
      ['cluster', () => dictionaryOf(table.total, placesOf(table, 'cluster'))],
    ]),
    label: new Map(LABELS.map((label) => [label.name, () => columnOfLabel(label, table.columns, labels)])),
    field: new Map([
      [UID, () => uids],
      ...[...columns].map(([name, column]) => [name, () => column] as const),
    ]),
  };
  const made = new Map<string, QueryColumn | undefined>();
  const column = (kind: ColumnKind, name: string) => {
    const key = `${kind} ${name}`;
    if (!made.has(key)) made.set(key, makers[kind].get(name)?.());
    return made.get(key);
  };
  return {
    total: table.total,
    column,
    names: (kind) => [...makers[kind].keys()].filter((name) => column(kind, name) !== undefined),
  };
}

function* placesOf(table: NodeTable, name: 'site' | 'cluster'): Generator<string> {
  for (const cluster of clusterOfRows(table)) yield JSON.stringify(cluster[name]);
}

/** A column of the JSON texts of its cells. */
function dictionaryOf(total: number, cells: Iterable<string>): QueryColumn {
  const dictionary = newDictionary();
  const rows = new Int32Array(total);
  let row = 0;
  for (const json of cells) rows[row++] = dictionary.numberOf(json);
  return { values: dictionary.values, rows };
}
