/** Writes YAML. Quotes every text that is not clearly a word, so that YAML 1.1 and YAML 1.2 read it as a string. */

import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { assertDefined } from '../../platform/lookups.ts';

const LONGEST_LINE = 110;
/** The maximum length of a plain key, in characters. Longer keys need the indicator `?` (YAML 1.2.2, section 8.2.2). */
const LONGEST_KEY = 1000;
const INDENT = '  ';

export function encodeYaml(value: JsonObject, margin = ''): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return `${margin}{}\n`;
  let text = '';
  for (const key of keys) text += `${margin}${blockKey(key, margin)}:${afterMark(assertDefined(value[key]), margin)}`;
  return text;
}

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

export function blockList(items: readonly Json[], margin: string): string {
  let text = '';
  for (const item of items) {
    const after = afterMark(item, margin);
    // The first line of a list or a mapping follows the dash on the same line.
    text += `${margin}-${after.startsWith('\n') ? after.slice(margin.length + 2) : after}`;
  }
  return text;
}

function blockKey(key: string, margin: string): string {
  const text = quoted(key, WORDS);
  return text.length > LONGEST_KEY ? `? ${text}\n${margin}` : text;
}

export function blockScalar(value: Json, margin: string): string {
  if (typeof value !== 'string') return String(value);
  if (!value.includes('\n') || !isLiteral(value)) return quoted(value, WORDS);
  const lines = value.replace(/^(?=.)/gm, margin + INDENT);
  return lines.endsWith('\n') ? `|\n${lines.slice(0, -1)}` : `|-\n${lines}`;
}

function isLiteral(text: string): boolean {
  return /^\S/.test(text) && /\S\n?$/.test(text) && !UNPRINTABLE.test(text);
}

export function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? quoted(value, FLOW_WORDS) : String(value);
  const pairs = Object.entries(value).map(([key, item]) => `${quoted(key, FLOW_WORDS)}: ${flow(item)}`);
  return `{${pairs.join(', ')}}`;
}

/** Matches text that needs no quotes in a block. The first character starts no YAML construct. */
const WORDS = /^[\p{L}\d_/(][\p{L}\d_ ./:()+@%*&=;<>!?$~^'"\\|,[\]{}#-]*$/u;
/** Matches text that needs no quotes inside brackets, where brackets, commas and colons are syntax. */
const FLOW_WORDS = /^[\p{L}\d_/(][\p{L}\d_ ./()+@%*&=;<>!$~^'"\\|#-]*$/u;
/** Matches sequences at which a plain text ends or becomes a key. */
const MARKS = /: | #|[: ]$/;
const AMBIGUOUS = new RegExp(
  [
    '^(?:null|true|false|yes|no|on|off|y|n)$',
    '^[\\d_.,:]*(?:e[-+]?\\d+)?$',
    '^0[xob][\\da-f_]+$',
    '^\\d{4}-\\d\\d?-\\d\\d?(?:$|[t\\s])',
  ].join('|'),
  'i',
);
/** Characters that YAML does not allow or treats as line breaks. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u;
/** The characters of `UNPRINTABLE` that JSON does not escape. */
const UNESCAPED = /[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/gu;

function quoted(text: string, words: RegExp): string {
  if (words.test(text) && !MARKS.test(text) && !AMBIGUOUS.test(text)) return text;
  return JSON.stringify(text).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
