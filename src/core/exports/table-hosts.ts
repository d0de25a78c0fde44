/**
 * What hosts are told, of the columns of a table: no body is read for it. Nodes of the same labels have them in one
 * object, so that what is written of labels is written once for each of these.
 */
import { LABELS, type Labelling } from '../labels/labels.ts';
import { ruleOfField } from '../model/field-classes.ts';
import { type Json, type JsonObject, setOwn } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import { type TableColumn, valueInRow } from '../table/node-table.ts';
import { isOwnAt } from '../table/own-fields.ts';
import { HOST_FIELDS } from './host-variables.ts';
import type { WholeNode } from './whole-node.ts';

/** Of the node in a row of the table. */
export type ToldInRow = (row: number) => Pick<WholeNode, 'body' | 'labels'>;

/** Undefined where the table leaves out something that it takes. */
export function toldInRows(survey: NodeSurvey, labels: Labelling): ToldInRow | undefined {
  if (!saysAll(survey)) return undefined;
  const { columns } = survey.table;
  const fields = columns.filter(({ name }) => HOST_FIELDS.includes(name));
  const columnOf = (field: string) => columns.find(({ name }) => name === field);
  const made = LABELS.flatMap((label) => {
    const column = columnOfLabel(label, columnOf, labels);
    return column ? [{ name: label.name, column }] : [];
  });
  const known = new Map<string, JsonObject>();
  const labelsIn = (row: number): JsonObject => {
    const key = made.map(({ column }) => column.rows[row]).join(' ');
    const found = known.get(key) ?? presentIn(made, row);
    known.set(key, found);
    return found;
  };
  const named = fields.map((column) => ({ name: column.name, column }));
  return (row) => ({ body: presentIn(named, row), labels: labelsIn(row) });
}

function presentIn(
  columns: readonly { readonly name: string; readonly column: TableColumn }[],
  row: number,
): JsonObject {
  const found: Record<string, Json> = {};
  for (const { name, column } of columns) {
    const value = valueInRow(column, row);
    if (value !== undefined) setOwn(found, name, value);
  }
  return found;
}

/** Serials and the like are in no table, and no label is made of them. */
function saysAll({ fields, own }: NodeSurvey): boolean {
  const asked = [...HOST_FIELDS, ...LABELS.flatMap((label) => label.fields)];
  return !fields.some(
    ({ way }) =>
      asked.includes(way[0] ?? '') && ruleOfField(NODE, way).class !== 'component' && isOwnAt(way, own),
  );
}
