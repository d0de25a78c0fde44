import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

type FindElement = () => HTMLElement | null | undefined;

/** Moves the focus to `successor` when the focused element disappears. Otherwise, the focus would move to the top. */
export function useFocusFallback(scope: FindElement, successor: FindElement): void {
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

/** The key "/" moves the focus to the search box, but not while the user types in another input. */
export function useFocusOnSlash(input: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || (event.target instanceof Element && event.target.matches('input, select'))) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
}
