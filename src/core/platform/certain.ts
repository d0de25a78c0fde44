/** Reading what is there by construction. Where it is not, that is a bug, and must not pass for an empty value. */

export function certain<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value is missing that should be there');
  return value;
}

export function mustGet<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`there is no value of ${String(key)}`);
  return value;
}

export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no item ${index} in a list of ${list.length}`);
  return item;
}

/**
 * The place of the last of ascending numbers that is at most `bound`; the one before `start` where there is none. Looked at
 * are those from `start` to before `end`.
 */
export function lastAtOrBefore(ascending: ArrayLike<number>, bound: number, start = 0, end = ascending.length): number {
  let [from, to] = [start, end];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (itemAt(ascending, middle) <= bound) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

export function isAmong(ascending: ArrayLike<number>, number: number): boolean {
  return ascending[lastAtOrBefore(ascending, number)] === number;
}
