import { useEffect, useState } from 'preact/hooks';
import { ReadError, RevisionChangedError, reloadOnce } from '../data/reader.ts';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: string };

export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly state: Loaded<T> }>();
  useEffect(() => {
    let isCurrent = true;
    const set = (state: Loaded<T>) => {
      if (isCurrent) setLoaded({ key, state });
    };
    load().then(
      (value) => set({ kind: 'done', value }),
      (error: unknown) => {
        if (error instanceof RevisionChangedError) reloadOnce();
        if (!(error instanceof ReadError)) throw error;
        set({ kind: 'failed', problem: error.message });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return loaded?.key === key ? loaded.state : { kind: 'loading' };
}
