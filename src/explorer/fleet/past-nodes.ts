import { type NodeEvents, rowAfter } from '../../core/client/history-document.ts';
import { nodePath } from '../../core/model/node-path.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { FleetHistory } from '../data/history.ts';
import { visible } from './visible.ts';

/** A period in which a node existed, as indexes of revisions. The revision `until` removed the node. */
export interface LifeSpan {
  readonly from: number;
  readonly until: number | undefined;
}

export interface PastNode {
  readonly path: string;
  readonly site: string;
  /** The newest name of the node as visible text, or the uid of a node without a name. */
  readonly name: string;
  /** The periods in which the node existed on the head's first-parent line, oldest first. */
  readonly spans: readonly LifeSpan[];
}

const cache = new WeakMap<FleetHistory, readonly PastNode[]>();

/** Returns all nodes of the head's first-parent line, including removed nodes. */
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
  const lifeOf = (node: NodeEvents): PastNode => {
    const { site, uid, events } = node;
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
    return { path: nodePath(node), site, name, spans };
  };
  return nodes.map(lifeOf).filter(({ spans }) => spans.length > 0);
}

export function removalOf({ spans }: PastNode): number | undefined {
  return spans.at(-1)?.until;
}
