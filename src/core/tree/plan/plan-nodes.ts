/** The part of the plan that shows the nodes of all sites together. */

import { hasOfflineCopies } from '../../api/explorer/offline-copies.ts';
import type { View } from '../../api/item.ts';
import {
  hasRowPages,
  nodeFacets,
  renderNodeFacets,
  renderNodeRows,
  renderNodeTable,
} from '../../api/nodes/node-columns.ts';
import { nodeGroups, nodeNames } from '../../api/nodes/node-groups.ts';
import { nodePast, renderNodeHistory, sampleOfPast } from '../../api/nodes/node-history.ts';
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
import { NODE_PAGE_SIZE, ROW_PAGE_SIZE } from '../../api/page-size.ts';
import { resourceUrl } from '../../api/urls.ts';
import { itemAt } from '../../platform/certain.ts';
import { type Lazy, lazily } from '../../platform/on-demand.ts';
import type { Facet } from '../../table/facets.ts';
import type { NodeHistory } from '../../table/node-history.ts';
import { nodesIn, type PlacedNode } from '../../table/node-survey.ts';
import { inParts, type PlannedAlias, type PlannedDocument, SAMPLE_SIZE } from './planned.ts';

export interface NodePlan {
  readonly facets: Lazy<readonly Facet[]>;
  readonly documents: () => Generator<PlannedDocument>;
  readonly aliases: () => Generator<PlannedAlias>;
}

/**
 * What shows the nodes of a view. What takes long to know of them is found out once, when it is first asked for; the nodes
 * themselves are listed anew, since all of them together take memory.
 */
export function nodePlan(view: View, modified: number): NodePlan {
  const names = lazily(() => nodeNames(view.publication));
  const groups = lazily(() => nodeGroups(view.publication, view.publication.groupedBy));
  let knownPast: NodeHistory | undefined;
  let knownSample: NodeHistory | undefined;
  const past = () => {
    knownPast ??= nodePast(view.publication);
    knownSample ??= sampleOfPast(knownPast);
    return knownPast;
  };
  /** It stays when the whole is done with. */
  const pastSample = () => knownSample ?? sampleOfPast(past());
  const facets = lazily(() => nodeFacets(view.publication));
  const document = (
    form: PlannedDocument['form'],
    url: string,
    body: PlannedDocument['body'],
    sample = body,
  ): PlannedDocument => ({ url, form, cache: 'mutable', modified, body, sample });
  const long = (
    form: 'item' | 'collection',
    url: string,
    parts: () => Iterable<string>,
    sample = parts,
  ): PlannedDocument => ({ url, form, cache: 'mutable', modified, sample: inParts(sample).body, ...inParts(parts) });

  function* lists(all: readonly PlacedNode[]): Generator<PlannedDocument> {
    const { length: total } = all;
    for (const page of pagesOf(all))
      yield document(
        'collection',
        nodePageUrl(page.number),
        () => renderNodePage(view, { ...page, total }),
        () => renderNodePage(view, { ...page, nodes: page.nodes.slice(0, SAMPLE_SIZE), total }),
      );
    const found = total > view.publication.mostFoundNodes ? NODE_PAGE_SIZE : total;
    yield long(
      'collection',
      NODE_SEARCH_PATH,
      () => renderNodeSearch(view, all.slice(0, found), total),
      () => renderNodeSearch(view, all.slice(0, SAMPLE_SIZE), total),
    );
  }
  function* columns({ length: total }: readonly PlacedNode[]): Generator<PlannedDocument> {
    yield document(
      'item',
      NODE_TABLE_PATH,
      () => renderNodeTable(view),
      () => renderNodeTable(view, SAMPLE_SIZE),
    );
    const pages = hasRowPages(view.publication) ? Math.ceil(total / ROW_PAGE_SIZE) : 0;
    for (let page = 1; page <= pages; page++)
      yield document('item', nodeRowsUrl(page), () => renderNodeRows(view, page));
    yield document('item', NODE_FACETS_PATH, () => renderNodeFacets(view, facets(), pastSample().since));
    yield long(
      'item',
      NODE_HISTORY_PATH,
      () => renderNodeHistory(view, past()),
      () => renderNodeHistory(view, pastSample()),
    );
  }
  const named = () => (view.publication.hasNames ? names() : []);
  function* grouped(all: readonly PlacedNode[]): Generator<PlannedDocument> {
    const isListed = !hasRowPages(view.publication);
    yield document('collection', NODE_GROUPS_PATH, () => renderNodeGroups(view, groups(), isListed));
    for (const group of isListed ? groups() : [])
      yield long(
        'collection',
        nodeGroupUrl(...group.segments),
        () => renderNodeGroup(view, group, nodesAt(all, group.rows)),
        () => renderNodeGroup(view, group, nodesAt(all, group.rows.slice(0, SAMPLE_SIZE))),
      );
    for (const name of named())
      if (name.rows.length > 1)
        yield document('item', namedNodeUrl(name.segment), () => renderNamesakes(view, name, nodesAt(all, name.rows)));
  }
  return {
    facets,
    *documents() {
      const all = [...nodesIn(view.state)];
      yield* lists(all);
      yield* columns(all);
      // Only what the explorer has beside its page asks for it again.
      if (!hasOfflineCopies(view)) knownPast = undefined;
      yield* grouped(all);
    },
    /** The nodes themselves are their first page, and a node is what its name stands for. */
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
