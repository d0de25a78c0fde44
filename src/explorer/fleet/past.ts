/** The fleet as of a revision: the table that was, made of what each revision on the way to it did. */
import { ABSENT } from '../../core/table/dictionary.ts';
import { type NodeTable, newClusterRows } from '../../core/table/node-table.ts';
import { type FleetHistory, lineTo, type NodeEvents } from '../data/history.ts';

/** The index of the revision that an id, or the beginning of one, names; -1 where it is none or more than one. */
export function momentNamed({ moments }: FleetHistory, start: string): number {
  const found = moments.flatMap(({ id }, index) => (start !== '' && id.startsWith(start) ? [index] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

export function tableAt(history: FleetHistory, moment: number): NodeTable {
  const isOnLine = new Uint8Array(history.moments.length);
  for (const index of lineTo(moment, history.moments)) isOnLine[index] = 1;
  const clusters = newClusterRows();
  const uids: string[] = [];
  const rows: (readonly number[])[] = [];
  for (const node of history.nodes) {
    const row = rowAt(node, isOnLine);
    if (!row) continue;
    clusters.add(node);
    uids.push(node.uid);
    rows.push(row);
  }
  const columns = history.columns.map(({ name, values }, column) => ({
    name,
    values,
    rows: Int32Array.from(rows, (row) => row[column] ?? ABSENT),
  }));
  return {
    total: uids.length,
    clusters: clusters.all,
    uids,
    columns: columns.filter(isHeld),
    leftOut: history.leftOut,
  };
}

function isHeld({ rows }: { readonly rows: Int32Array }): boolean {
  return rows.some((number) => number !== ABSENT);
}

/** The numbers of a node's values by column; undefined where the node was not there. */
function rowAt({ events }: NodeEvents, isOnLine: Uint8Array): number[] | undefined {
  let row: number[] | undefined;
  for (const { moment, cells } of events) {
    if (isOnLine[moment] === 0) continue;
    if (!cells) row = undefined;
    else {
      row ??= [];
      for (let i = 0; i < cells.length; i += 2) row[cells[i] ?? 0] = cells[i + 1] ?? ABSENT;
    }
  }
  return row;
}
