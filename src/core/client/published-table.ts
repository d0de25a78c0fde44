/**
 * The nodes of a service in columns, as its `/nodes/table` says: one document instead of all nodes, and where these are very many,
 * the pages of what tells them apart. What is left out of the table is not known of them.
 */

import { NODE_TABLE_PATH } from '../api/nodes/node-paths.ts';
import { type Labelling, type LabelName, type LabelValue, labelling } from '../labels/labels.ts';
import { LABEL_PREFIX } from '../model/fields/field-name.ts';
import { byCodeUnit, canonicalJson, isJsonObject, itemsIn, type Json, type JsonObject } from '../model/json.ts';
import { lazily } from '../platform/on-demand.ts';
import type { LabelledColumn } from '../table/label-columns.ts';
import { ABSENT, type ClusterRows, type NodeTable, type TableColumn } from '../table/node-table.ts';
import type { Base } from './base-url.ts';
import { linkOf, type PinnedReader } from './pinned-reader.ts';

/** A table, and what its service calls hardware. */
export interface PublishedTable extends NodeTable {
  readonly labels: readonly PublishedLabel[];
}

interface PublishedLabel {
  /** Without `label.` before it. */
  readonly name: string;
  readonly of: readonly LabelledColumn[];
}

interface RowNames {
  readonly uids: readonly string[];
  /** None where the table has the names itself. */
  readonly columns: readonly TableColumn[];
}

/** Undefined where the service has no table, or one that is not understood. */
export async function publishedTable(
  pinned: PinnedReader,
  { place, resolve }: Base,
): Promise<PublishedTable | undefined> {
  const fetched = await pinned.found(place(NODE_TABLE_PATH));
  if (fetched?.body['type'] !== 'table') return undefined;
  const { total, uids, left_out } = fetched.body;
  const columns = itemsIn(fetched.body['columns']).flatMap((column) => columnOf(column) ?? []);
  const clusters = itemsIn(fetched.body['clusters']).flatMap((cluster) => clusterOf(cluster) ?? []);
  const first = linkOf(fetched.body, 'item');
  const names = first === undefined ? { uids: textsIn(uids), columns: [] } : await namesFrom(pinned, resolve, first);
  const count = clusters.reduce((sum, { nodes }) => sum + nodes, 0);
  const all = [...columns, ...names.columns];
  if (names.uids.length !== total || count !== total || all.some(({ rows }) => rows.length !== total)) return undefined;
  return {
    total,
    clusters,
    uids: names.uids,
    leftOut: textsIn(left_out),
    columns: all.sort((a, b) => byCodeUnit(a.name, b.name)),
    labels: itemsIn(fetched.body['labels']).flatMap((label) => labelOf(label) ?? []),
  };
}

/** The uids and names of all pages, from the first on. */
async function namesFrom(pinned: PinnedReader, resolve: Base['resolve'], first: string): Promise<RowNames> {
  const uids: string[] = [];
  const names: Json[] = [];
  for (let href: string | undefined = first; href !== undefined; ) {
    const { body }: { readonly body: JsonObject } = await pinned.linked(resolve(href));
    for (const uid of textsIn(body['uids'])) uids.push(uid);
    for (const name of itemsIn(body['names'])) names.push(name);
    href = linkOf(body, 'next');
  }
  const rows = names.map((name, row) => (name === null ? ABSENT : row));
  return { uids, columns: [{ name: 'node_name', values: names, rows }] };
}

function columnOf(column: Json): TableColumn | undefined {
  if (!isJsonObject(column)) return undefined;
  const { name, values, rows } = column;
  const isWhole = typeof name === 'string' && Array.isArray(values) && isListOfNumbers(rows);
  return isWhole ? { name, values, rows } : undefined;
}

/** Of a list as long as a fleet no copy is made. */
function isListOfNumbers(rows: Json | undefined): rows is readonly number[] {
  return Array.isArray(rows) && rows.every((row) => typeof row === 'number');
}

function labelOf(label: Json): PublishedLabel | undefined {
  if (!isJsonObject(label) || typeof label['name'] !== 'string') return undefined;
  const of = itemsIn(label['of']).flatMap((each): LabelledColumn[] => {
    const { column, values } = isJsonObject(each) ? each : {};
    return typeof column === 'string' ? [{ column, values: itemsIn(values) }] : [];
  });
  return { name: label['name'].replace(`${LABEL_PREFIX}.`, ''), of };
}

function clusterOf(rows: Json): ClusterRows | undefined {
  if (!isJsonObject(rows)) return undefined;
  const { site, cluster, nodes } = rows;
  const isWhole = typeof site === 'string' && typeof cluster === 'string' && typeof nodes === 'number';
  return isWhole ? { site, cluster, nodes } : undefined;
}

function textsIn(list: Json | undefined): string[] {
  return itemsIn(list).filter((text) => typeof text === 'string');
}

/**
 * Labels as a service gives them: by the rules of its own configuration, which whoever asks it need not have. What its
 * table does not know, such as values of the past, is labelled by the rules that ship.
 */
type Label = ReturnType<Labelling['ofField']>;

/** By the labels of a table; by the rules that ship where there is none. */
export function publishedLabelling(table: PublishedTable | undefined): Labelling {
  // Of a question about one label, nothing is known of the others.
  const known = new Map((table?.labels ?? []).map(({ name, of }) => [name, lazily(() => labelsBy(of, table))]));
  return labelling(undefined, (name: LabelName, value: Json) => {
    const labels = known.get(name)?.();
    const key = labels && canonicalJson(value);
    return key !== undefined && labels?.has(key) ? { label: labels.get(key) } : undefined;
  });
}

/** By the canonical texts of the values of columns. */
function labelsBy(of: PublishedLabel['of'], table: PublishedTable | undefined): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>();
  for (const { column, values } of of) {
    const said = table?.columns.find((each) => each.name === column)?.values ?? [];
    for (const [i, value] of said.entries()) labels.set(canonicalJson(value), labelIn(values[i] ?? null));
  }
  return labels;
}

function labelIn(value: Json): Label {
  if (Array.isArray(value)) return value.filter(isLabel);
  return isLabel(value) ? value : undefined;
}

function isLabel(value: Json): value is LabelValue {
  return typeof value === 'string' || typeof value === 'number';
}
