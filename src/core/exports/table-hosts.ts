/**
 * What hosts are told, of the columns of a table: no body is read for it. Nodes of the same labels have them in one
 * object, so that what is written of labels is written once for each of these.
 */
import { LABELS, type Labelling } from '../labels/labels.ts';
import { ruleOfField } from '../model/field-classes.ts';
import type { JsonObject } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import { bodyAt } from '../table/node-table.ts';
import { isOwnAt } from '../table/own-fields.ts';
import { HOST_FIELDS } from './host-variables.ts';
import type { WholeNode } from './whole-node.ts';

export type ToldInRow = (row: number) => Pick<WholeNode, 'body' | 'labels'>;

/** Undefined where the table leaves out something that it takes. */
export function toldInRows(survey: NodeSurvey, labels: Labelling): ToldInRow | undefined {
  if (!saysAll(survey)) return undefined;
  const { columns } = survey.table;
  const fields = columns.filter(({ name }) => HOST_FIELDS.includes(name));
  const columnOf = (field: string) => columns.find(({ name }) => name === field);
  const labelled = LABELS.flatMap((label) => {
    const column = columnOfLabel(label, columnOf, labels);
    return column ? [{ ...column, name: label.name }] : [];
  });
  const known = new Map<string, JsonObject>();
  const labelsIn = (row: number): JsonObject => {
    const key = labelled.map(({ rows }) => rows[row]).join(' ');
    const found = known.get(key) ?? bodyAt({ columns: labelled }, row);
    known.set(key, found);
    return found;
  };
  return (row) => ({ body: bodyAt({ columns: fields }, row), labels: labelsIn(row) });
}

/** Serials and the like are in no table, and no label is made of them. */
function saysAll({ fields, own }: NodeSurvey): boolean {
  const asked = [...HOST_FIELDS, ...LABELS.flatMap((label) => label.fields)];
  return !fields.some(
    ({ way }) => asked.includes(way[0] ?? '') && ruleOfField(NODE, way).class !== 'component' && isOwnAt(way, own),
  );
}
