/** Whether a media query is true of the page now. */
import { useEffect, useState } from 'preact/hooks';

export function useMedia(query: string): boolean {
  const [is, setIs] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setIs(list.matches);
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return is;
}

/** Tables would have to be scrolled sideways: rows become cards. */
export const NARROW = '(max-width: 40rem)';
