/** Lists the nodes of all sites: as pages, search results, groups and names. */
import { KINDS } from '../../model/kinds.ts';
import { itemOf, pathAbove, subjectAt } from '../../model/resource-path.ts';
import type { PlacedNode } from '../../table/node-survey.ts';
import { valueInRow } from '../../table/node-table.ts';
import { collectionText } from '../collection.ts';
import { type Link, toCollection, toItem } from '../dialect.ts';
import { DATA_PACKAGE_PATH } from '../exports/export-urls.ts';
import { renderItem, type View } from '../item.ts';
import { NODE_PAGE_SIZE } from '../page-size.ts';
import { documentEnd } from '../publication.ts';
import { resourceUrl } from '../urls.ts';
import type { NodeGroup, NodeName } from './node-groups.ts';
import {
  NODE_FACETS_PATH,
  NODE_GROUPS_PATH,
  NODE_HISTORY_PATH,
  NODE_SEARCH_PATH,
  NODE_TABLE_PATH,
  NODES_PATH,
  namedNodeUrl,
  nodeGroupUrl,
  nodePageUrl,
} from './node-paths.ts';

export interface NodePage {
  /** The number of the first page is 1. */
  readonly number: number;
  readonly nodes: readonly PlacedNode[];
  readonly total: number;
}

export function renderNodePage(view: View, { number, nodes, total }: NodePage): string {
  const items = itemTexts(view, nodes);
  const last = Math.max(1, Math.ceil(total / NODE_PAGE_SIZE));
  const page = (rel: string, n: number) => toCollection(rel, nodePageUrl(n));
  const list = { items, total, offset: (number - 1) * NODE_PAGE_SIZE };
  const links = [
    page('self', number),
    toItem('parent', resourceUrl('')),
    page('first', 1),
    page('last', last),
    toCollection('search', NODE_SEARCH_PATH),
    toItem('describedby', NODE_FACETS_PATH),
    toItem('alternate', NODE_TABLE_PATH),
    toItem('version-history', NODE_HISTORY_PATH),
    toCollection('collection', NODE_GROUPS_PATH),
    ...(view.publication.hasExports ? [toItem('enclosure', DATA_PACKAGE_PATH)] : []),
    ...(number > 1 ? [page('prev', number - 1)] : []),
    ...(number < last ? [page('next', number + 1)] : []),
  ];
  return [...nodeList(view, list, links)].join('');
}

/** The availability is unknown, because a static API contains no reservations. */
const AVAILABILITY = { availability: 'unknown', availability_until: null } as const;
/** The type is never empty, because web catalogues require a string. */
const UNTYPED = { node_type: 'unknown' } as const;

/** Yields the JSON text in parts. If there are too many nodes, `nodes` contains only the first nodes. */
export function renderNodeSearch(view: View, nodes: readonly PlacedNode[], total: number): Iterable<string> {
  const { columns, omittedFields } = view.publication.nodes().table;
  const types = columns.find(({ name }) => name === 'node_type');
  const isTyped = (row: number) =>
    omittedFields.includes('node_type') || (types && typeof valueInRow(types, row) === 'string');
  const items = itemTexts(view, nodes, ({ site, cluster }, row) => {
    const place = { site_id: site, cluster_id: cluster, ...AVAILABILITY };
    return isTyped(row) ? place : { ...place, ...UNTYPED };
  });
  const links = [toCollection('self', NODE_SEARCH_PATH), toCollection('parent', NODES_PATH)];
  return nodeList(view, { items, total, offset: 0 }, links);
}

/** Yields the JSON text in parts. `nodes` contains all nodes of the group, or the first nodes as a sample. */
export function renderNodeGroup(
  view: View,
  { segments, rows }: NodeGroup,
  nodes: readonly PlacedNode[],
): Iterable<string> {
  const links = [toCollection('self', nodeGroupUrl(...segments)), toCollection('parent', NODE_GROUPS_PATH)];
  return nodeList(view, { items: itemTexts(view, nodes), total: rows.length, offset: 0 }, links);
}

/** `listed` is true if each group links to the list of its nodes. */
export function renderNodeGroups({ publication, index }: View, groups: readonly NodeGroup[], listed: boolean): string {
  const items = groups.map(({ field, value, rows, segments }) => {
    const body = JSON.stringify({ type: 'group', field, value, nodes: rows.length });
    const self = listed ? [toCollection('self', nodeGroupUrl(...segments))] : [];
    const links = [toCollection('parent', NODE_GROUPS_PATH), ...self];
    return `${body.slice(0, -1)}${documentEnd(publication, index, links)}`;
  });
  const links = [toCollection('self', NODE_GROUPS_PATH), toCollection('parent', NODES_PATH)];
  return collectionText(publication, { items, index, links });
}

/** Renders the list of nodes that share a name. A unique name is an alias of its node and has no list. */
export function renderNamesakes(view: View, { name, segment }: NodeName, nodes: readonly PlacedNode[]): string {
  const items = [...itemTexts(view, nodes)];
  const body = JSON.stringify({ type: 'namesakes', uid: segment, node_name: name, total: items.length });
  const links = [toItem('self', namedNodeUrl(segment)), toCollection('parent', NODES_PATH)];
  const end = documentEnd(view.publication, view.index, links);
  return `${body.slice(0, -1)},"items":[${items.join(',')}]${end}`;
}

function subjectOf({ path, uid }: PlacedNode) {
  return itemOf(subjectAt(pathAbove(path), KINDS), uid);
}

/** Each item begins with the fields that `firstOf` returns. */
function* itemTexts(
  view: View,
  nodes: readonly PlacedNode[],
  firstOf: (node: PlacedNode, row: number) => Readonly<Record<string, string | null>> = () => ({}),
): Generator<string> {
  for (const [row, node] of nodes.entries()) yield renderItem(view, subjectOf(node), node.resource, firstOf(node, row));
}

interface NodeList {
  readonly items: Iterable<string>;
  readonly total: number;
  readonly offset: number;
}

function* nodeList(
  { publication, index }: View,
  { items, total, offset }: NodeList,
  links: readonly Link[],
): Generator<string> {
  yield `{"total":${total},"offset":${offset},"items":[`;
  let isFirst = true;
  for (const item of items) {
    yield isFirst ? item : `,${item}`;
    isFirst = false;
  }
  yield `]${documentEnd(publication, index, links)}`;
}
