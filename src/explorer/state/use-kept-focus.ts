/**
 * Keeps the focus in the page: where what had it goes away (a filter that is cleared, a row that is scrolled out of
 * sight), it goes to what stands for it, or the keyboard would begin anew at the top.
 */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

type Finds = () => HTMLElement | null | undefined;

export function useKeptFocus(scope: Finds, successor: Finds): void {
  const last = useRef<Element | undefined>(undefined);
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      last.current = target instanceof Element && scope()?.contains(target) ? target : undefined;
    };
    addEventListener('focusin', follow);
    return () => removeEventListener('focusin', follow);
  }, []);
  useLayoutEffect(() => {
    if (!last.current || last.current.isConnected || document.activeElement !== document.body) return;
    last.current = undefined;
    successor()?.focus({ preventScroll: true });
  });
}
