/** Bodies kept in memory, each as the compact JSON text that responses are made of. */
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
  const texts: string[] = [];
  const handles = new Map<string, number>();
  const find = (json: string) => below?.find(json) ?? handles.get(json);
  return {
    size: () => first + texts.length,
    find,
    put: (json) => {
      const known = find(json);
      if (known !== undefined) return known;
      const handle = first + texts.push(json) - 1;
      handles.set(json, handle);
      return handle;
    },
    get: (handle) => {
      if (below && handle < first) return below.get(handle);
      const text = texts[handle - first];
      if (text === undefined) throw new Error(`no body has the handle ${handle}`);
      return text;
    },
  };
}
