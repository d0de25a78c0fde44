/** Formats found nodes as tables and as code. The browser loads this script only when the user exports nodes. */
import { cellText, csvLine } from '../core/exports/csv.ts';
import { itemsAt } from '../core/exports/node-columns.ts';
import { DOCUMENT_SORT, nodesDocument } from '../core/exports/nodes-document.ts';
import { tableLines } from '../core/exports/table-lines.ts';
import type { TableForm } from '../core/exports/text-table.ts';
import { ndjsonLine, nodeItem } from '../core/exports/whole-node.ts';
import { pathOfField } from '../core/model/fields/field-name.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/model/json.ts';
import type { RevisionName } from '../core/model/revision.ts';
import { addressOf, findField, type QueryFleet } from '../core/query/columns.ts';
import { sortedNodes } from '../core/query/sort.ts';
import { ABSENT, bodyAt } from '../core/table/node-table.ts';
import type { Fleet } from './fleet/fleet.ts';

export { snippet } from '../core/exports/snippet.ts';

interface TableOptions {
  readonly rows: readonly number[];
  /** True if the user chose the order of the rows. */
  readonly isSorted: boolean;
  readonly revision: RevisionName;
}

/** Returns the text that `gridpress find --markdown` or `--latex` prints for these nodes. */
export function tableText(form: TableForm, fleet: QueryFleet, { rows, isSorted, revision }: TableOptions): string {
  const byRow = rows.toSorted((a, b) => a - b);
  const sorted = isSorted ? rows : sortedNodes(byRow, findField(DOCUMENT_SORT, fleet).valuesOf, false);
  return `${[...tableLines(form, nodesDocument(fleet, sorted, revision))].join('\n')}\n`;
}

/**
 * Returns a CSV table with one column for each name. As in `nodes.csv`, all cells of a column are JSON arrays if a list
 * contains the field.
 */
export function csvOf(fleet: QueryFleet, nodes: readonly number[], names: readonly string[]): string {
  const fields = names.map((name) => {
    const { kind, name: top, rest } = addressOf({ name, path: pathOfField(name) ?? [name] });
    const { values = [], rows = [] } = fleet.column(kind, top) ?? {};
    return { values, rows, rest, isList: values.some((value) => isInList(value, rest)) };
  });
  const cells = (node: number) =>
    fields.map(({ values, rows, rest, isList }) => {
      const items = itemsAt(values[rows[node] ?? ABSENT] ?? null, rest);
      return cellText(isList && items.some((item) => item !== null) ? items : items[0]);
    });
  return [names.map(cellText), ...nodes.map(cells)].map((line) => `${csvLine(line)}\n`).join('');
}

function isInList(value: Json, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value) || name === undefined) return Array.isArray(value);
  return isJsonObject(value) && Object.hasOwn(value, name) && isInList(value[name] ?? null, rest);
}

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
