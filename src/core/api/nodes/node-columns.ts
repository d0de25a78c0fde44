/** The nodes of all sites in columns: their table, and what there is in their fields. */

import { type Facet, facetsOf } from '../../table/facets.ts';
import { labelColumns } from '../../table/label-columns.ts';
import type { NodeHistory } from '../../table/node-history.ts';
import { type TableColumn, valueInRow } from '../../table/node-table.ts';
import type { Link } from '../dialect.ts';
import type { View } from '../item.ts';
import { ROW_PAGE_SIZE } from '../page-size.ts';
import { idAt, type Publication } from '../publication.ts';
import { facetBody } from './facet-body.ts';
import { NODE_FACETS_PATH, NODE_HISTORY_PATH, NODE_TABLE_PATH, NODES_PATH, nodeRowsUrl } from './node-paths.ts';

/**
 * The JSON text of the table. Where it is too long, what tells rows apart stands in pages instead. `most` is up to how much of
 * each list there is, where a part is enough.
 */
export function renderNodeTable(view: View, most = Number.POSITIVE_INFINITY): string {
  const { publication } = view;
  const { table } = publication.nodes();
  const labels = labelColumns(table.columns, publication.labels);
  const isWhole = !hasRowPages(publication);
  const columns = isWhole ? table.columns : table.columns.filter(({ name }) => name !== NAME_COLUMN);
  return nodeDocument(
    view,
    NODE_TABLE_PATH,
    JSON.stringify({
      type: 'table',
      uid: 'table',
      total: table.total,
      clusters: table.clusters.slice(0, most),
      left_out: table.leftOut.slice(0, most),
      ...(isWhole ? { uids: table.uids.slice(0, most) } : {}),
      columns: columns.slice(0, most).map((column) => columnBody(column, most)),
      labels: labels
        .slice(0, most)
        .map(({ name, of }) => ({
          name,
          of: of.map(({ column, values }) => ({ column, values: values.slice(0, most) })),
        })),
    }),
    [
      { rel: 'version-history', href: NODE_HISTORY_PATH, form: 'item' },
      ...(isWhole ? [] : [{ rel: 'item', href: nodeRowsUrl(1), form: 'item' } as const]),
    ],
  );
}

function columnBody({ name, values, rows }: TableColumn, most: number) {
  return { name, values: values.slice(0, most), rows: Array.from(rows).slice(0, most) };
}

const NAME_COLUMN = 'node_name';

/** Whether there are so many nodes that their uids and names would be most of the table. */
export function hasRowPages({ nodes, mostFoundNodes }: Publication): boolean {
  return nodes().table.total > mostFoundNodes;
}

/** The JSON text of a page of the uids and names of rows; the first is 1. */
export function renderNodeRows(view: View, number: number): string {
  const { table } = view.publication.nodes();
  const offset = (number - 1) * ROW_PAGE_SIZE;
  const last = Math.ceil(table.total / ROW_PAGE_SIZE);
  const uids = table.uids.slice(offset, offset + ROW_PAGE_SIZE);
  const names = table.columns.find(({ name }) => name === NAME_COLUMN);
  const page = (rel: string, n: number) => ({ rel, href: nodeRowsUrl(n), form: 'item' as const });
  const links = [
    ...[page('first', 1), page('last', last)],
    ...(number > 1 ? [page('prev', number - 1)] : []),
    ...(number < last ? [page('next', number + 1)] : []),
  ];
  return nodeDocument(
    view,
    nodeRowsUrl(number),
    JSON.stringify({
      type: 'rows',
      uid: String(number),
      total: table.total,
      offset,
      uids,
      names: uids.map((_, i) => (names && valueInRow(names, offset + i)) ?? null),
    }),
    links,
    { href: NODE_TABLE_PATH, form: 'item' },
  );
}

/** What there is in the fields of all nodes. */
export function nodeFacets({ nodes, labels }: Publication): readonly Facet[] {
  return facetsOf(nodes(), labelColumns(nodes().table.columns, labels));
}

/** The JSON text of the data dictionary. `since` says at which revision nodes first had a field. */
export function renderNodeFacets(view: View, facets: readonly Facet[], since: NodeHistory['since']): string {
  const { publication } = view;
  const body = {
    type: 'facets',
    uid: 'facets',
    total: publication.nodes().table.total,
    fields: facets.map((facet) => {
      const index = facet.way && since(facet.way);
      return facetBody(facet, index === undefined ? undefined : idAt(publication, index));
    }),
  };
  return nodeDocument(view, NODE_FACETS_PATH, JSON.stringify(body));
}

/** The JSON text of a body, of which `body` is that of its own fields, with its version and its links: `self`, `parent`, and others. */
export function nodeDocument(
  view: View,
  self: string,
  body: string,
  others?: readonly Link[],
  parent?: Omit<Link, 'rel'>,
): string {
  return `${body.slice(0, -1)}${nodeDocumentEnd(view, self, others, parent)}`;
}

/** What comes behind its own fields. */
export function nodeDocumentEnd(
  { publication, index }: View,
  self: string,
  others: readonly Link[] = [],
  parent: Omit<Link, 'rel'> = { href: NODES_PATH, form: 'collection' },
): string {
  const links = publication.dialect.links([
    { rel: 'self', href: self, form: 'item' },
    { rel: 'parent', ...parent },
    ...others,
  ]);
  return `,"version":"${idAt(publication, index)}","links":${links}}`;
}
