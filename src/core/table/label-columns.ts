/** Labels in columns: each is made of one field at the top of a body, so that the values of its column say them all. */
import { LABELS, type LabelInfo, type Labelling } from '../labels/labels.ts';
import { LABEL_PREFIX } from '../model/fields/field-name.ts';
import type { Json } from '../model/json.ts';
import { ABSENT, newDictionary, type TableColumn } from './node-table.ts';

/** What the values of a column mean: for each of them, by its number, the label, or null where there is none. */
export interface LabelledColumn {
  readonly column: string;
  readonly values: readonly Json[];
}

export interface LabelColumn extends TableColumn {
  readonly description: string;
  /** The columns that it is made of: of the first that says anything. */
  readonly of: readonly LabelledColumn[];
}

/** A column for each label that any node has, in the order of the labels. */
export function labelColumns(columns: readonly TableColumn[], labels: Labelling): LabelColumn[] {
  const named = (field: string) => columns.find(({ name }) => name === field);
  return LABELS.flatMap((label) => columnOfLabel(label, named, labels) ?? []);
}

/** The column of one label, of columns by their names; undefined where no node has it. */
export function columnOfLabel(
  label: LabelInfo,
  columnOf: (name: string) => TableColumn | undefined,
  labels: Labelling,
): LabelColumn | undefined {
  const sources = label.fields.flatMap((field) => columnOf(field) ?? []);
  const of = labelledColumns(label, sources, labels);
  return saysAnything(of) ? labelColumn(label, sources, of) : undefined;
}

/** What the labels say of the values of columns, of those that any has. */
export function labelsOfColumns(columns: readonly NamedValues[], labels: Labelling) {
  return LABELS.flatMap((label) => {
    const sources = label.fields.flatMap((field) => columns.find(({ name }) => name === field) ?? []);
    const of = labelledColumns(label, sources, labels);
    return saysAnything(of) ? [{ name: labelName(label), of }] : [];
  });
}

function saysAnything(of: readonly LabelledColumn[]): boolean {
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
  const dictionary = newDictionary();
  const numbers = of.map(({ values }) =>
    values.map((value) => (value === null ? ABSENT : dictionary.numberOf(JSON.stringify(value)))),
  );
  const rows = new Int32Array(sources[0]?.rows.length ?? 0).fill(ABSENT);
  for (const [i, { rows: source }] of sources.entries()) {
    for (let row = 0; row < rows.length; row++) {
      if (rows[row] === ABSENT) rows[row] = numbers[i]?.[source[row] ?? ABSENT] ?? ABSENT;
    }
  }
  return { name: labelName(label), description: label.description, values: dictionary.values, rows, of };
}
