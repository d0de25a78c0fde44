/** Remembers scroll positions, so that Back returns to the same place. */

/** Positions of the page by entry of the browser's history, and of the table of nodes by address. */
const positions = new Map<unknown, number>();
let entry: unknown;

/** Gives each entry of the browser's history an identifier. Call it before the first view is shown. */
export function rememberPlaces(): void {
  const enter = () => {
    entry = history.state?.entry ?? Date.now();
    history.replaceState({ ...history.state, entry }, '');
  };
  enter();
  // A reload, and Back from another page, start the script again.
  if (history.state.top) positions.set(entry, history.state.top);
  addEventListener('scrollend', () => history.replaceState({ ...history.state, top: scrollY }, ''));
  // The browser would scroll before the view is as long as it was.
  history.scrollRestoration = 'manual';
  addEventListener('hashchange', () => {
    positions.set(entry, scrollY);
    enter();
  });
}

const INPUTS = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to where the reader left this entry, or to the top of a new view. Scrolls again whenever the page grows, until
 * the reader acts or the returned function is called.
 */
export function restoreScroll(page: Element, isNewView: boolean): () => void {
  const top = positions.get(entry) ?? 0;
  const observer = new ResizeObserver(() => scrollTo(0, top));
  const stop = () => observer.disconnect();
  if (isNewView || positions.has(entry)) observer.observe(page);
  for (const type of INPUTS) addEventListener(type, stop, { once: true });
  return stop;
}

export function rememberTableScroll(top: number): void {
  positions.set(location.hash, top);
}

/** 0 for an address that was not visited. */
export function tableScroll(): number {
  return positions.get(location.hash) ?? 0;
}
