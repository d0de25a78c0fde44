/** Decodes `/nodes/table`: the nodes as columns, and their labels. Fields that the table omits are unknown. */

import { LABEL_PREFIX } from '../model/fields/field-name.ts';
import { byCodeUnit, isJsonObject, itemsIn, type Json, type JsonObject, objectsIn } from '../model/json.ts';
import type { LabelledColumn } from '../table/label-columns.ts';
import { ABSENT, type ClusterRows, type NodeTable, type TableColumn } from '../table/node-table.ts';

/** Columns with their distinct values, and the labels that the service computed for these values. */
export interface LabelledColumns {
  readonly columns: readonly Pick<TableColumn, 'name' | 'values'>[];
  readonly labels: readonly PublishedLabel[];
}

/** The table of a published API. */
export interface PublishedTable extends NodeTable, Pick<LabelledColumns, 'labels'> {}

export interface PublishedLabel {
  /** The name of the label without the prefix `label.`. */
  readonly name: string;
  readonly of: readonly LabelledColumn[];
}

/** Returns undefined if the parts of the table are inconsistent. */
export function tableIn(body: JsonObject): PublishedTable | undefined {
  const { total, left_out } = body;
  const uids = textsIn(body['uids']);
  const columns = itemsIn(body['columns']).flatMap(columnOf);
  const clusters = itemsIn(body['clusters']).flatMap(clusterOf);
  const count = clusters.reduce((sum, { nodes }) => sum + nodes, 0);
  if (uids.length !== total || count !== total || columns.some(({ rows }) => rows.length !== total)) return undefined;
  return {
    total,
    clusters,
    uids,
    omittedFields: textsIn(left_out),
    columns: columns.sort((a, b) => byCodeUnit(a.name, b.name)),
    labels: labelsIn(body),
  };
}

/** Adds uids from separate pages to a large table. Adds the node names, too, if the table does not contain them. */
export function withRowNames(table: JsonObject, uids: readonly Json[], names: readonly Json[]): JsonObject {
  if (nameColumn(table)) return { ...table, uids };
  const rows = names.map((name, row) => (name === null ? ABSENT : row));
  return { ...table, uids, columns: [...itemsIn(table['columns']), { name: 'node_name', values: names, rows }] };
}

/** Returns undefined if the table does not contain the names of the nodes. */
export function nameColumn(table: JsonObject): JsonObject | undefined {
  return objectsIn(table['columns']).find(({ name }) => name === 'node_name');
}

function labelsIn({ labels }: JsonObject): PublishedLabel[] {
  return itemsIn(labels).flatMap(labelOf);
}

/** Decodes the columns of `/nodes/history`, which contain the values of all revisions. */
export function labelledColumnsIn(history: JsonObject): LabelledColumns {
  const columns = objectsIn(history['columns']).flatMap(({ name, values }) =>
    typeof name === 'string' ? [{ name, values: itemsIn(values) }] : [],
  );
  return { columns, labels: labelsIn(history) };
}

function columnOf(column: Json): TableColumn[] {
  const { name, values, rows } = isJsonObject(column) ? column : {};
  return typeof name === 'string' && Array.isArray(values) && isListOfNumbers(rows) ? [{ name, values, rows }] : [];
}

function isListOfNumbers(rows: Json | undefined): rows is readonly number[] {
  return Array.isArray(rows) && rows.every((row) => typeof row === 'number');
}

function labelOf(label: Json): PublishedLabel[] {
  const { name, of } = isJsonObject(label) ? label : {};
  return typeof name === 'string'
    ? [{ name: name.replace(`${LABEL_PREFIX}.`, ''), of: itemsIn(of).flatMap(sourceOf) }]
    : [];
}

function sourceOf(source: Json): LabelledColumn[] {
  const { column, values } = isJsonObject(source) ? source : {};
  return typeof column === 'string' ? [{ column, values: itemsIn(values) }] : [];
}

function clusterOf(rows: Json): ClusterRows[] {
  const { site, cluster, nodes } = isJsonObject(rows) ? rows : {};
  const isWhole = typeof site === 'string' && typeof cluster === 'string' && typeof nodes === 'number';
  return isWhole ? [{ site, cluster, nodes }] : [];
}

function textsIn(list: Json | undefined): string[] {
  return itemsIn(list).filter((text) => typeof text === 'string');
}
