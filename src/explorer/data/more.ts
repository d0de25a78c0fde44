/** The second script of the page, loaded when it is first asked for. */
import { useEffect, useState } from 'preact/hooks';

export type More = typeof import('../more.ts');
export type LoadedMore = More | 'missing' | undefined;

let loaded: LoadedMore;
let loading: Promise<void> | undefined;

/** Loads it ahead of time; the scripts' build makes a script of what is imported so. */
export function loadMore(): Promise<void> {
  loading ??= import('../more.ts').then(
    (more) => {
      loaded = more;
    },
    () => {
      loaded = 'missing';
      loading = undefined;
    },
  );
  return loading;
}

export function useMore(isWanted: boolean): LoadedMore {
  const [, setLoaded] = useState(loaded);
  useEffect(() => {
    if (!isWanted) return;
    // It may have come since this was drawn, which nothing else would tell.
    if (loaded === undefined) void loadMore().then(() => setLoaded(loaded));
    else setLoaded(loaded);
  }, [isWanted]);
  return loaded;
}
