/** Finds nodes by former names or revisions, in the published table of nodes over time. */

import { nodeEventsIn, rowAfter } from '../../core/client/history-document.ts';
import { isJsonObject, itemsIn, objectsIn } from '../../core/model/json.ts';
import { nodePath } from '../../core/model/node-path.ts';
import type { PublishedRevisions } from './published-fleet.ts';

const NAME_COLUMN = 'node_name';

export interface NamedNode {
  readonly path: string;
  /** Indexes of the revisions that change the node. */
  readonly changedAt: readonly number[];
  /** `line` contains indexes of revisions. Returns whether the node has the name at the newest of these revisions. */
  readonly isCalledAt: (line: ReadonlySet<number>) => boolean;
}

/** Returns the nodes that ever had this uid or name. Returns an empty list if the service publishes no node history. */
export function nodesEverCalled(name: string, { nodeHistory: body = {}, graph }: PublishedRevisions): NamedNode[] {
  const columns = objectsIn(body['columns']);
  const column = columns.findIndex((each) => each['name'] === NAME_COLUMN);
  const value = itemsIn(columns[column]?.['values']).indexOf(name);
  const indexes = itemsIn(body['revisions']).map((each) =>
    isJsonObject(each) ? graph.indexOf.get(String(each['uid'])) : undefined,
  );
  const isGiven = (cells: readonly number[] | null) =>
    cells?.some((cell, i) => i % 2 === 0 && cell === column && cells[i + 1] === value) === true;
  return nodeEventsIn(body).flatMap((node) => {
    const hadName = value >= 0 && node.events.some(({ cells }) => isGiven(cells));
    if (node.uid !== name && !hadName) return [];
    const isCalledAt = (line: ReadonlySet<number>) => {
      let row: number[] | undefined;
      for (const { revision, cells } of node.events) {
        const index = indexes[revision];
        if (index !== undefined && line.has(index)) row = rowAfter(row, cells);
      }
      return row !== undefined && (node.uid === name || row[column] === value);
    };
    const changedAt = node.events.flatMap(({ revision }) => indexes[revision] ?? []);
    return [{ path: nodePath(node), changedAt, isCalledAt }];
  });
}

/** Returns whether a node existed at `start`, the first revision of a line. Undefined if the table has no such path. */
export function isNodeAtStart(
  path: string,
  start: string,
  { nodeHistory: body = {} }: PublishedRevisions,
): boolean | undefined {
  const at = objectsIn(body['revisions']).findIndex(({ uid }) => uid === start);
  const node = nodeEventsIn(body).find((each) => nodePath(each) === path);
  return node?.events.some(({ revision }) => revision === at);
}
