/** Loading the page anew, once, when what it reads is of another revision than what it has read. */

const MARK = 'gridpress-read-anew';

/** Whether the page was loaded anew for that: then what caches hold may be of the former revision. */
export function wasReadAnew(): boolean {
  return Number(history.state?.[MARK] ?? 0) > 0;
}

/** Once: a tree whose parts never agree must not be loaded for ever. */
export function readAnew(): void {
  if (wasReadAnew()) return;
  history.replaceState({ [MARK]: 1 }, '');
  location.reload();
}
