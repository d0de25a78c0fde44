import { publishedHistory } from '../../history/history-start.ts';
import { utcTimestamp } from '../../model/revision.ts';
import { type Facet, facetsOf } from '../../table/facets.ts';
import { labelColumns, labelsOfColumns } from '../../table/label-columns.ts';
import { type NodeHistory, type NodePast, nodeHistory } from '../../table/node-history.ts';
import { newClusterRows, type TableColumn, valueInRow } from '../../table/node-table.ts';
import { type Link, toCollection, toItem } from '../dialect.ts';
import type { View } from '../item.ts';
import { ROW_PAGE_SIZE } from '../page-size.ts';
import { documentEnd, idAt, type Publication } from '../publication.ts';
import { facetBody } from './facet-body.ts';
import { NODE_FACETS_PATH, NODE_HISTORY_PATH, NODE_TABLE_PATH, NODES_PATH, nodeRowsUrl } from './node-paths.ts';

/** Renders the table of nodes. Cuts each list to `most` items. Large registries have separate pages for uids. */
export function renderNodeTable(view: View, most = Number.POSITIVE_INFINITY): string {
  const { publication } = view;
  const { table } = publication.nodes();
  const labels = labelColumns(table.columns, publication.labels);
  const isWhole = !hasRowPages(publication);
  const columns = exceedsMaxNodes(publication)
    ? table.columns.filter(({ name }) => name !== NAME_COLUMN)
    : table.columns;
  return nodeDocument(
    view,
    NODE_TABLE_PATH,
    JSON.stringify({
      type: 'table',
      uid: 'table',
      total: table.total,
      clusters: table.clusters.slice(0, most),
      left_out: table.omittedFields.slice(0, most),
      ...(isWhole ? { uids: table.uids.slice(0, most) } : {}),
      columns: columns.slice(0, most).map((column) => columnBody(column, most)),
      labels: labels
        .slice(0, most)
        .map(({ name, of }) => ({
          name,
          of: of.map(({ column, values }) => ({ column, values: values.slice(0, most) })),
        })),
    }),
    [toItem('version-history', NODE_HISTORY_PATH), ...(isWhole ? [] : [toItem('item', nodeRowsUrl(1))])],
  );
}

function columnBody({ name, values, rows }: TableColumn, most: number) {
  return { name, values: values.slice(0, most), rows: Array.from(rows).slice(0, most) };
}

const NAME_COLUMN = 'node_name';

/** Whether there are more nodes than `search.max_nodes`. The API then omits long lists of nodes. */
export function exceedsMaxNodes({ nodes, maxFoundNodes }: Publication): boolean {
  return nodes().table.total > maxFoundNodes;
}

/** Whether separate pages contain the uids and names of nodes. The table then omits the uids. */
function hasRowPages(publication: Publication): boolean {
  return exceedsMaxNodes(publication) || publication.nodes().table.total > ROW_PAGE_SIZE;
}

/** Returns the number of pages with uids and names. */
export function rowPageCount(publication: Publication): number {
  return hasRowPages(publication) ? Math.ceil(publication.nodes().table.total / ROW_PAGE_SIZE) : 0;
}

/** Returns the JSON text of a page of uids and names. The first page is 1. */
export function renderNodeRows(view: View, number: number): string {
  const { table } = view.publication.nodes();
  const offset = (number - 1) * ROW_PAGE_SIZE;
  const last = rowPageCount(view.publication);
  const uids = table.uids.slice(offset, offset + ROW_PAGE_SIZE);
  const names = table.columns.find(({ name }) => name === NAME_COLUMN);
  const page = (rel: string, n: number) => toItem(rel, nodeRowsUrl(n));
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
    toItem('parent', NODE_TABLE_PATH),
  );
}

export function nodeFacets({ nodes, labels }: Publication): readonly Facet[] {
  return facetsOf(nodes(), labelColumns(nodes().table.columns, labels));
}

export function renderNodeFacets(view: View, facets: readonly Facet[], since: NodeHistory['since']): string {
  const { publication } = view;
  const body = {
    type: 'facets',
    uid: 'facets',
    total: publication.nodes().table.total,
    fields: facets.map((facet) => {
      const index = facet.path && since(facet.path);
      return facetBody(facet, index === undefined ? undefined : idAt(publication, index));
    }),
  };
  return nodeDocument(view, NODE_FACETS_PATH, JSON.stringify(body));
}

function nodeDocument(view: View, self: string, body: string, others?: readonly Link[], parent?: Link): string {
  return `${body.slice(0, -1)}${nodeDocumentEnd(view, self, others, parent)}`;
}

function nodeDocumentEnd(
  { publication, index }: View,
  self: string,
  others: readonly Link[] = [],
  parent: Link = toCollection('parent', NODES_PATH),
): string {
  return documentEnd(publication, index, [toItem('self', self), parent, ...others]);
}

const LINKS = [{ rel: 'alternate', href: NODE_TABLE_PATH, form: 'item' }] as const;

/** Returns the published history of nodes. `since` is unknown for fields that nodes had at the history start. */
export function publishedNodeHistory({ history, bound, store, nodes, maxHistoryLength }: Publication): NodeHistory {
  const published = publishedHistory(history, bound);
  // `since` stays in memory longer than `past`, which takes much memory. So `since` uses only `placeOf`.
  const { since: placeOf, ...past } = nodeHistory(published, store, nodes().own, maxHistoryLength);
  const since: NodeHistory['since'] = (path) => {
    const place = placeOf(path);
    return place === undefined || published.isBase(place) ? undefined : published.indexes[place];
  };
  return { ...past, since };
}

/** Yields the JSON text of all past values. Yields only the limit if the text is too long. */
export function renderNodeHistory(view: View, past: NodeHistory): Iterable<string> {
  const { maxHistoryLength } = view.publication;
  const text = past.nodes && historyText(view, past, past.nodes);
  if (text && text.length <= maxHistoryLength) return text.parts();
  const tooLarge = { type: 'history', uid: 'history', too_large: { most: maxHistoryLength } };
  return [nodeDocument(view, NODE_HISTORY_PATH, JSON.stringify(tooLarge), LINKS)];
}

export function sampleHistory(past: NodeHistory): NodeHistory {
  return { ...past, nodes: past.nodes?.slice(0, 2) };
}

/** `length` is the number of characters in all parts. */
function historyText(view: View, past: NodeHistory, nodes: readonly NodePast[]) {
  const start = `${fieldsOf(view, past, nodes).slice(0, -1)},"events":[`;
  const end = `]${nodeDocumentEnd(view, NODE_HISTORY_PATH, LINKS)}`;
  const separators = Math.max(0, nodes.length - 1);
  const events = nodes.reduce((sum, node) => sum + node.events.length, separators);
  function* parts() {
    yield start;
    for (const [i, node] of nodes.entries()) yield i === 0 ? node.events : `,${node.events}`;
    yield end;
  }
  return { length: start.length + events + end.length, parts };
}

function fieldsOf(view: View, { columns, omittedFields }: NodeHistory, nodes: readonly NodePast[]): string {
  const { publication } = view;
  const { history, bound, labels } = publication;
  const { revisions, parents, isBase } = publishedHistory(history, bound);
  return JSON.stringify({
    type: 'history',
    uid: 'history',
    total: nodes.length,
    left_out: omittedFields,
    revisions: revisions.map(({ id, date }, index) => ({
      uid: id,
      timestamp: utcTimestamp(date),
      parent: parents[index]?.[0] ?? null,
      ...(isBase(index) ? { older_left_out: true } : {}),
    })),
    clusters: clustersOf(nodes),
    uids: nodes.map(({ uid }) => uid),
    columns: columns.map(({ name, values }) => ({ name, values })),
    labels: labelsOfColumns(columns, labels),
  });
}

function clustersOf(nodes: readonly NodePast[]) {
  const clusters = newClusterRows();
  for (const node of nodes) clusters.add(node);
  return clusters.all;
}
