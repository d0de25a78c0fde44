/** Bodies kept in memory, each as the compact JSON text that responses are made of. */
import type { BodyStore } from './state.ts';

export function memoryStore(): BodyStore {
  const texts: string[] = [];
  return {
    put: (json) => texts.push(json) - 1,
    get: (handle) => {
      const text = texts[handle];
      if (text === undefined) throw new Error(`no body has the handle ${handle}`);
      return text;
    },
  };
}
