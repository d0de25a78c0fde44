/**
 * The table of nodes over time: which values of which columns each node had after each revision, so that a reader can show any past
 * state of the fleet without a request for each node.
 */
import { toldHistory } from '../../history/told-history.ts';
import { utcTimestamp } from '../../model/revision.ts';
import { labelsOfColumns } from '../../table/label-columns.ts';
import { type NodeHistory, type NodePast, nodeHistory } from '../../table/node-history.ts';
import { newClusterRows } from '../../table/node-table.ts';
import type { View } from '../item.ts';
import type { Publication } from '../publication.ts';
import { nodeDocument, nodeDocumentEnd } from './node-columns.ts';
import { NODE_HISTORY_PATH, NODE_TABLE_PATH } from './node-paths.ts';

const LINKS = [{ rel: 'alternate', href: NODE_TABLE_PATH, form: 'item' }] as const;

/** What there is to tell. What nodes had at the bound of the history, they have since nobody says when. */
export function nodePast({ history, bound, store, nodes, mostHistory }: Publication): NodeHistory {
  const told = toldHistory(history, bound);
  // What says since when is kept longer than the rest, and must not hold it.
  const { since: placeOf, ...past } = nodeHistory(told, store, nodes().own, mostHistory);
  const since: NodeHistory['since'] = (way) => {
    const place = placeOf(way);
    return place === undefined || told.isBase(place) ? undefined : told.indexes[place];
  };
  return { ...past, since };
}

/** The JSON text of the history in parts; where it is too long, one that says so. */
export function renderNodeHistory(view: View, past: NodeHistory): Iterable<string> {
  const { mostHistory } = view.publication;
  const told = past.nodes && tellPasts(view, past, past.nodes);
  if (told && told.length <= mostHistory) return told.parts();
  const said = { type: 'history', uid: 'history', too_large: { most: mostHistory } };
  return [nodeDocument(view, NODE_HISTORY_PATH, JSON.stringify(said), LINKS)];
}

/** The same history of two nodes. */
export function sampleOfPast(past: NodeHistory): NodeHistory {
  return { ...past, nodes: past.nodes?.slice(0, 2) };
}

interface ToldPasts {
  /** Of all parts together. */
  readonly length: number;
  readonly parts: () => Iterable<string>;
}

function tellPasts(view: View, past: NodeHistory, nodes: readonly NodePast[]): ToldPasts {
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

/** The JSON text of all that it says but the events. */
function fieldsOf(view: View, { columns, leftOut }: NodeHistory, nodes: readonly NodePast[]): string {
  const { publication } = view;
  const { history, bound, labels } = publication;
  const { revisions, parents, isBase } = toldHistory(history, bound);
  return JSON.stringify({
    type: 'history',
    uid: 'history',
    total: nodes.length,
    left_out: leftOut,
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
