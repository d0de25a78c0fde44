/** Lookups that throw if a value is missing, because a missing value is a bug. */

export function assertDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value is missing that should be there');
  return value;
}

export function getOrThrow<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`there is no value of ${String(key)}`);
  return value;
}

export function getOrCreate<K, V>(
  map: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  key: K,
  create: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}

/** Returns the groups in the order in which their first items occur. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no item ${index} in a list of ${list.length}`);
  return item;
}

/** Returns the position of the last number <= `bound` in [`start`, `end`). Returns `start - 1` if there is none. */
export function lastAtOrBefore(ascending: ArrayLike<number>, bound: number, start = 0, end = ascending.length): number {
  let [from, to] = [start, end];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (itemAt(ascending, middle) <= bound) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

export function includesSorted(ascending: ArrayLike<number>, number: number): boolean {
  return ascending[lastAtOrBefore(ascending, number)] === number;
}
