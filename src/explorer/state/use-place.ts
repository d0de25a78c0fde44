/** The place in the fragment, for components, and how a view changes its own. */
import { useEffect, useState } from 'preact/hooks';
import { fragmentOf, type ViewAddress, viewAddressOf } from './place.ts';

export function usePlace(): ViewAddress {
  const [place, setPlace] = useState(() => viewAddressOf(location.hash));
  useEffect(() => {
    const follow = () => setPlace(viewAddressOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

/** The same view with other parameters: no step on the way back, since every letter of a search would be one. */
export function adjust(path: string, params: URLSearchParams): void {
  history.replaceState(null, '', fragmentOf(path, params));
  dispatchEvent(new Event('hashchange'));
}
