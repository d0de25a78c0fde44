/**
 * Values -> YAML text that every reader understands alike, in block style for people. What is not plainly a word is
 * quoted, so that a reader of YAML 1.1 and one of YAML 1.2 both take every string for a string.
 */

import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { certain } from '../../platform/certain.ts';

const LONGEST_LINE = 110;
/** Longer keys must be marked as keys (YAML 1.2.2, section 8.2.2). */
const LONGEST_KEY = 1000;
const INDENT = '  ';

/** A mapping in block style, every line moved to the right by `margin`. */
export function encodeYaml(value: JsonObject, margin = ''): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return `${margin}{}\n`;
  let text = '';
  for (const key of keys) text += `${margin}${blockKey(key, margin)}:${afterMark(certain(value[key]), margin)}`;
  return text;
}

/** A list of mappings, each on one line where there is room for it. */
export function encodeLines(items: readonly JsonObject[], margin: string): string {
  let text = '';
  for (const item of items) {
    const line = flow(item);
    text += line.length > LONGEST_LINE ? blockList([item], margin) : `${margin}- ${line}\n`;
  }
  return text;
}

function afterMark(value: Json, margin: string): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []\n' : `\n${blockList(value, margin + INDENT)}`;
  if (!isJsonObject(value)) return ` ${blockScalar(value, margin)}\n`;
  return Object.keys(value).length === 0 ? ' {}\n' : `\n${encodeYaml(value, margin + INDENT)}`;
}

function blockList(items: readonly Json[], margin: string): string {
  let text = '';
  for (const item of items) {
    const after = afterMark(item, margin);
    // The first line of a collection stands on the line of its dash.
    text += `${margin}-${after.startsWith('\n') ? after.slice(margin.length + 2) : after}`;
  }
  return text;
}

function blockKey(key: string, margin: string): string {
  const text = quoted(key, WORDS);
  return text.length > LONGEST_KEY ? `? ${text}\n${margin}` : text;
}

function blockScalar(value: Json, margin: string): string {
  if (typeof value !== 'string') return String(value);
  if (!value.includes('\n') || !isLiteral(value)) return quoted(value, WORDS);
  const lines = value.replace(/^(?=.)/gm, margin + INDENT);
  return lines.endsWith('\n') ? `|\n${lines.slice(0, -1)}` : `|-\n${lines}`;
}

/** Whether a literal block gives the text back as it is, with no more than a hyphen to say how it ends. */
function isLiteral(text: string): boolean {
  return /^\S/.test(text) && /\S\n?$/.test(text) && !UNPRINTABLE.test(text);
}

function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? quoted(value, FLOW_WORDS) : String(value);
  const pairs = Object.entries(value).map(([key, item]) => `${quoted(key, FLOW_WORDS)}: ${flow(item)}`);
  return `{${pairs.join(', ')}}`;
}

/** Characters that need no quotes in a block, the first among them that begin no other thing. */
const WORDS = /^[\p{L}\d_/(][\p{L}\d_ ./:()+@%*&=;<>!?$~^'"\\|,[\]{}#-]*$/u;
/** The same within brackets, where brackets, commas and colons are marks. */
const FLOW_WORDS = /^[\p{L}\d_/(][\p{L}\d_ ./()+@%*&=;<>!$~^'"\\|#-]*$/u;
/** Where a plain text would end, or be read as a key. */
const MARKS = /: | #|[: ]$/;
/** What some reader takes for null, a boolean, a number, a date or a time. */
const AMBIGUOUS = new RegExp(
  [
    '^(?:null|true|false|yes|no|on|off|y|n)$',
    '^[\\d_.,:]*(?:e[-+]?\\d+)?$',
    '^0[xob][\\da-f_]+$',
    '^\\d{4}-\\d\\d?-\\d\\d?(?:$|[t\\s])',
  ].join('|'),
  'i',
);
/** What YAML must not hold, or takes for the end of a line. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u;
/** What of it JSON leaves as it is. */
const UNESCAPED = /[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/gu;

function quoted(text: string, words: RegExp): string {
  if (words.test(text) && !MARKS.test(text) && !AMBIGUOUS.test(text)) return text;
  return JSON.stringify(text).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
