import { getOrCreate } from '../../platform/lookups.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/**
 * Pairs the items of two arrays. The result lists, for each item of `after`, the position of its partner in `before`.
 *
 * The function tries the key fields in order. A key field pairs two items if its value is unique in both arrays. Items
 * without a unique key are paired in order. Items with different unique keys are never paired.
 *
 * The first key field names the place of a part. All later key fields identify the part itself. If a later key field
 * pairs all items, that field is tried first, because the parts only changed places.
 */
export function pairItems(
  before: readonly Json[],
  after: readonly Json[],
  keys: readonly string[],
): (number | undefined)[] {
  if (keys.length === 0 || !before.every(isJsonObject) || !after.every(isJsonObject))
    return after.map((_, i) => (i < before.length ? i : undefined));
  const partners: (number | undefined)[] = after.map(() => undefined);
  const taken = new Set<number>();
  const pair = (i: number, j: number) => {
    partners[j] = i;
    taken.add(i);
  };
  const [old, now] = [keyedItems(before), keyedItems(after)];
  for (const key of inTurn(old, now, keys)) {
    const places = old.placesOf(key);
    for (const [value, j] of now.placesOf(key)) {
      const i = places.get(value);
      if (i !== undefined && !taken.has(i) && partners[j] === undefined) pair(i, j);
    }
  }
  const [looseBefore, looseAfter] = [looseItems(old, keys), looseItems(now, keys)];
  const pairInOrder = (some: readonly number[], others: readonly number[]) => {
    const free = others.filter((j) => partners[j] === undefined);
    for (const i of some) {
      if (taken.has(i)) continue;
      const j = free.shift();
      if (j === undefined) return;
      pair(i, j);
    }
  };
  pairInOrder(looseBefore, looseAfter);
  pairInOrder(looseBefore, [...after.keys()]);
  pairInOrder([...before.keys()], looseAfter);
  return partners;
}

function inTurn(before: KeyedItems, after: KeyedItems, keys: readonly string[]): readonly string[] {
  const { length } = before.items;
  const [name, ...others] = keys;
  if (name === undefined || length !== after.items.length) return keys;
  const pairsAll = (key: string) => {
    const [old, now] = [before.placesOf(key), after.placesOf(key)];
    return old.size === length && now.size === length && [...now.keys()].every((value) => old.has(value));
  };
  const complete = others.find(pairsAll);
  return complete === undefined ? keys : [complete, ...keys.filter((key) => key !== complete)];
}

interface KeyedItems {
  readonly items: readonly JsonObject[];
  readonly placesOf: (key: string) => ReadonlyMap<string, number>;
}

function keyedItems(items: readonly JsonObject[]): KeyedItems {
  const known = new Map<string, ReadonlyMap<string, number>>();
  return { items, placesOf: (key) => getOrCreate(known, key, () => uniquePlaces(items, key)) };
}

function uniquePlaces(items: readonly JsonObject[], key: string): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [i, item] of items.entries()) {
    const value = keyValue(item, key);
    if (value === undefined) continue;
    if (places.has(value)) repeated.add(value);
    places.set(value, i);
  }
  for (const value of repeated) places.delete(value);
  return places;
}

function looseItems({ items, placesOf }: KeyedItems, keys: readonly string[]): number[] {
  const keyed = new Set(keys.flatMap((key) => [...placesOf(key).values()]));
  return [...items.keys()].filter((i) => !keyed.has(i));
}

/**
 * Labels each array item `key=value`. The key is the first key field whose value is unique in the array. An item
 * without such a field has no label.
 */
export function itemLabels(items: readonly JsonObject[], keys: readonly string[]): (string | undefined)[] {
  const labels: (string | undefined)[] = items.map(() => undefined);
  for (const key of keys) {
    for (const [value, i] of uniquePlaces(items, key)) labels[i] ??= `${key}=${value}`;
  }
  return labels;
}

export function itemName(item: Json | undefined, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item)) return undefined;
  for (const key of keys) {
    const value = keyValue(item, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

function keyValue(item: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(item, key) ? item[key] : undefined;
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' ? String(value) : undefined;
}
