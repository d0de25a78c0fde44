/** Bodies kept in memory, each as the compact JSON text that responses are made of. */
import { packedTexts } from '../platform/packed-texts.ts';
import type { BodyStore } from './state.ts';

export interface MemoryStore extends BodyStore {
  /** How many texts it has, with those below: the handles of others are higher. */
  readonly size: () => number;
  /** The handle of a text; undefined where it was never put. */
  readonly find: (json: string) => number | undefined;
}

/**
 * Equal texts are kept once: what a revision recorded is mostly what the files say. With a store `below`, into which nothing
 * more may be put, it has what that one has, and lets it be.
 */
export function memoryStore(below?: MemoryStore): MemoryStore {
  const first = below?.size() ?? 0;
  const texts = packedTexts();
  return {
    size: () => first + texts.count(),
    find: (json) => {
      const held = below?.find(json);
      if (held !== undefined) return held;
      const number = texts.find(json);
      return number === undefined ? undefined : first + number;
    },
    put: (json) => below?.find(json) ?? first + texts.add(json),
    get: (handle) => {
      if (below && handle < first) return below.get(handle);
      if (handle >= first + texts.count()) throw new Error(`no body has the handle ${handle}`);
      return texts.at(handle - first);
    },
  };
}
