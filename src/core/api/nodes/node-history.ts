/**
 * The table of nodes over time: which values of which columns each node had after each revision, so that a reader can show any past
 * state of the fleet without a request for each node.
 */
import { utcTimestamp } from '../../model/revision.ts';
import { labelsOfColumns } from '../../table/label-columns.ts';
import { type NodeHistory, type NodePast, nodeHistory } from '../../table/node-history.ts';
import { newClusterRows } from '../../table/node-table.ts';
import type { View } from '../item.ts';
import { type Publication, revisionAt } from '../publication.ts';
import { nodeDocument } from './node-document.ts';
import { NODE_HISTORY_PATH, NODE_TABLE_PATH } from './node-paths.ts';

const LINKS = [{ rel: 'alternate', href: NODE_TABLE_PATH, form: 'item' }] as const;

/** What there is to tell. */
export function nodePast({ history, store, nodes, mostHistory }: Publication): NodeHistory {
  return nodeHistory(history, store, nodes().own, mostHistory);
}

/** The JSON text of the history; where it is too long, one that says so. */
export function renderNodeHistory(view: View, past: NodeHistory): string {
  const { mostHistory } = view.publication;
  const text = past.nodes && textOf(view, past, past.nodes);
  if (text !== undefined && text.length <= mostHistory) return text;
  const said = { type: 'history', uid: 'history', too_large: { most: mostHistory } };
  return nodeDocument(view, NODE_HISTORY_PATH, JSON.stringify(said), LINKS);
}

/** The same of two nodes. */
export function sampleNodeHistory(view: View, past: NodeHistory): string {
  return renderNodeHistory(view, { ...past, nodes: past.nodes?.slice(0, 2) });
}

function textOf(view: View, { columns, leftOut }: NodeHistory, nodes: readonly NodePast[]): string {
  const { publication } = view;
  const { history, labels } = publication;
  const body = JSON.stringify({
    ...{ type: 'history', uid: 'history', total: nodes.length },
    left_out: leftOut,
    revisions: history.revisions.map((_, index) => {
      const { id, date } = revisionAt(publication, index);
      return { uid: id, timestamp: utcTimestamp(date), parent: history.parents[index]?.[0] ?? null };
    }),
    clusters: clustersOf(nodes),
    uids: nodes.map(({ uid }) => uid),
    columns: columns.map(({ name, values }) => ({ name, values })),
    labels: labelsOfColumns(columns, labels),
  });
  const events = nodes.map((node) => node.events).join(',');
  return nodeDocument(view, NODE_HISTORY_PATH, `${body.slice(0, -1)},"events":[${events}]}`, LINKS);
}

function clustersOf(nodes: readonly NodePast[]) {
  const clusters = newClusterRows();
  for (const node of nodes) clusters.add(node);
  return clusters.all;
}
