/**
 * A persistent map in key order: `with` and `without` give a new map and share all but one chunk with the old one.
 * So the states of many revisions cost memory by what changed, not by revisions times resources.
 */
import { byCodeUnit } from './json.ts';

type Entry<V> = readonly [key: string, value: V];
type Chunk<V> = readonly Entry<V>[];

const CHUNK_SIZE = 64;

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
    for (let i = 0; i < sorted.length; i += CHUNK_SIZE / 2) chunks.push(sorted.slice(i, i + CHUNK_SIZE / 2));
    return new SortedMap(chunks, sorted.length);
  }

  get(key: string): V | undefined {
    const chunk = this.#chunks[this.#chunkOf(key)];
    const entry = chunk?.[position(chunk, key)];
    return entry?.[0] === key ? entry[1] : undefined;
  }

  with(key: string, value: V): SortedMap<V> {
    if (this.#chunks.length === 0) return new SortedMap([[[key, value]]], 1);
    const at = this.#chunkOf(key);
    const chunk = [...(this.#chunks[at] ?? [])];
    const place = position(chunk, key);
    const known = chunk[place]?.[0] === key;
    chunk.splice(place, known ? 1 : 0, [key, value]);
    const half = chunk.length >> 1;
    const chunks = chunk.length > CHUNK_SIZE ? [chunk.slice(0, half), chunk.slice(half)] : [chunk];
    return new SortedMap(this.#chunks.toSpliced(at, 1, ...chunks), this.size + (known ? 0 : 1));
  }

  without(key: string): SortedMap<V> {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at] ?? [];
    const place = position(chunk, key);
    if (chunk[place]?.[0] !== key) return this;
    const rest = chunk.toSpliced(place, 1);
    return new SortedMap(this.#chunks.toSpliced(at, 1, ...(rest.length > 0 ? [rest] : [])), this.size - 1);
  }

  /** The texts of all entries, one behind the other. */
  text(of: (key: string, value: V) => string): string {
    let all = '';
    for (const chunk of this.#chunks) {
      // Put together from the left, the text of many entries is deep, and slow to go through.
      let text = '';
      for (const [key, value] of chunk) text += of(key, value);
      all += text;
    }
    return all;
  }

  *entries(): Generator<Entry<V>> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  *values(): Generator<V> {
    for (const chunk of this.#chunks) for (const entry of chunk) yield entry[1];
  }

  *keys(): Generator<string> {
    for (const chunk of this.#chunks) for (const entry of chunk) yield entry[0];
  }

  /** The last chunk whose first key is not above `key`. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#chunks[middle]?.[0]?.[0] ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Where `key` stands in the chunk, or where it would have to be put. */
function position<V>(chunk: Chunk<V>, key: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle]?.[0] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
