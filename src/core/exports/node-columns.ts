/**
 * The columns that nodes have in CSV: one for each field that holds values, named as in queries, and one for the length of
 * each list. A cell has what a node has in the field; where the way to it leads through a list, a JSON array with a place
 * for each item, so that the cells of several columns belong together by position.
 */
import { LABEL_PREFIX, LENGTH_ENDING, PLACE_NAMES, wayOfField } from '../model/fields/field-name.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { Facet } from '../table/facets.ts';
import { cellText, csvLine } from './csv.ts';
import type { WholeNode } from './whole-node.ts';

/** Where the value stands of which a column's cells are made: beside the body, or at its top. */
type ColumnSource = 'place' | 'label' | 'field';

export interface NodeColumn {
  readonly name: string;
  readonly source: ColumnSource;
  /** The name of that value: of a place, of a label, or of a field at the top of bodies. */
  readonly top: string;
  readonly rest: readonly string[];
  /** `value` is what the node has there, `list` what its items have, `length` how many items there are. */
  readonly content: 'value' | 'list' | 'length';
  readonly facet: Facet;
}

/** What tells which node it is stands first, then labels, then the fields in code-unit order. */
const FIRST = [...PLACE_NAMES, 'uid', 'node_name', 'node_type'];

/** The columns of all fields that hold values; the facets come in code-unit order. */
export function nodeColumns(facets: readonly Facet[]): NodeColumn[] {
  const lists = new Set(facets.flatMap(({ types, way }) => (way && types.includes('array') ? [keyOf(way)] : [])));
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
  const { name, types, way } = facet;
  const place = placeOf(facet);
  const isInList = way?.some((_, i) => lists.has(keyOf(way.slice(0, i + 1)))) ?? types.includes('array');
  const own: NodeColumn = { name, ...place, content: isInList ? 'list' : 'value', facet };
  const columns = types.some((type) => type !== 'array' && type !== 'object') ? [own] : [];
  const length: NodeColumn = { ...own, name: name + LENGTH_ENDING, content: 'length' };
  // A list within a list has as many lengths as that has items.
  const hasLength = way !== undefined && types.includes('array') && !names.has(length.name);
  const isInner = way?.slice(0, -1).some((_, i) => lists.has(keyOf(way.slice(0, i + 1))));
  return hasLength && !isInner ? [...columns, length] : columns;
}

function placeOf({ name, way }: Facet): Pick<NodeColumn, 'source' | 'top' | 'rest'> {
  const [top = '', ...rest] = way ?? wayOfField(name) ?? [];
  if (way) return { source: 'field', top, rest };
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

export function nodeLine(columns: readonly NodeColumn[], node: WholeNode): string {
  return csvLine(columns.map((column) => cellOf(column, sourceOf(column, node))));
}

/** What a node has where a column's source is. */
export function sourceOf({ source, top }: NodeColumn, { site, cluster, body, labels }: WholeNode): Json | undefined {
  if (source === 'place') return top === 'site' ? site : cluster;
  const holder = source === 'label' ? labels : body;
  return Object.hasOwn(holder, top) ? holder[top] : undefined;
}

/** The cell of a node that has a value where the column's source is. */
export function cellOf({ content, rest }: NodeColumn, value: Json | undefined): string {
  if (value === undefined) return '';
  if (content === 'value') return cellText(scalarOf(valueAlong(value, rest)));
  if (content === 'length') {
    const list = valueAlong(value, rest);
    return Array.isArray(list) ? String(list.length) : '';
  }
  const items: Json[] = [];
  gatherItems(value, rest, 0, items);
  return items.some((item) => item !== null) ? cellText(items) : '';
}

function valueAlong(value: Json, way: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const name of way) found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** What holds fields has columns of its own for these. */
function scalarOf(value: Json | undefined): Json | undefined {
  return typeof value === 'object' ? undefined : value;
}

/** Adds a value for each item on the way; null where an item has none. */
function gatherItems(value: Json, way: readonly string[], at: number, items: Json[]): void {
  if (Array.isArray(value)) {
    for (const item of value) gatherItems(item, way, at, items);
    return;
  }
  const name = way[at];
  if (name === undefined) items.push(scalarOf(value) ?? null);
  else if (isJsonObject(value) && Object.hasOwn(value, name)) gatherItems(value[name] ?? null, way, at + 1, items);
  else items.push(null);
}
