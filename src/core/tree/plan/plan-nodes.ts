import { hasOfflineCopies } from '../../api/explorer/offline-copies.ts';
import type { View } from '../../api/item.ts';
import {
  exceedsMaxNodes,
  nodeFacets,
  publishedNodeHistory,
  renderNodeFacets,
  renderNodeHistory,
  renderNodeRows,
  renderNodeTable,
  rowPageCount,
  sampleHistory,
} from '../../api/nodes/node-columns.ts';
import { nodeGroups, nodeNames } from '../../api/nodes/node-groups.ts';
import {
  renderNamesakes,
  renderNodeGroup,
  renderNodeGroups,
  renderNodePage,
  renderNodeSearch,
} from '../../api/nodes/node-lists.ts';
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
  nodeRowsUrl,
} from '../../api/nodes/node-paths.ts';
import { NODE_PAGE_SIZE } from '../../api/page-size.ts';
import { resourceUrl } from '../../api/urls.ts';
import { itemAt } from '../../platform/lookups.ts';
import { type Lazy, lazily } from '../../platform/on-demand.ts';
import type { Facet } from '../../table/facets.ts';
import type { NodeHistory } from '../../table/node-history.ts';
import { nodesIn, type PlacedNode } from '../../table/node-survey.ts';
import { documentsAt, inParts, type PlannedAlias, type PlannedDocument, SAMPLE_SIZE } from './planned.ts';

export interface NodePlan {
  readonly facets: Lazy<readonly Facet[]>;
  readonly documents: () => Generator<PlannedDocument>;
  readonly aliases: () => Generator<PlannedAlias>;
}

/** Plans the documents about all nodes. Caches slow results, except the list of nodes, which needs too much memory. */
export function nodePlan(view: View, modified: number): NodePlan {
  const names = lazily(() => nodeNames(view.publication));
  const groups = lazily(() => nodeGroups(view.publication, view.publication.groupingFields));
  let knownPast: NodeHistory | undefined;
  let knownSample: NodeHistory | undefined;
  const past = () => {
    knownPast ??= publishedNodeHistory(view.publication);
    knownSample ??= sampleHistory(knownPast);
    return knownPast;
  };
  /** Returns a sample of the history. The sample is cached separately, so that the whole history can be released. */
  const pastSample = () => knownSample ?? sampleHistory(past());
  const facets = lazily(() => nodeFacets(view.publication));
  const document = documentsAt(modified);
  type Parts = () => Iterable<string>;
  const long = (url: string, form: 'item' | 'collection', parts: Parts, sample: Parts): PlannedDocument => {
    const { body } = inParts(parts);
    return { ...document(url, form, body), parts, sample: inParts(sample).body };
  };

  function* lists(all: readonly PlacedNode[]): Generator<PlannedDocument> {
    const { length: total } = all;
    for (const page of pagesOf(all)) {
      const render = (nodes: readonly PlacedNode[]) => renderNodePage(view, { ...page, nodes, total });
      yield {
        ...document(nodePageUrl(page.number), 'collection', () => render(page.nodes)),
        sample: () => render(page.nodes.slice(0, SAMPLE_SIZE)),
      };
    }
    const found = total > view.publication.maxFoundNodes ? NODE_PAGE_SIZE : total;
    yield long(
      NODE_SEARCH_PATH,
      'collection',
      () => renderNodeSearch(view, all.slice(0, found), total),
      () => renderNodeSearch(view, all.slice(0, SAMPLE_SIZE), total),
    );
  }
  function* columns(): Generator<PlannedDocument> {
    yield {
      ...document(NODE_TABLE_PATH, 'item', () => renderNodeTable(view)),
      sample: () => renderNodeTable(view, SAMPLE_SIZE),
    };
    for (let page = 1; page <= rowPageCount(view.publication); page++)
      yield document(nodeRowsUrl(page), 'item', () => renderNodeRows(view, page));
    yield document(NODE_FACETS_PATH, 'item', () => renderNodeFacets(view, facets(), pastSample().since));
    yield long(
      NODE_HISTORY_PATH,
      'item',
      () => renderNodeHistory(view, past()),
      () => renderNodeHistory(view, pastSample()),
    );
  }
  const named = () => (view.publication.hasNames ? names() : []);
  function* grouped(all: readonly PlacedNode[]): Generator<PlannedDocument> {
    const isListed = !exceedsMaxNodes(view.publication);
    yield document(NODE_GROUPS_PATH, 'collection', () => renderNodeGroups(view, groups(), isListed));
    for (const group of isListed ? groups() : [])
      yield long(
        nodeGroupUrl(...group.segments),
        'collection',
        () => renderNodeGroup(view, group, nodesAt(all, group.rows)),
        () => renderNodeGroup(view, group, nodesAt(all, group.rows.slice(0, SAMPLE_SIZE))),
      );
    for (const name of named())
      if (name.rows.length > 1)
        yield document(namedNodeUrl(name.segment), 'item', () => renderNamesakes(view, name, nodesAt(all, name.rows)));
  }
  return {
    facets,
    *documents() {
      const all = [...nodesIn(view.state)];
      yield* lists(all);
      yield* columns();
      // Releases the past of the nodes if offline copies do not need the past again.
      if (!hasOfflineCopies(view)) knownPast = undefined;
      yield* grouped(all);
    },
    /** `/nodes` is an alias of the first page. A unique node name is an alias of the node. */
    *aliases() {
      yield { url: NODES_PATH, target: nodePageUrl(1), cache: 'mutable' };
      const all = [...nodesIn(view.state)];
      for (const { segment, rows } of named()) {
        const [node, ...others] = nodesAt(all, rows);
        if (node && others.length === 0)
          yield { url: namedNodeUrl(segment), target: resourceUrl(node.path), cache: 'mutable' };
      }
    },
  };
}

function nodesAt(all: readonly PlacedNode[], rows: readonly number[]): PlacedNode[] {
  return rows.map((row) => itemAt(all, row));
}

function pagesOf(nodes: readonly PlacedNode[]) {
  const count = Math.max(1, Math.ceil(nodes.length / NODE_PAGE_SIZE));
  return Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    nodes: nodes.slice(i * NODE_PAGE_SIZE, (i + 1) * NODE_PAGE_SIZE),
  }));
}
