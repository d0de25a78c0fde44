/**
 * What JSON.parse passes over in silence: keys that stand twice, and numbers that a double cannot hold. The text is
 * looked at closely only when a cheap look says that it may hold either.
 */
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { isJsonObject, type Json, setOwn } from '../model/json.ts';
import { isExactNumber } from './yaml.ts';

/** What is odd about a file, and harmless. */
export type Oddity =
  | { readonly code: 'duplicate-key'; readonly key: string }
  | { readonly code: 'large-number'; readonly field: string; readonly text: string }
  | { readonly code: 'uid'; readonly uid: string }
  | { readonly code: 'identity'; readonly fields: readonly string[] }
  | { readonly code: 'type'; readonly type: string };

export function jsonOddities(text: string, value: Json): { value: Json; oddities: Oddity[] } {
  const mayRepeat = countKeys(value) !== (text.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0);
  const mayLose = /\d{16}|\d[eE]/.test(text);
  if (!mayRepeat && !mayLose) return { value, oddities: [] };
  const oddities: Oddity[] = [];
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'json',
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const kept = document.errors.length > 0 ? value : walk(document.contents, value, '', oddities);
  return { value: kept, oddities };
}

function countKeys(value: Json): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + countKeys(item), 0);
}

/** The value again, with numbers that would be lost as strings. */
function walk(node: unknown, value: Json, field: string, oddities: Oddity[]): Json {
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
