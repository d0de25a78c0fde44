/** The place in the fragment, for components, and how a view changes its own. */
import { useEffect, useState } from 'preact/hooks';
import { hrefOf, type Place, placeOf } from './place.ts';

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useEffect(() => {
    const follow = () => setPlace(placeOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

/** The same view with other parameters: no step on the way back, since every letter of a search would be one. */
export function adjust(path: string, params: URLSearchParams): void {
  history.replaceState(null, '', hrefOf(path, params));
  dispatchEvent(new Event('hashchange'));
}
