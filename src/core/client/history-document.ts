/** Decodes the events of `/nodes/history`, the table of nodes over time. */

import { itemsIn, type Json, type JsonObject, objectsIn, textOf } from '../model/json.ts';
import { ABSENT } from '../table/node-table.ts';

export interface NodeEvents {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  readonly events: readonly NodeEvent[];
}

export interface NodeEvent {
  /** The index of the revision in the document's list of revisions. */
  readonly revision: number;
  /** The changed values, as pairs of a column index and a value index. Null if the revision removed the node. */
  readonly cells: readonly number[] | null;
}

/** Returns the events of all nodes that ever existed. */
export function nodeEventsIn({ clusters, uids, events }: JsonObject): NodeEvents[] {
  const [allUids, allEvents] = [itemsIn(uids), itemsIn(events)];
  const nodes: NodeEvents[] = [];
  for (const { site, cluster, nodes: count } of objectsIn(clusters)) {
    for (let i = number(count); i > 0; i--) {
      const row = nodes.length;
      const own = itemsIn(allEvents[row]).map(eventFrom);
      nodes.push({ site: textOf(site), cluster: textOf(cluster), uid: textOf(allUids[row]), events: own });
    }
  }
  return nodes;
}

function eventFrom(event: Json): NodeEvent {
  const [revision, cells] = itemsIn(event);
  return { revision: number(revision), cells: Array.isArray(cells) ? cells.map(number) : null };
}

/** Applies an event to a node's row of value indexes. An undefined row means that the node does not exist. */
export function rowAfter(row: number[] | undefined, cells: NodeEvent['cells']): number[] | undefined {
  if (!cells) return undefined;
  const next = row ?? [];
  for (let i = 0; i < cells.length; i += 2) next[cells[i] ?? 0] = cells[i + 1] ?? ABSENT;
  return next;
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
