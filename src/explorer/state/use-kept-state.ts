import { useEffect, useState } from 'preact/hooks';

const kept = new Map<string, unknown>();

/** Returns a state that Back restores, because the page stores the state by address. `name` identifies the state. */
export function useKeptState<T>(name: string, initial: T) {
  const state = useState<T>(() => (kept.get(name + location.hash) as T | undefined) ?? initial);
  useEffect(() => {
    kept.set(name + location.hash, state[0]);
  });
  return state;
}
