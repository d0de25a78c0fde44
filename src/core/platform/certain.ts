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
