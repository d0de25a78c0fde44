import { ndjsonLine, nodeItem } from '../../core/exports/whole-node.ts';
import { bodyAt } from '../../core/table/node-table.ts';
import type { Fleet } from './fleet.ts';

/** Returns a line of JSON for each node, with the fields of the node table. */
export function ndjsonOf({ table, placeOf }: Fleet, rows: readonly number[]): string {
  const itemOf = (row: number) => {
    const uid = table.uids[row] ?? '';
    return nodeItem({ ...placeOf(row), uid, body: { uid, ...bodyAt(table, row) }, labels: {} });
  };
  return rows.map((row) => `${ndjsonLine(itemOf(row))}\n`).join('');
}
