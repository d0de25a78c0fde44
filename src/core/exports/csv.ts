/** Renders CSV (RFC 4180, UTF-8, line feeds). Spreadsheets interpret no cell as a formula. */
import { type Json, parsedJson } from '../model/json.ts';
import { CONTROL_CHARACTERS, printableJson } from '../platform/text.ts';

/** Matches texts that need no apostrophe. Most texts match, so the slower tests rarely run. */
const PLAIN = /^[0-9A-Za-z][ -:<-~]*$/;

/** Matches formulas (OWASP, CSV injection), empty texts, and texts that already look escaped. */
const GUARDED = /^'*(?:[\s\0]*[=+\-@＝＋－＠]|[\t\r\n]|$)|^'+"/u;

/** Matches a formula after a semicolon, a tab or a line break, where spreadsheets of some locales begin a new cell. */
const SPLIT = /[;\t\n](?:["\0]|[^\S\t\n])*[=+\-@＝＋－＠]/u;

/**
 * Undefined and null become an empty cell. Lists and mappings become JSON. An apostrophe marks a text that a
 * spreadsheet could read as a formula. A text with control characters, or with a formula after a separator, becomes JSON
 * with an apostrophe. `unescapedCell` restores the text.
 */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return cellOfText(value);
  return typeof value === 'object' ? unsplitJson(value) : String(value);
}

function cellOfText(text: string): string {
  if (PLAIN.test(text)) return text;
  if (text.search(CONTROL_CHARACTERS) >= 0 || SPLIT.test(text)) return `'${unsplitJson(text)}`;
  return GUARDED.test(text) ? `'${text}` : text;
}

function unsplitJson(value: Json): string {
  const json = printableJson(JSON.stringify(value));
  return SPLIT.test(json) ? json.replaceAll(';', '\\u003b') : json;
}

/** Reverses `cellText`: returns the text that a cell represents. */
export function unescapedCell(cell: string): string {
  if (!cell.startsWith("'")) return cell;
  const rest = cell.slice(1);
  const json = rest.startsWith('"') ? parsedJson(rest) : undefined;
  if (typeof json === 'string') return json;
  return GUARDED.test(rest) ? rest : cell;
}

export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

/** Quotes spaces at an end of the text, because many readers trim cells that are not quoted. */
function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
