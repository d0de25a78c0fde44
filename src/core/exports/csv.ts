/** CSV (RFC 4180, in UTF-8, with line feeds). No cell is a formula for a spreadsheet. */
import type { Json } from '../model/json.ts';
import { printableJson, STEERING } from '../platform/text.ts';

/** A fast check for most texts, which need no apostrophe. */
const PLAIN = /^[0-9A-Za-z][ -~]*$/;

/** Matches formulas (OWASP, CSV injection), empty texts, and texts that look like guarded ones. */
const GUARDED = /^'*(?:[\s\0]*[=+\-@＝＋－＠]|[\t\r\n]|$)|^'+"/u;

/**
 * The content of a cell: empty for undefined and null, JSON for lists and mappings. The encoding of texts is reversible:
 * guarded texts get an apostrophe, texts with control characters become JSON after an apostrophe.
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
