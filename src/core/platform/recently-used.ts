/** Values that were used last, as far as there is room for them. */

export interface RecentlyUsed<K, V> {
  /** Holds a value of a size, and with it those that were put last, as far as half of the room goes or further. */
  readonly put: (key: K, value: V, size: number) => void;
  readonly take: (key: K) => V | undefined;
  readonly get: (key: K) => V | undefined;
}

interface Sized<V> {
  readonly value: V;
  readonly size: number;
}

/**
 * Two halves, of which the older one goes as a whole once the younger is full. A map in which each use moves a value to the end
 * would be searched for the oldest past all places that values have left.
 */
export function recentlyUsed<K, V>(room: number): RecentlyUsed<K, V> {
  let older = new Map<K, Sized<V>>();
  let younger = new Map<K, Sized<V>>();
  let used = 0;
  const take = (key: K): V | undefined => {
    const found = younger.get(key);
    if (found) {
      younger.delete(key);
      used -= found.size;
      return found.value;
    }
    const held = older.get(key);
    older.delete(key);
    return held?.value;
  };
  const put = (key: K, value: V, size: number) => {
    take(key);
    if (used + size > room / 2) {
      [older, younger] = [younger, new Map()];
      used = 0;
    }
    younger.set(key, { value, size });
    used += size;
  };
  return {
    put,
    take,
    get: (key) => {
      const found = younger.get(key);
      if (found) return found.value;
      const held = older.get(key);
      if (held) put(key, held.value, held.size);
      return held?.value;
    },
  };
}
