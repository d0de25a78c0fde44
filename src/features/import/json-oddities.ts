/**
 * What JSON.parse passes over in silence: keys that stand twice, and numbers that a double cannot hold. The text is
 * looked at closely only when a cheap look says that it may hold either.
 */
import { isJsonObject, type Json, setOwn } from '../../core/model/json.ts';
import { yaml } from '../../core/platform/modules.ts';
import { isExactNumber } from '../../core/registry/yaml/read-yaml.ts';

/** What is odd about a file, and harmless. */
export type Oddity =
  | { readonly code: 'duplicate-key'; readonly key: string }
  | { readonly code: 'large-number'; readonly field: string; readonly text: string }
  | { readonly code: 'uid'; readonly uid: string }
  | { readonly code: 'identity'; readonly fields: readonly string[] }
  | { readonly code: 'type'; readonly type: string };

const [QUOTE, SPACE] = [34, 32];

export function jsonOddities(text: string, value: Json): { value: Json; oddities: Oddity[] } {
  const seen = survey(value);
  if (seen.isExact && seen.keys === keysIn(text)) return { value, oddities: [] };
  const oddities: Oddity[] = [];
  const document = yaml().parseDocument(text, {
    version: '1.2',
    schema: 'json',
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const kept = document.errors.length > 0 ? value : walk(document.contents, value, '', oddities);
  return { value: kept, oddities };
}

interface Survey {
  keys: number;
  isExact: boolean;
}

/** How many keys a value has, and whether all its numbers can be what the text says. */
function survey(value: Json, seen: Survey = { keys: 0, isExact: true }): Survey {
  if (typeof value === 'number') {
    seen.isExact &&= Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  } else if (Array.isArray(value)) {
    for (const item of value) survey(item, seen);
  } else if (isJsonObject(value)) {
    for (const item of Object.values(value)) survey(item, seen);
    seen.keys += Object.keys(value).length;
  }
  return seen;
}

/** How many colons stand behind quotes: one for each key, and perhaps some within strings. Undefined where one is apart. */
function keysIn(text: string): number | undefined {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === QUOTE) count++;
    else if (before <= SPACE && text.slice(0, at).trimEnd().endsWith('"')) return undefined;
  }
  return count;
}

/** The value again, with numbers that would be lost as strings. */
function walk(node: unknown, value: Json, field: string, oddities: Oddity[]): Json {
  const { isMap, isScalar, isSeq } = yaml();
  if (isScalar(node) && typeof value === 'number') {
    const source = node.source ?? String(value);
    if (Number.isFinite(value) && (isExactNumber(String(value)) || !Number.isInteger(value))) return value;
    oddities.push({ code: 'large-number', field, text: source });
    return source;
  }
  if (isSeq(node) && Array.isArray(value)) {
    return value.map((item, i) => walk(node.items[i], item, `${field}[${i}]`, oddities));
  }
  if (!isMap(node) || !isJsonObject(value)) return value;
  const seen = new Map<string, unknown>();
  for (const pair of node.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    if (seen.has(key)) oddities.push({ code: 'duplicate-key', key });
    seen.set(key, pair.value);
  }
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    setOwn(result, key, walk(seen.get(key), item, field === '' ? key : `${field}.${key}`, oddities));
  }
  return result;
}
