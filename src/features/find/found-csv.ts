/**
 * Found nodes as CSV (RFC 4180, with line feeds): a column for each field, and all that a node has there in one cell, with
 * semicolons between.
 */
import type { Json } from '../../core/model/json.ts';
import type { NamedField } from '../../core/query/field-values.ts';

const SEPARATOR = ';';

/** What a spreadsheet would take for a formula when it opens the file. */
const FORMULA = /^[=+\-@\t\r]/;

export function* csvLines(fields: readonly NamedField[], rows: readonly number[]): Generator<string> {
  yield fields.map(({ name }) => csvCell(name)).join(',');
  for (const row of rows) yield fields.map(({ valuesOf }) => csvCell(cellText(valuesOf(row)))).join(',');
}

function cellText(values: readonly Json[]): string {
  const texts = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)));
  const text = texts.join(SEPARATOR);
  // A number is none, however it begins.
  const isNumber = values.length === 1 && typeof values[0] === 'number';
  return FORMULA.test(text) && !isNumber ? `'${text}` : text;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
