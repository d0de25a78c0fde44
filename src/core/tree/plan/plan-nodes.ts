/** The part of the plan that shows the nodes of all sites together. */
import {
  NODE_FACETS_PATH,
  NODE_SEARCH_PATH,
  NODE_TABLE_PATH,
  NODES_PATH,
  nodePageUrl,
} from '../../api/endpoints.ts';
import type { View } from '../../api/item.ts';
import { renderNodeFacets, renderNodeTable } from '../../api/node-columns.ts';
import { renderNodePage, renderNodeSearch } from '../../api/node-lists.ts';
import { NODE_PAGE_SIZE } from '../../api/page-size.ts';
import { nodesIn, type PlacedNode } from '../../table/nodes-in.ts';
import type { PlannedAlias, PlannedDocument } from './planned.ts';

export function* nodeDocuments(view: View, modified: number): Generator<PlannedDocument> {
  const common = { cache: 'mutable', modified } as const;
  const total = [...nodesIn(view.state)].length;
  let number = 0;
  for (const nodes of pagesOf(nodesIn(view.state))) {
    const page = { number: ++number, nodes, total };
    yield {
      ...{ ...common, url: nodePageUrl(page.number), form: 'collection' },
      body: () => renderNodePage(view, page),
    };
  }
  const found = total > view.publication.mostFoundNodes ? NODE_PAGE_SIZE : total;
  yield {
    ...{ ...common, url: NODE_SEARCH_PATH, form: 'collection' },
    body: () => renderNodeSearch(view, [...nodesIn(view.state)].slice(0, found), total),
  };
  yield { ...common, url: NODE_TABLE_PATH, form: 'item', body: () => renderNodeTable(view) };
  yield { ...common, url: NODE_FACETS_PATH, form: 'item', body: () => renderNodeFacets(view) };
}

/** The nodes themselves: their first page. */
export function* nodeAliases(): Generator<PlannedAlias> {
  yield { url: NODES_PATH, target: nodePageUrl(1), cache: 'mutable' };
}

/** One page at least, if an empty one. */
function* pagesOf(nodes: Iterable<PlacedNode>): Generator<PlacedNode[]> {
  let page: PlacedNode[] = [];
  let isFirst = true;
  for (const node of nodes) {
    page.push(node);
    if (page.length < NODE_PAGE_SIZE) continue;
    yield page;
    isFirst = false;
    page = [];
  }
  if (page.length > 0 || isFirst) yield page;
}
