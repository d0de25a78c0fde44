/**
 * What the page is about: the table of nodes and what their fields hold, both of one revision. When another is published
 * while they are read, they are read anew, once: two revisions are never shown as one.
 */

import { NODE_FACETS_PATH, NODE_TABLE_PATH, nodeRowsUrl } from '../../core/api/nodes/node-paths.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';
import { ABSENT, type ClusterRows, type NodeTable, type TableColumn } from '../../core/table/node-table.ts';
import { type DocumentReader, number, ReadError, text } from './reader.ts';

export interface ShownRegistry {
  readonly version: string;
  /** When it was: ISO 8601. */
  readonly date: string;
  /** The newest revision, which documents reflect. */
  readonly newest: string;
  readonly grid: JsonObject;
  readonly table: NodeTable;
  readonly labels: readonly LabelSource[];
  readonly fields: readonly Field[];
}

/** What the values of a column are called in a label, by their numbers. */
export interface LabelSource {
  readonly name: string;
  readonly of: readonly { readonly column: string; readonly values: readonly Json[] }[];
}

export interface Field {
  readonly name: string;
  readonly class: string;
  readonly types: readonly string[];
  readonly unit: string | undefined;
  readonly description: string | undefined;
  readonly since: string | undefined;
  readonly nodes: number;
  readonly distinct: number;
  readonly values: readonly { readonly value: Json; readonly nodes: number }[] | undefined;
  readonly range: readonly [min: number, max: number] | undefined;
}

const PARTS = [resourceUrl(''), NODE_TABLE_PATH, NODE_FACETS_PATH] as const;

/** Ends with a ReadError where the tree has no table, as older trees have not. */
export async function readShownRegistry(reader: DocumentReader, isAnew = false): Promise<ShownRegistry> {
  const [grid, table, facets] = await Promise.all(PARTS.map((path) => reader.read(path, isAnew)));
  if (!grid || !table || !facets)
    throw new ReadError(
      `${reader.urlOf(NODE_TABLE_PATH)} is not there: this tree was built by a release that had no table of nodes, or is not whole. Build it anew.`,
    );
  const version = grid['version'];
  const isOne = table['version'] === version && facets['version'] === version;
  const names = isOne ? await readRowNames(reader, table, isAnew) : undefined;
  if (!names) {
    if (!isAnew) return readShownRegistry(reader, true);
    throw new ReadError(
      'The documents of the tree reflect different revisions: a publication is under way. Load the page again in a moment.',
    );
  }
  return {
    version: text(version),
    newest: text(version),
    date: dateOf(grid),
    grid,
    table: tableOf(table, names),
    labels: itemsIn(table['labels']).filter(isJsonObject).map(labelOf),
    fields: itemsIn(facets['fields']).filter(isJsonObject).map(fieldFrom),
  };
}

/** Epoch seconds, as a string in one dialect and a number in the other. */
function dateOf({ timestamp }: JsonObject): string {
  const date = new Date(1000 * (typeof timestamp === 'string' ? Number(timestamp) : number(timestamp)));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
}

function tableOf(body: JsonObject, names: RowNames): NodeTable {
  const uids = names.uids.map(text);
  return {
    total: uids.length,
    uids,
    clusters: itemsIn(body['clusters']).filter(isJsonObject).map(clusterOf),
    columns: [...itemsIn(body['columns']).filter(isJsonObject).map(columnOf), ...names.columns],
    leftOut: itemsIn(body['left_out']).map(text),
  };
}

function clusterOf({ site, cluster, nodes }: JsonObject): ClusterRows {
  return { site: text(site), cluster: text(cluster), nodes: number(nodes) };
}

function columnOf({ name, values, rows }: JsonObject): TableColumn {
  return { name: text(name), values: itemsIn(values), rows: Int32Array.from(itemsIn(rows).map(number)) };
}

export function labelOf({ name, of }: JsonObject): LabelSource {
  return {
    name: text(name),
    of: itemsIn(of)
      .filter(isJsonObject)
      .map(({ column, values }) => ({ column: text(column), values: itemsIn(values) })),
  };
}

function fieldFrom(body: JsonObject): Field {
  const { values, min, max } = body;
  const optional = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
  return {
    name: text(body['name']),
    class: text(body['class']),
    types: itemsIn(body['types']).map(text),
    unit: optional('unit'),
    description: optional('description'),
    since: optional('since'),
    nodes: number(body['nodes']),
    distinct: number(body['distinct']),
    values: Array.isArray(values)
      ? values.filter(isJsonObject).map(({ value, nodes }) => ({ value: value ?? null, nodes: number(nodes) }))
      : undefined,
    range: typeof min === 'number' && typeof max === 'number' ? [min, max] : undefined,
  };
}

/** What tells the rows of the table apart: their uids and names. The table of very many nodes has them in pages. */
interface RowNames {
  readonly uids: readonly Json[];
  /** None where the table has the names itself. */
  readonly columns: readonly TableColumn[];
}

/** Undefined where pages are missing, or of another revision than the table: something is published meanwhile. */
async function readRowNames(reader: DocumentReader, table: JsonObject, isAnew: boolean): Promise<RowNames | undefined> {
  const { uids, total, version } = table;
  if (Array.isArray(uids)) return { uids, columns: [] };
  const read = (page: number) => reader.read(nodeRowsUrl(page), isAnew);
  const first = await read(1);
  const most = itemsIn(first?.['uids']).length;
  const count = most === 0 ? 0 : Math.ceil(Number(total) / most);
  const pages = [first, ...(await Promise.all(Array.from({ length: count - 1 }, (_, i) => read(i + 2))))];
  if (pages.some((page) => page?.['version'] !== version)) return undefined;
  const all = (field: string) => pages.flatMap((page) => itemsIn(page?.[field]));
  const names = all('names');
  const rows = Int32Array.from(names, (name, row) => (name === null ? ABSENT : row));
  return { uids: all('uids'), columns: [{ name: 'node_name', values: names, rows }] };
}
