/** Finds nodes by the names that they had at a revision, in the published table of nodes over time. */

import { isJsonObject, itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';
import type { PublishedRevisions } from './published-fleet.ts';

const NAME_COLUMN = 'node_name';

export interface NamedNode {
  readonly path: string;
  /** Whether the node had the name at the last revision of a line of first parents. */
  readonly isCalledAt: (line: ReadonlySet<number>) => boolean;
}

/** Returns the nodes that ever had this uid or name. The list is empty if the service has no table over time. */
export function nodesEverCalled(name: string, { nodeHistory: body = {}, graph }: PublishedRevisions): NamedNode[] {
  const columns = itemsIn(body['columns']).filter(isJsonObject);
  const column = columns.findIndex((each) => each['name'] === NAME_COLUMN);
  const value = itemsIn(columns[column]?.['values']).indexOf(name);
  const indexes = itemsIn(body['revisions']).map((each) =>
    isJsonObject(each) ? graph.indexOf.get(String(each['uid'])) : undefined,
  );
  return nodesIn(body).flatMap(({ path, uid, events }) => {
    const steps = events.flatMap(([at, cells]) => {
      const index = indexes[Number(at)];
      return index === undefined ? [] : [{ index, cells }];
    });
    const hadName = steps.some(({ cells }) => valueIn(cells, column) === value);
    if (uid !== name && (value < 0 || !hadName)) return [];
    const isCalledAt = (line: ReadonlySet<number>) => {
      let isCalled = false;
      for (const { index, cells } of steps) {
        if (!line.has(index)) continue;
        const given = valueIn(cells, column);
        if (!Array.isArray(cells)) isCalled = false;
        else if (uid === name) isCalled = true;
        else if (given !== undefined) isCalled = given === value;
      }
      return isCalled;
    };
    return [{ path, isCalledAt }];
  });
}

function valueIn(cells: Json | undefined, column: number): Json | undefined {
  const pairs = itemsIn(cells);
  const at = pairs.findIndex((number, i) => i % 2 === 0 && number === column);
  return at < 0 ? undefined : pairs[at + 1];
}

interface PastNode {
  readonly path: string;
  readonly uid: string;
  /** A revision, and the pairs of column and value that it changed. Null in the place of the pairs is a removal. */
  readonly events: readonly (readonly Json[])[];
}

function nodesIn({ clusters, uids, events }: JsonObject): PastNode[] {
  const [allUids, allEvents] = [itemsIn(uids), itemsIn(events)];
  const nodes: PastNode[] = [];
  for (const { site, cluster, nodes: count } of itemsIn(clusters).filter(isJsonObject)) {
    for (let i = 0; i < Number(count); i++) {
      const row = nodes.length;
      const uid = String(allUids[row]);
      const path = `sites/${String(site)}/clusters/${String(cluster)}/nodes/${uid}`;
      nodes.push({ path, uid, events: itemsIn(allEvents[row]).map(itemsIn) });
    }
  }
  return nodes;
}
