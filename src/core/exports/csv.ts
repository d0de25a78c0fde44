/**
 * CSV (RFC 4180, in UTF-8, with line feeds): what cells say, and how they stand in a line. Nothing that a spreadsheet
 * would run as a formula leaves here, and every text can be told from every other: see `cellText`.
 */
import type { Json } from '../model/json.ts';
import { printableJson, STEERING } from '../platform/text.ts';

/** Most texts, which are cells as they are. */
const PLAIN = /^[0-9A-Za-z][ -~]*$/;

/**
 * What a cell cannot begin with: what spreadsheets take for a formula (OWASP, CSV injection), also after apostrophes and
 * blanks. Nor is it empty, since an empty cell is of what is not there, nor what only we begin with.
 */
const GUARDED = /^'*(?:[\s\0]*[=+\-@＝＋－＠]|[\t\r\n]|$)|^'+"/u;

/**
 * What a cell says of a value: nothing of none and of null, numbers and texts as they are, lists and mappings in JSON. A
 * text that is empty, or that a spreadsheet would take for a formula, has an apostrophe before it; one that is of this
 * form already has one more, so that who takes one away has the text again. One with characters at which readers of tables
 * end or turn (NUL, carriage returns, bidirectional controls) is a text in JSON behind an apostrophe.
 */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return cellOfText(value);
  return typeof value === 'object' ? printableJson(JSON.stringify(value)) : String(value);
}

function cellOfText(text: string): string {
  if (PLAIN.test(text)) return text;
  if (text.search(STEERING) >= 0) return `'${printableJson(JSON.stringify(text))}`;
  return GUARDED.test(text) ? `'${text}` : text;
}

export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
