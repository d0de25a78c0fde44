import { useEffect, useState } from 'preact/hooks';

const kept = new Map<string, unknown>();

/** Returns a state that the button Back restores. The explorer stores the state by `name` and URL fragment. */
export function useKeptState<T>(name: string, initial: T) {
  const state = useState<T>(() => (kept.get(name + location.hash) as T | undefined) ?? initial);
  useEffect(() => {
    kept.set(name + location.hash, state[0]);
  });
  return state;
}
