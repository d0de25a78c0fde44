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

/** Returns the exports of the second script, undefined while it loads, or "missing" if it could not be loaded. */
export function useMore(isWanted: boolean): LoadedMore {
  const [, setLoaded] = useState(loaded);
  useEffect(() => {
    if (!isWanted) return;
    // Another component may have loaded the script after the last render.
    if (loaded === undefined) void loadMore().then(() => setLoaded(loaded));
    else setLoaded(loaded);
  }, [isWanted]);
  return loaded;
}
