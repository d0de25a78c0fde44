/** Formats field names and texts for queries. */

import { pathOfField } from '../model/fields/field-name.ts';

/** Matches a field name, keyword or number, up to a space or the next token. Double quotes enclose any characters. */
export const WORD = /(?:"(?:[^"]|"")*"|[^\s()=<>!&|~,'"])+/y;
/** Matches a word that is a number rather than a field name. The number can have a unit. */
export const NUMBER_WORD = /^[+-]?[.\d]/;
/** A reserved word is neither a field nor a unit. */
export const RESERVED = ['AND', 'OR', 'NOT', 'IN', 'BETWEEN', 'LIKE', 'IS', 'NULL'];

/** Formats the name of a field for a query. Quotes all parts of a name that is not a single plain word. */
export function fieldText(name: string): string {
  const path = pathOfField(name);
  if (path && isPlainWord(name)) return name;
  return (path ?? [name]).map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}

/** Whether a text is a single word that can only be a field name. A semicolon at the end of a query is an error. */
function isPlainWord(text: string): boolean {
  WORD.lastIndex = 0;
  const [word] = WORD.exec(text) ?? [];
  const isKeyword = [...RESERVED, 'TRUE', 'FALSE'].includes(text.toUpperCase());
  return word === text && !isKeyword && !NUMBER_WORD.test(text) && !text.endsWith(';');
}

/** Matches a backslash that would escape the quote after it. */
const ESCAPING = /\\(?:'|$)/;

/** Formats a text for a query. Returns undefined for a text that a query cannot contain. */
export function quotedLiteral(text: string): string | undefined {
  return ESCAPING.test(text) ? undefined : `'${text.replaceAll("'", "''")}'`;
}
