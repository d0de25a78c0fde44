import { LABELS, type LabelInfo } from '../labels/label-fields.ts';
import type { Labelling } from '../labels/labels.ts';
import { LABEL_PREFIX } from '../model/fields/field-name.ts';
import type { Json } from '../model/json.ts';
import { ABSENT, newDictionary, type TableColumn } from './node-table.ts';

/** The label of each value in a column, by value number. A value without a label is represented by null. */
export interface LabelledColumn {
  readonly column: string;
  readonly values: readonly Json[];
}

export interface LabelColumn extends TableColumn {
  readonly description: string;
  /** The columns from which the label is computed. If several columns give a row a label, the first column wins. */
  readonly of: readonly LabelledColumn[];
}

export function labelColumns(columns: readonly TableColumn[], labels: Labelling): LabelColumn[] {
  const named = (field: string) => columns.find(({ name }) => name === field);
  return LABELS.flatMap((label) => columnOfLabel(label, named, labels) ?? []);
}

export function columnOfLabel(
  label: LabelInfo,
  columnOf: (name: string) => TableColumn | undefined,
  labels: Labelling,
): LabelColumn | undefined {
  const sources = label.fields.flatMap((field) => columnOf(field) ?? []);
  const of = labelledColumns(label, sources, labels);
  return hasLabels(of) ? labelColumn(label, sources, of) : undefined;
}

export function labelsOfColumns(columns: readonly NamedValues[], labels: Labelling) {
  return LABELS.flatMap((label) => {
    const sources = label.fields.flatMap((field) => columns.find(({ name }) => name === field) ?? []);
    const of = labelledColumns(label, sources, labels);
    return hasLabels(of) ? [{ name: labelName(label), of }] : [];
  });
}

function hasLabels(of: readonly LabelledColumn[]): boolean {
  return of.some(({ values }) => values.some((value) => value !== null));
}

function labelName({ name }: LabelInfo): string {
  return `${LABEL_PREFIX}.${name}`;
}

type NamedValues = Pick<TableColumn, 'name' | 'values'>;

function labelledColumns({ name }: LabelInfo, columns: readonly NamedValues[], labels: Labelling): LabelledColumn[] {
  return columns.map(({ name: column, values }) => ({
    column,
    values: values.map((value) => labels.ofField(name, value) ?? null),
  }));
}

function labelColumn(label: LabelInfo, sources: readonly TableColumn[], of: readonly LabelledColumn[]): LabelColumn {
  const values = labelValues(of, (field) => sources.find(({ name }) => name === field));
  return { name: labelName(label), description: label.description, of, ...values };
}

export function labelValues(of: readonly LabelledColumn[], columnOf: (name: string) => TableColumn | undefined) {
  const { values, numberOf } = newDictionary();
  let rows = new Int32Array();
  for (const { column, values: labels } of of) {
    const source = columnOf(column)?.rows;
    if (!source) continue;
    const numbers = labels.map((label) => (label === null ? ABSENT : numberOf(JSON.stringify(label))));
    if (rows.length === 0) rows = new Int32Array(source.length).fill(ABSENT);
    for (let row = 0; row < source.length; row++) {
      if (rows[row] === ABSENT) rows[row] = numbers[source[row] ?? ABSENT] ?? ABSENT;
    }
  }
  return { values, rows };
}
