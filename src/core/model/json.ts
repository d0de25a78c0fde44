/**
 * JSON values and their canonical form.
 *
 * A body is kept as plain data in the order of its source; two bodies are the same when their canonical forms are,
 * so that white space and key order never count as a change.
 */

import { DOCUMENT_BYTES, JSON_DEPTH } from '../platform/limits.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const BACKSLASH = 92;

/**
 * The value that a text is in JSON; undefined where it is none, or lies deeper than what goes through it may follow.
 * `JSON.parse` throws nothing but that it is none.
 */
export function parsedJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [SPACE, QUOTE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [32, 34, 91, 93, 123, 125];

function isTooDeep(text: string): boolean {
  if (!opensMany(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      if (at < 0) return false;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (++depth > JSON_DEPTH) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
  }
  return false;
}

/** Whether there are more arrays and objects than may lie in each other; in long lists of texts and numbers there are few. */
function opensMany(text: string): boolean {
  let opened = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++opened > JSON_DEPTH) return true;
  return false;
}

/** Whether a text of JSON is compact: without white space between its tokens, whatever the order of names and the escapes are. */
export function isCompactJson(json: string): boolean {
  // White space between tokens touches a bracket, a comma or a colon; within texts it rarely does.
  if (!/^\s|\s$|[[\]{},:]\s|\s[[\]{},:]/.test(json)) return true;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code <= SPACE) return false;
    if (code === QUOTE) at = closingQuote(json, at);
  }
  return true;
}

/** The object that the text of a document is in JSON; undefined where it is none, or larger than documents may be. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = text.length > DOCUMENT_BYTES ? undefined : parsedJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Where a text in double quotes that opens at `start` closes; -1 where it does not. */
export function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether a character stands behind a backslash that escapes it: behind an odd number of them. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** The items of an array; none where the value is something else. */
export function itemsIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Code-unit order: the order of every listing, whatever the locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The JSON Canonicalization Scheme (RFC 8785): keys in code-unit order, numbers as ECMAScript prints them. */
export function canonicalJson(value: Json): string {
  return isInOrder(value) ? JSON.stringify(value) : canonicalFrom(value, canonicalJson);
}

/** The same of a value of which `textOf` gives the canonical texts of the parts. */
export function canonicalFrom(value: Json, textOf: (part: Json) => string): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort(byCodeUnit);
  let text = '{';
  for (const key of keys) {
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${textOf(value[key] ?? null)}`;
  }
  return `${text}}`;
}

/** Whether all keys stand in code-unit order already, as they often do: then plain JSON is canonical. */
export function isInOrder(value: Json): boolean {
  if (Array.isArray(value)) return value.every(isInOrder);
  if (!isJsonObject(value)) return true;
  let last: string | undefined;
  for (const key of Object.keys(value)) {
    if ((last !== undefined && key < last) || !isInOrder(value[key] ?? null)) return false;
    last = key;
  }
  return true;
}

export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i] ?? null));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] ?? null, b[key] ?? null))
  );
}

/** Sets an own property whatever its name: `__proto__` is data like any other. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** What others have where a text should be, as a text. Of an object, String() would call the `toString` that it may have. */
export function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** The tokens of a JSON pointer; undefined when it is not one. */
export function pointerTokens(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  const tokens = pointer.slice(1).split('/');
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}

export function escapeToken(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

export function isIndex(token: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(token);
}

export function valueAt(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value;
  for (const token of pointerTokens(pointer) ?? []) {
    if (Array.isArray(here)) here = isIndex(token) ? here[Number(token)] : undefined;
    else here = isJsonObject(here) && Object.hasOwn(here, token) ? here[token] : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}
