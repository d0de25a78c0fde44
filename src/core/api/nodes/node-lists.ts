/** The nodes of all sites as lists: in pages, and as the web catalogues of testbeds search them. */
import { KINDS } from '../../model/kinds.ts';
import { itemOf, pathAbove, subjectAt } from '../../model/resource-path.ts';
import type { PlacedNode } from '../../table/node-survey.ts';
import { valueInRow } from '../../table/node-table.ts';
import type { Link } from '../dialect.ts';
import { DATA_PACKAGE_PATH } from '../exports/export-urls.ts';
import { renderItem, type View } from '../item.ts';
import { NODE_PAGE_SIZE } from '../page-size.ts';
import { idAt } from '../publication.ts';
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

/** A page of the nodes of a view, of which there are so many in all. */
export interface NodePage {
  /** From 1. */
  readonly number: number;
  readonly nodes: readonly PlacedNode[];
  readonly total: number;
}

export function renderNodePage(view: View, { number, nodes, total }: NodePage): string {
  const items = itemTexts(view, nodes);
  const last = Math.max(1, Math.ceil(total / NODE_PAGE_SIZE));
  const page = (rel: string, n: number): Link => ({ rel, href: nodePageUrl(n), form: 'collection' });
  return wholeList(view, { items, total, offset: (number - 1) * NODE_PAGE_SIZE }, [
    page('self', number),
    { rel: 'parent', href: resourceUrl(''), form: 'item' },
    page('first', 1),
    page('last', last),
    { rel: 'search', href: NODE_SEARCH_PATH, form: 'collection' },
    { rel: 'describedby', href: NODE_FACETS_PATH, form: 'item' },
    { rel: 'alternate', href: NODE_TABLE_PATH, form: 'item' },
    { rel: 'version-history', href: NODE_HISTORY_PATH, form: 'item' },
    { rel: 'collection', href: NODE_GROUPS_PATH, form: 'collection' },
    ...(view.publication.hasExports ? [{ rel: 'enclosure', href: DATA_PACKAGE_PATH, form: 'item' } as const] : []),
    ...(number > 1 ? [page('prev', number - 1)] : []),
    ...(number < last ? [page('next', number + 1)] : []),
  ]);
}

/** What is known of every node at any time: a static API knows nothing of reservations. */
const AVAILABILITY = { availability: 'unknown', availability_until: null } as const;
/** What catalogues list a node by has to be a text. */
const UNTYPED = { node_type: 'unknown' } as const;

/** The JSON text in parts; `nodes` is all of them, or the first where they are too many. */
export function renderNodeSearch(view: View, nodes: readonly PlacedNode[], total: number): Iterable<string> {
  const { columns, leftOut } = view.publication.nodes().table;
  const types = columns.find(({ name }) => name === 'node_type');
  const isTyped = (row: number) =>
    leftOut.includes('node_type') || (types && typeof valueInRow(types, row) === 'string');
  const items = itemTexts(view, nodes, ({ site, cluster }, row) => {
    const place = { site_id: site, cluster_id: cluster, ...AVAILABILITY };
    return isTyped(row) ? place : { ...place, ...UNTYPED };
  });
  return nodeList(view, { items, total, offset: 0 }, [
    { rel: 'self', href: NODE_SEARCH_PATH, form: 'collection' },
    { rel: 'parent', href: NODES_PATH, form: 'collection' },
  ]);
}

/** The JSON text of the nodes of a group in parts; `nodes` is all of them, or the first where a part is enough. */
export function renderNodeGroup(
  view: View,
  { segments, rows }: NodeGroup,
  nodes: readonly PlacedNode[],
): Iterable<string> {
  const items = itemTexts(view, nodes);
  return nodeList(view, { items, total: rows.length, offset: 0 }, [
    { rel: 'self', href: nodeGroupUrl(...segments), form: 'collection' },
    { rel: 'parent', href: NODE_GROUPS_PATH, form: 'collection' },
  ]);
}

/** The JSON text of the groups; where they are not `listed`, there are only their counts. */
export function renderNodeGroups(view: View, groups: readonly NodeGroup[], listed: boolean): string {
  const { publication, index } = view;
  const version = idAt(publication, index);
  const items = groups.map(({ field, value, rows, segments }) => {
    const body = { type: 'group', field, value, nodes: rows.length, version };
    const parent: Link = { rel: 'parent', href: NODE_GROUPS_PATH, form: 'collection' };
    const self: Link = { rel: 'self', href: nodeGroupUrl(...segments), form: 'collection' };
    const links = publication.dialect.links(listed ? [parent, self] : [parent]);
    return `${JSON.stringify(body).slice(0, -1)},"links":${links}}`;
  });
  return wholeList(view, { items, total: items.length, offset: 0 }, [
    { rel: 'self', href: NODE_GROUPS_PATH, form: 'collection' },
    { rel: 'parent', href: NODES_PATH, form: 'collection' },
  ]);
}

/** The JSON text of several nodes of one name; a single one answers at its name itself. */
export function renderNamesakes(view: View, { name, segment }: NodeName, nodes: readonly PlacedNode[]): string {
  const { publication, index } = view;
  const items = [...itemTexts(view, nodes)];
  const said = { type: 'namesakes', uid: segment, node_name: name, total: items.length };
  const links = publication.dialect.links([
    { rel: 'self', href: namedNodeUrl(segment), form: 'item' },
    { rel: 'parent', href: NODES_PATH, form: 'collection' },
  ]);
  return `${JSON.stringify(said).slice(0, -1)},"items":[${items.join(',')}],"version":"${idAt(publication, index)}","links":${links}}`;
}

function itemAt({ path, uid }: PlacedNode) {
  return itemOf(subjectAt(pathAbove(path), KINDS), uid);
}

/** The items one after the other; `firstOf` gives what stands before the fields of each. */
function* itemTexts(
  view: View,
  nodes: readonly PlacedNode[],
  firstOf: (node: PlacedNode, row: number) => Readonly<Record<string, string | null>> = () => ({}),
): Generator<string> {
  for (const [row, node] of nodes.entries()) yield renderItem(view, itemAt(node), node.resource, firstOf(node, row));
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
  const version = idAt(publication, index);
  yield `],"version":"${version}","links":${publication.dialect.links(links)}}`;
}

function wholeList(view: View, list: NodeList, links: readonly Link[]): string {
  return [...nodeList(view, list, links)].join('');
}
