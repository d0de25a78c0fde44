import { DOCUMENT_BYTES, JSON_DEPTH, JSON_PARTS } from '../platform/limits.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const BACKSLASH = 92;

/** Returns undefined for invalid JSON, and for JSON that exceeds `JSON_DEPTH` or `JSON_PARTS`. */
export function parsedJson(text: string): Json | undefined {
  if (needsTooMuchMemory(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined for bytes that are not UTF-8, or if `parsedJson` returns undefined. Skips a byte order mark. */
export function jsonIn(bytes: Uint8Array): Json | undefined {
  try {
    return parsedJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const [SPACE, QUOTE, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [32, 34, 58, 91, 93, 123, 125];

function needsTooMuchMemory(text: string): boolean {
  if (!hasManyParts(text)) return false;
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      if (at < 0) return false;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (++depth > JSON_DEPTH || ++parts > JSON_PARTS) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
    else if (code === COLON && ++parts > JSON_PARTS) return true;
  }
  return false;
}

/** Whether a text has many brackets and colons. Only such texts need the slower test. */
function hasManyParts(text: string): boolean {
  let found = 0;
  for (const mark of '[{:')
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) if (++found > JSON_DEPTH) return true;
  return false;
}

export function isCompactJson(json: string): boolean {
  // A compact text has no white space next to a bracket, comma or colon. The slower search is then unnecessary.
  if (!/^\s|\s$|[[\]{},:]\s|\s[[\]{},:]/.test(json)) return true;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code <= SPACE) return false;
    if (code === QUOTE) at = closingQuote(json, at);
  }
  return true;
}

/** Returns undefined if the text is longer than `DOCUMENT_BYTES` or is not JSON. */
export function parsedDocument(text: string): Json | undefined {
  return text.length > DOCUMENT_BYTES ? undefined : parsedJson(text);
}

/** Returns undefined if the text is longer than `DOCUMENT_BYTES` or is not a JSON object. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedDocument(text);
  return isJsonObject(value) ? value : undefined;
}

export function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

export function itemsIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return itemsIn(value).filter(isJsonObject);
}

/** All sorted lists use code-unit order, because it does not depend on the locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts names as people do: `c2` before `c10`. */
export function byNaturalOrder(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => name.match(/\d+|\D+/g) ?? []);
  for (const [i, part] of (one ?? []).entries()) {
    const beside = other?.[i] ?? '';
    const order = /^\d/.test(part) && /^\d/.test(beside) ? Number(part) - Number(beside) : byCodeUnit(part, beside);
    if (order !== 0) return order;
  }
  return byCodeUnit(a, b);
}

/** Writes canonical JSON (JCS, RFC 8785): keys in code-unit order, numbers as ECMAScript prints them. */
export function canonicalJson(value: Json): string {
  return hasSortedKeys(value) ? JSON.stringify(value) : canonicalFrom(value, canonicalJson);
}

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

/** If all keys are in code-unit order, JSON.stringify already writes canonical JSON. */
export function hasSortedKeys(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasSortedKeys);
  if (!isJsonObject(value)) return true;
  let last: string | undefined;
  for (const key of Object.keys(value)) {
    if ((last !== undefined && key < last) || !hasSortedKeys(value[key] ?? null)) return false;
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

/** Sets a property with any name, even `__proto__`. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Returns an empty text for any other value than a text. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Never calls the `toString` method of an object, as `String()` would. */
export function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
