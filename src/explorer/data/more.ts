import { useEffect, useState } from 'preact/hooks';

export type More = typeof import('../more.ts');
type LoadedMore = More | 'missing' | undefined;

let loaded: LoadedMore;
let loading: Promise<void> | undefined;

function loadMore(): Promise<void> {
  loading ??= window.gridpress.load('more').then(
    (more) => {
      loaded = more as More;
    },
    () => {
      loaded = 'missing';
      loading = undefined;
    },
  );
  return loading;
}

/** Returns undefined until the script is loaded, or "missing" if it cannot be loaded. */
export function useMore(isWanted: boolean): LoadedMore {
  const [, setLoaded] = useState(loaded);
  useEffect(() => {
    if (!isWanted) return;
    // The script may have loaded after the last render.
    if (loaded === undefined) void loadMore().then(() => setLoaded(loaded));
    else setLoaded(loaded);
  }, [isWanted]);
  return loaded;
}
