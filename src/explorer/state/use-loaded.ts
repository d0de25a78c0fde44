/** Something that is being read: how far it is, and what came of it. */
import { useEffect, useState } from 'preact/hooks';
import { MovedError, ReadError, readAnew } from '../data/reader.ts';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: string };

/** Reads again when `key` changes; what comes too late for another key is passed over. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly state: Loaded<T> }>();
  useEffect(() => {
    let isWanted = true;
    const set = (state: Loaded<T>) => {
      if (isWanted) setLoaded({ key, state });
    };
    load().then(
      (value) => set({ kind: 'done', value }),
      (error: unknown) => {
        if (error instanceof MovedError) readAnew();
        if (!(error instanceof ReadError)) throw error;
        set({ kind: 'failed', problem: error.message });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  return loaded?.key === key ? loaded.state : { kind: 'loading' };
}
