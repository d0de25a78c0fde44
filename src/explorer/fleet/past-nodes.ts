import { ABSENT } from '../../core/table/node-table.ts';
import { type FleetHistory, type NodeEvents, rowAfter } from '../data/history.ts';
import { visible } from './visible.ts';

/** A time in which a node existed, as indexes of revisions. `until` is the removal, or undefined if there is none. */
export interface LifeSpan {
  readonly from: number;
  readonly until: number | undefined;
}

export interface PastNode {
  readonly path: string;
  readonly site: string;
  /** The last name as visible text, or the uid. */
  readonly name: string;
  /** The oldest comes first. Only the head's first-parent line counts. */
  readonly spans: readonly LifeSpan[];
}

const cache = new WeakMap<FleetHistory, readonly PastNode[]>();

/** Returns all nodes of the head's first-parent line, with those that were removed. */
export function pastNodes(history: FleetHistory): readonly PastNode[] {
  const known = cache.get(history) ?? newPastNodes(history);
  cache.set(history, known);
  return known;
}

function newPastNodes({ columns, line, nodes }: FleetHistory): PastNode[] {
  const isOnLine = new Set(line);
  const at = columns.findIndex(({ name }) => name === 'node_name');
  const nameOf = (row: readonly number[], uid: string) => {
    const name = columns[at]?.values[row[at] ?? ABSENT];
    return typeof name === 'string' && name !== '' ? visible(name) : uid;
  };
  const lifeOf = ({ site, cluster, uid, events }: NodeEvents): PastNode => {
    const spans: LifeSpan[] = [];
    let name = uid;
    let row: number[] | undefined;
    for (const { revision, cells } of events) {
      if (!isOnLine.has(revision)) continue;
      const last = spans.at(-1);
      if (!cells && last) spans[spans.length - 1] = { ...last, until: revision };
      else if (!row) spans.push({ from: revision, until: undefined });
      row = rowAfter(row, cells);
      if (row) name = nameOf(row, uid);
    }
    return { path: `sites/${site}/clusters/${cluster}/nodes/${uid}`, site, name, spans };
  };
  return nodes.map(lifeOf).filter(({ spans }) => spans.length > 0);
}

export function removalOf({ spans }: PastNode): number | undefined {
  return spans.at(-1)?.until;
}
