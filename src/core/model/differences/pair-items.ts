/** Which items of two arrays are the same thing: by their natural keys, else by position. */
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/**
 * For each item of `after` the position of its partner in `before`, if it has one. Keys are tried in turn, and pair
 * items whose value of a key occurs once in each array. Items that no key tells from others are paired in the order
 * in which they stand, with each other first; items that keys tell apart never are.
 *
 * The first key names the place of a part, the others the part itself. When all of the same parts are there and have only
 * changed their names, they are paired by themselves: none was replaced.
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

/** The keys in the order in which they pair; first one by which each item has its partner, if there is one. */
function inTurn(before: KeyedItems, after: KeyedItems, keys: readonly string[]): readonly string[] {
  const { length } = before.items;
  const [name, ...others] = keys;
  if (name === undefined || length !== after.items.length) return keys;
  const pairsAll = (key: string) => {
    const [old, now] = [before.placesOf(key), after.placesOf(key)];
    return old.size === length && now.size === length && [...now.keys()].every((value) => old.has(value));
  };
  const certain = others.find(pairsAll);
  return certain === undefined ? keys : [certain, ...keys.filter((key) => key !== certain)];
}

interface KeyedItems {
  readonly items: readonly JsonObject[];
  /** Where the values of a key stand that occur once. */
  readonly placesOf: (key: string) => ReadonlyMap<string, number>;
}

/** Items whose places by a key are looked up once, however often they are asked for. */
function keyedItems(items: readonly JsonObject[]): KeyedItems {
  const known = new Map<string, ReadonlyMap<string, number>>();
  return {
    items,
    placesOf: (key) => {
      const places = known.get(key) ?? uniquePlaces(items, key);
      known.set(key, places);
      return places;
    },
  };
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
  const told = new Set(keys.flatMap((key) => [...placesOf(key).values()]));
  return [...items.keys()].filter((i) => !told.has(i));
}

/**
 * What tells each item from the others: its first key whose value no other item has, as `key=value`; undefined for an
 * item that nothing tells apart. Items of two arrays that have the same label are partners.
 */
export function itemLabels(items: readonly JsonObject[], keys: readonly string[]): (string | undefined)[] {
  const labels: (string | undefined)[] = items.map(() => undefined);
  for (const key of keys) {
    for (const [value, i] of uniquePlaces(items, key)) labels[i] ??= `${key}=${value}`;
  }
  return labels;
}

/** The name by which an item is known: the value of its first key that says something. */
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
