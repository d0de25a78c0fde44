import { ndjsonLine, nodeItem } from '../../core/exports/whole-node.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { ABSENT, bodyAt } from '../../core/table/node-table.ts';
import type { Fleet } from './fleet.ts';

/** Returns a line of JSON for each node, with the fields of the node table and with labels. */
export function ndjsonOf({ table, query, placeOf }: Fleet, rows: readonly number[]): string {
  const labels = [...query.names('label')].map((name) => ({ name, column: query.column('label', name) }));
  const labelsOf = (row: number): JsonObject =>
    Object.fromEntries(
      labels.flatMap(({ name, column }) => {
        const label = column?.values[column.rows[row] ?? ABSENT] ?? null;
        return label === null ? [] : [[name, label]];
      }),
    );
  const itemOf = (row: number) => {
    const uid = table.uids[row] ?? '';
    return nodeItem({ ...placeOf(row), uid, body: { uid, ...bodyAt(table, row) }, labels: labelsOf(row) });
  };
  return rows.map((row) => `${ndjsonLine(itemOf(row))}\n`).join('');
}
