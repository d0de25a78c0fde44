/** Bodies kept in memory, each as the compact JSON text that responses are made of. */
import type { BodyStore } from './state.ts';

/** Equal texts are kept once: what a revision recorded is mostly what the files say. */
export function memoryStore(): BodyStore {
  const texts: string[] = [];
  const handles = new Map<string, number>();
  return {
    put: (json) => {
      const known = handles.get(json);
      if (known !== undefined) return known;
      const handle = texts.push(json) - 1;
      handles.set(json, handle);
      return handle;
    },
    get: (handle) => {
      const text = texts[handle];
      if (text === undefined) throw new Error(`no body has the handle ${handle}`);
      return text;
    },
  };
}
