/** A table of nodes as what queries are asked of, with its labels, which are made of its columns when they are asked for. */
import { LABELS, type LabelInfo, type Labelling, type LabelName } from '../labels/labels.ts';
import { ABSENT } from '../table/body-encoder.ts';
import { newDictionary } from '../table/dictionary.ts';
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
    label: new Map(
      LABELS.map((label) => [label.name, () => labelColumn(label, columns, table.total, labels)]),
    ),
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
function dictionaryOf(total: number, cells: Iterable<string | undefined>): QueryColumn {
  const dictionary = newDictionary();
  const rows = new Int32Array(total);
  let row = 0;
  for (const json of cells) rows[row++] = json === undefined ? ABSENT : dictionary.numberOf(json);
  return { values: dictionary.values, rows };
}

/** Of the first of its fields that says anything, for each node; undefined where no node has the label. */
function labelColumn(
  { name, fields }: LabelInfo,
  columns: ReadonlyMap<string, QueryColumn>,
  total: number,
  labels: Labelling,
): QueryColumn | undefined {
  const sources = fields.flatMap((field) => {
    const column = columns.get(field);
    return column ? [{ rows: column.rows, texts: labelTexts(name, column, labels) }] : [];
  });
  const cells = Array.from({ length: total }, (_, row) => {
    for (const { rows, texts } of sources) {
      const text = texts[rows[row] ?? ABSENT];
      if (text !== undefined) return text;
    }
    return undefined;
  });
  const column = dictionaryOf(total, cells);
  return column.values.length > 0 ? column : undefined;
}

/** The label of each value of a column, as JSON. */
function labelTexts(name: LabelName, { values }: QueryColumn, labels: Labelling): (string | undefined)[] {
  return values.map((value) => {
    const label = labels.ofField(name, value);
    return label === undefined ? undefined : JSON.stringify(label);
  });
}
