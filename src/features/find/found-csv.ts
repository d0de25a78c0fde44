/** Found nodes as CSV: the columns and cells of the exports, of all fields or of those that are named. */
import { csvLine } from '../../core/exports/csv.ts';
import { cellOf, headLine, type NodeColumn, nodeColumns } from '../../core/exports/node-columns.ts';
import { fieldName, wayOfField } from '../../core/model/fields/field-name.ts';
import { certain } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import { namedField } from '../../core/query/named-field.ts';
import { facetsOf } from '../../core/table/facets.ts';
import { labelColumns } from '../../core/table/label-columns.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { Found } from './find.ts';
import type { FleetSource } from './fleet-source.ts';

/** A field that holds others stands for the columns of all of these. */
export function* csvLines(
  { rows, fleet }: Found,
  { survey, labels }: FleetSource,
  names: readonly string[] | undefined,
): Generator<string> {
  const known = certain(survey)();
  const all = nodeColumns(facetsOf(known, labelColumns(known.table.columns, labels)));
  const columns = names?.flatMap((name) => columnsNamed(name, all, fleet)) ?? all;
  yield headLine(columns);
  const cells = columns.map((column) => cellsOf(column, fleet));
  for (const row of rows) yield csvLine(cells.map((cellAt) => cellAt(row)));
}

function columnsNamed(name: string, columns: readonly NodeColumn[], fleet: QueryFleet): NodeColumn[] {
  const exact = columns.filter((column) => column.name === name);
  if (exact.length > 0) return exact;
  const written = fieldName(wayOfField(name) ?? [name]);
  const found = columns.filter((column) => column.name === written || column.facet.name.startsWith(`${written}.`));
  // Where no node has such a field, this ends with what may be meant.
  return found.length > 0 || !namedField(name, fleet).isHeld ? found : [];
}

/** The cell of each node: that of its value, which stands once. */
function cellsOf(column: NodeColumn, fleet: QueryFleet): (row: number) => string {
  const { values, rows } = fleet.column(column.source, column.top) ?? { values: [], rows: [] };
  const known = values.map((value) => lazily(() => cellOf(column, value)));
  return (row) => known[rows[row] ?? ABSENT]?.() ?? '';
}
