import { csvLine } from '../../core/exports/csv.ts';
import { cellOf, headLine, type NodeColumn, nodeColumns } from '../../core/exports/node-columns.ts';
import { fieldName, pathOfField } from '../../core/model/fields/field-name.ts';
import { assertDefined } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import { namedField } from '../../core/query/named-field.ts';
import { facetsOf } from '../../core/table/facets.ts';
import { labelColumns } from '../../core/table/label-columns.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { Found } from './find.ts';
import type { FleetSource } from './fleet-source.ts';

/** If one of `names` is the name of an object, the output contains the columns of all fields in this object. */
export function* csvLines(
  { rows, fleet }: Found,
  { survey, labels }: FleetSource,
  names: readonly string[] | undefined,
): Generator<string> {
  const known = assertDefined(survey)();
  const all = nodeColumns(facetsOf(known, labelColumns(known.table.columns, labels)));
  const columns = names?.flatMap((name) => columnsNamed(name, all, fleet)) ?? all;
  yield headLine(columns);
  const cells = columns.map((column) => cellsOf(column, fleet));
  for (const row of rows) yield csvLine(cells.map((cellAt) => cellAt(row)));
}

function columnsNamed(name: string, columns: readonly NodeColumn[], fleet: QueryFleet): NodeColumn[] {
  const exact = columns.filter((column) => column.name === name);
  if (exact.length > 0) return exact;
  const written = fieldName(pathOfField(name) ?? [name]);
  const found = columns.filter((column) => column.name === written || column.facet.name.startsWith(`${written}.`));
  // Fails and suggests similar fields if no node has a field of this name.
  return found.length > 0 || !namedField(name, fleet).hasValues ? found : [];
}

/** Formats each distinct value only once. */
function cellsOf(column: NodeColumn, fleet: QueryFleet): (row: number) => string {
  const { values, rows } = fleet.column(column.source, column.top) ?? { values: [], rows: [] };
  const known = values.map((value) => lazily(() => cellOf(column, value)));
  return (row) => known[rows[row] ?? ABSENT]?.() ?? '';
}
