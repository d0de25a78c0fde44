/**
 * The CSV table has columns for fields and list lengths. If list items contain a field, a cell contains the field's
 * values as one JSON array.
 */
import { LABEL_PREFIX, LENGTH_SUFFIX, PLACE_NAMES, pathOfField } from '../model/fields/field-name.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { Facet } from '../table/facets.ts';
import { cellText, csvLine } from './csv.ts';
import type { ExportedNode } from './whole-node.ts';

export interface NodeColumn {
  readonly name: string;
  readonly source: 'place' | 'label' | 'field';
  /** The name of a place (`site` or `cluster`), of a label, or of a top-level field, depending on `source`. */
  readonly top: string;
  readonly rest: readonly string[];
  /** A cell contains the value of the node, the values of all list items, or the number of list items. */
  readonly content: 'value' | 'list' | 'length';
  readonly facet: Facet;
}

/** The first columns, which identify a node. The columns of labels follow, then the fields in code-unit order. */
const FIRST = [...PLACE_NAMES, 'uid', 'node_name', 'node_type'];

/** Returns the columns of all fields with values. `facets` are in code-unit order. */
export function nodeColumns(facets: readonly Facet[]): NodeColumn[] {
  const lists = new Set(facets.flatMap(({ types, path }) => (path && types.includes('array') ? [keyOf(path)] : [])));
  const names = new Set(facets.map(({ name }) => name));
  const columns = facets.flatMap((facet) => columnsOf(facet, lists, names));
  const rank = ({ name, source }: NodeColumn) => {
    const place = FIRST.indexOf(name);
    if (place >= 0) return place;
    return source === 'label' ? FIRST.length : FIRST.length + 1;
  };
  return columns
    .map((column) => ({ column, at: rank(column) }))
    .sort((a, b) => a.at - b.at)
    .map(({ column }) => column);
}

function columnsOf(facet: Facet, lists: ReadonlySet<string>, names: ReadonlySet<string>): NodeColumn[] {
  const { name, types, path } = facet;
  const place = placeOf(facet);
  const isInList = path?.some((_, i) => lists.has(keyOf(path.slice(0, i + 1)))) ?? types.includes('array');
  const own: NodeColumn = { name, ...place, content: isInList ? 'list' : 'value', facet };
  const columns = types.some((type) => type !== 'array' && type !== 'object') ? [own] : [];
  const length: NodeColumn = { ...own, name: name + LENGTH_SUFFIX, content: 'length' };
  // A list inside another list has no length column, because each inner list has its own length.
  const hasLength = path !== undefined && types.includes('array') && !names.has(length.name);
  const isInner = path?.slice(0, -1).some((_, i) => lists.has(keyOf(path.slice(0, i + 1))));
  return hasLength && !isInner ? [...columns, length] : columns;
}

function placeOf({ name, path }: Facet): Pick<NodeColumn, 'source' | 'top' | 'rest'> {
  const [top = '', ...rest] = path ?? pathOfField(name) ?? [];
  if (path) return { source: 'field', top, rest };
  const [label] = rest;
  return top === LABEL_PREFIX && label !== undefined
    ? { source: 'label', top: label, rest: [] }
    : { source: 'place', top, rest };
}

function keyOf(way: readonly string[]): string {
  return JSON.stringify(way);
}

export function headLine(columns: readonly NodeColumn[]): string {
  return csvLine(columns.map(({ name }) => cellText(name)));
}

export function nodeLine(columns: readonly NodeColumn[], node: ExportedNode): string {
  return csvLine(columns.map((column) => cellOf(column, sourceValue(column, node))));
}

/** Returns the place, the label or the top-level field from which a column takes its cell. */
export function sourceValue(
  { source, top }: NodeColumn,
  { site, cluster, body, labels }: ExportedNode,
): Json | undefined {
  if (source === 'place') return top === 'site' ? site : cluster;
  const holder = source === 'label' ? labels : body;
  return Object.hasOwn(holder, top) ? holder[top] : undefined;
}

/** `value` is the result of `sourceValue` for this column. */
export function cellOf({ content, rest }: NodeColumn, value: Json | undefined): string {
  if (value === undefined) return '';
  if (content === 'value') return cellText(scalarOf(valueAtPath(value, rest)));
  if (content === 'length') {
    const list = valueAtPath(value, rest);
    return Array.isArray(list) ? String(list.length) : '';
  }
  const items = itemsAt(value, rest).map((item) => scalarOf(item) ?? null);
  return items.some((item) => item !== null) ? cellText(items) : '';
}

function valueAtPath(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const name of path) found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** Returns undefined for mappings and lists, because their fields have separate columns. */
function scalarOf(value: Json | undefined): Json | undefined {
  return typeof value === 'object' ? undefined : value;
}

/** Returns one value for each item of the lists on the path: null for an item without a value. */
export function itemsAt(value: Json, path: readonly string[]): Json[] {
  const items: Json[] = [];
  gatherItems(value, path, 0, items);
  return items;
}

function gatherItems(value: Json, path: readonly string[], at: number, items: Json[]): void {
  if (Array.isArray(value)) {
    for (const item of value) gatherItems(item, path, at, items);
    return;
  }
  const name = path[at];
  if (name === undefined) items.push(value);
  else if (isJsonObject(value) && Object.hasOwn(value, name)) gatherItems(value[name] ?? null, path, at + 1, items);
  else items.push(null);
}
