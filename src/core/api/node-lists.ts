/** The nodes of all sites as lists: in pages, and as the web catalogues of testbeds search them. */
import { itemOf, pathAbove, subjectAt } from '../model/resource-path.ts';
import type { PlacedNode } from '../table/nodes-in.ts';
import type { Link } from './dialect.ts';
import {
  NODE_FACETS_PATH,
  NODE_SEARCH_PATH,
  NODE_TABLE_PATH,
  NODES_PATH,
  nodePageUrl,
  resourceUrl,
} from './endpoints.ts';
import { renderItem, type View } from './item.ts';
import { NODE_PAGE_SIZE } from './page-size.ts';
import { idAt } from './publication.ts';

/** A page of the nodes of a view, of which there are so many in all. */
export interface NodePage {
  /** From 1. */
  readonly number: number;
  readonly nodes: readonly PlacedNode[];
  readonly total: number;
}

export function renderNodePage(view: View, { number, nodes, total }: NodePage): string {
  const items = nodes.map((node) => renderItem(view, itemAt(node), node.resource));
  const last = Math.max(1, Math.ceil(total / NODE_PAGE_SIZE));
  const page = (rel: string, n: number): Link => ({ rel, href: nodePageUrl(n), form: 'collection' });
  return nodeList(view, { items, total, offset: (number - 1) * NODE_PAGE_SIZE }, [
    page('self', number),
    { rel: 'parent', href: resourceUrl(''), form: 'item' },
    page('first', 1),
    page('last', last),
    { rel: 'search', href: NODE_SEARCH_PATH, form: 'collection' },
    { rel: 'describedby', href: NODE_FACETS_PATH, form: 'item' },
    { rel: 'alternate', href: NODE_TABLE_PATH, form: 'item' },
    ...(number > 1 ? [page('prev', number - 1)] : []),
    ...(number < last ? [page('next', number + 1)] : []),
  ]);
}

/** What is known of every node at any time: a static API knows nothing of reservations. */
const AVAILABILITY = { availability: 'unknown', availability_until: null } as const;

/** `nodes` is all of them, or the first where they are too many. */
export function renderNodeSearch(view: View, nodes: readonly PlacedNode[], total: number): string {
  const items = nodes.map((node) => {
    const place = { site_id: node.site, cluster_id: node.cluster, ...AVAILABILITY };
    return renderItem(view, itemAt(node), node.resource, place);
  });
  return nodeList(view, { items, total, offset: 0 }, [
    { rel: 'self', href: NODE_SEARCH_PATH, form: 'collection' },
    { rel: 'parent', href: NODES_PATH, form: 'collection' },
  ]);
}

function itemAt({ path, uid }: PlacedNode) {
  return itemOf(subjectAt(pathAbove(path)), uid);
}

interface NodeList {
  readonly items: readonly string[];
  readonly total: number;
  readonly offset: number;
}

function nodeList({ publication, index }: View, { items, total, offset }: NodeList, links: readonly Link[]) {
  const version = idAt(publication, index);
  return `{"total":${total},"offset":${offset},"items":[${items.join(',')}],"version":"${version}","links":${publication.dialect.links(links)}}`;
}
