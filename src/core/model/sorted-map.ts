/** A persistent map in key order. To save memory, a changed copy shares all chunks except one with the original. */
import { itemAt } from '../platform/lookups.ts';
import { byCodeUnit } from './json.ts';

type Entry<V> = readonly [key: string, value: V];

/** Keys and values are separate arrays. If only a value changes, the new chunk shares the keys of the old chunk. */
interface Chunk<V> {
  readonly keys: readonly string[];
  readonly values: readonly V[];
}

const CHUNK_SIZE = 32;

export class SortedMap<V> {
  static readonly #empty = new SortedMap<never>([], 0);
  readonly #chunks: readonly Chunk<V>[];
  readonly size: number;

  private constructor(chunks: readonly Chunk<V>[], size: number) {
    this.#chunks = chunks;
    this.size = size;
  }

  static empty<V>(): SortedMap<V> {
    return SortedMap.#empty;
  }

  static from<V>(entries: Iterable<Entry<V>>): SortedMap<V> {
    const sorted = [...entries].sort((a, b) => byCodeUnit(a[0], b[0]));
    const chunks: Chunk<V>[] = [];
    for (let i = 0; i < sorted.length; i += CHUNK_SIZE / 2) {
      const some = sorted.slice(i, i + CHUNK_SIZE / 2);
      chunks.push({ keys: some.map(([key]) => key), values: some.map(([, value]) => value) });
    }
    return new SortedMap(chunks, sorted.length);
  }

  get(key: string): V | undefined {
    const chunk = this.#chunks[this.#chunkOf(key)];
    const place = chunk ? position(chunk, key) : 0;
    return chunk?.keys[place] === key ? chunk.values[place] : undefined;
  }

  with(key: string, value: V): SortedMap<V> {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (!chunk) return new SortedMap([{ keys: [key], values: [value] }], 1);
    const { keys, values } = chunk;
    const place = position(chunk, key);
    if (keys[place] === key) {
      const changed = { keys, values: values.with(place, value) };
      return new SortedMap(this.#chunks.with(at, changed), this.size);
    }
    const grown = { keys: keys.toSpliced(place, 0, key), values: values.toSpliced(place, 0, value) };
    return new SortedMap(this.#chunks.toSpliced(at, 1, ...split(grown)), this.size + 1);
  }

  without(key: string): SortedMap<V> {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    const place = chunk ? position(chunk, key) : 0;
    if (chunk?.keys[place] !== key) return this;
    const rest = { keys: chunk.keys.toSpliced(place, 1), values: chunk.values.toSpliced(place, 1) };
    const chunks = this.#chunks.toSpliced(at, 1, ...(rest.keys.length > 0 ? [rest] : []));
    return new SortedMap(chunks, this.size - 1);
  }

  text(of: (key: string, value: V) => string): string {
    let all = '';
    for (const chunk of this.#chunks) {
      // Joins texts in chunks. Appending every entry to one text would create a deep rope, which V8 flattens slowly.
      let text = '';
      for (const [place, key] of chunk.keys.entries()) text += of(key, itemAt(chunk.values, place));
      all += text;
    }
    return all;
  }

  *entries(): Generator<Entry<V>> {
    for (const { keys, values } of this.#chunks) {
      for (const [place, key] of keys.entries()) yield [key, itemAt(values, place)];
    }
  }

  *values(): Generator<V> {
    for (const { values } of this.#chunks) yield* values;
  }

  *keys(): Generator<string> {
    for (const { keys } of this.#chunks) yield* keys;
  }

  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#chunks[middle]?.keys[0] ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function split<V>(chunk: Chunk<V>): Chunk<V>[] {
  const { keys, values } = chunk;
  if (keys.length <= CHUNK_SIZE) return [chunk];
  const half = keys.length >> 1;
  return [
    { keys: keys.slice(0, half), values: values.slice(0, half) },
    { keys: keys.slice(half), values: values.slice(half) },
  ];
}

function position({ keys }: Chunk<unknown>, key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
