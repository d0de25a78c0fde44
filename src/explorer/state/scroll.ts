/** Remembers scroll positions, so that the button Back restores the position. */

/** Maps a history entry to the scroll position of the page, and a URL fragment to the scroll position of the table. */
const positions = new Map<unknown, number>();
let entry: unknown;

/** Returns the state of a new history entry: its identifier. */
export const newEntry = () => ({ entry: Date.now() });

/** Gives each entry of the browser's history an identifier. Call this function before the explorer shows a view. */
export function rememberPlaces(): void {
  const enter = () => {
    // An entry of a link, or of the first visit, has no identifier.
    if (!history.state?.entry) history.replaceState({ ...history.state, ...newEntry() }, '');
    entry = history.state.entry;
    // After a reload, or after Back from another page, the browser runs this script again.
    if (history.state.top && !positions.has(entry)) positions.set(entry, history.state.top);
  };
  enter();
  addEventListener('scrollend', () => history.replaceState({ ...history.state, top: scrollY }, ''));
  // The browser would scroll before the view has its full height.
  history.scrollRestoration = 'manual';
  addEventListener('hashchange', () => {
    positions.set(entry, scrollY);
    enter();
  });
}

const INPUTS = ['wheel', 'pointerdown', 'keydown'] as const;

/** The id of the section to which the next view scrolls. */
let nextSection: string | undefined;

/** Scrolls to the section with this id. If the page does not contain it, the next view scrolls to it. */
export function scrollToSection(id: string): void {
  const section = document.getElementById(id);
  if (section) section.scrollIntoView();
  else nextSection = id;
}

/** Scrolls to the chosen section, to the saved position, or to the top. Scrolls again when the page grows, until the user acts. */
export function restoreScroll(page: Element, isNewView: boolean): () => void {
  const top = positions.get(entry) ?? 0;
  const section = nextSection;
  nextSection = undefined;
  const observer = new ResizeObserver(() => {
    if (section) document.getElementById(section)?.scrollIntoView();
    else scrollTo(0, top);
  });
  const stop = () => observer.disconnect();
  if (isNewView || positions.has(entry)) observer.observe(page);
  for (const type of INPUTS) addEventListener(type, stop, { once: true });
  return stop;
}

export function rememberTableScroll(top: number): void {
  positions.set(location.hash, top);
}

/** Returns 0 for an unvisited URL. */
export function tableScroll(): number {
  return positions.get(location.hash) ?? 0;
}
