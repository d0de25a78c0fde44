/** Stores each body in memory as compact JSON text. A number, its handle, identifies the body. */

import { sha1 } from '../platform/digests.ts';
import { assertDefined } from '../platform/lookups.ts';
import { newPacking, type PackedText, type Packing } from '../platform/packing.ts';
import type { BodyStore } from './state.ts';

export interface MemoryStore extends BodyStore {
  readonly size: () => number;
  /** Returns undefined for a text that is not stored. */
  readonly find: (json: string) => number | undefined;
}

/** The maximum total length of uncompressed long texts, in characters. Further long texts are compressed. */
const MOST_PLAIN = 1 << 26;
/** The minimum length of a compressed text, in characters. Compressing shorter texts saves little. */
const SHORTEST_PACKED = 512;
const SAMPLES = 4;

/** A text that is already in `below` keeps its handle. Callers must not add texts to `below` after this call. */
export function memoryStore(below?: MemoryStore): MemoryStore {
  const first = below?.size() ?? 0;
  const texts: (string | PackedText)[] = [];
  /** Maps each text to its handle. After compression starts, the map uses SHA-1 digests of long texts as keys. */
  const handles = new Map<string, number>();
  let plain = 0;
  let packing: Packing | undefined;

  const keyOf = (json: string) => (packing && isLong(json) ? sha1(json) : json);
  const findPlain = (json: string) => below?.find(json) ?? handles.get(json);
  return {
    size: () => first + texts.length,
    find: (json) => findPlain(json) ?? handles.get(keyOf(json)),
    put: (json) => {
      const known = findPlain(json);
      if (known !== undefined) return known;
      if (isLong(json)) plain += json.length;
      if (plain > MOST_PLAIN) packing ??= newPacking(sampleOf(texts));
      const key = keyOf(json);
      const handle = handles.get(key) ?? first + texts.push(packing && key !== json ? packing.pack(json) : json) - 1;
      handles.set(key, handle);
      return handle;
    },
    get: (handle) => {
      if (below && handle < first) return below.get(handle);
      const text = texts[handle - first];
      if (text === undefined) throw new Error(`no body has the handle ${handle}`);
      return typeof text === 'string' ? text : assertDefined(packing).unpack(text);
    },
  };
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST_PACKED;
}

function sampleOf(texts: readonly (string | PackedText)[]): string {
  const long = texts.filter((text) => typeof text === 'string' && isLong(text));
  return Array.from({ length: SAMPLES }, (_, i) => long[Math.floor((i * long.length) / SAMPLES)]).join('');
}
