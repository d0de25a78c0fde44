import { useLayoutEffect, useState } from 'preact/hooks';
import { newEntry } from './scroll.ts';
import type { ChangesOf, ParamChanges, ParamName, Params } from './view-params.ts';

/** A view and its parameters, from a URL fragment such as `#/sites/lyra/clusters/c/nodes/n?at=6fc00df`. */
export interface ViewAddress {
  /** The path without a leading slash. The path of the first view is empty. */
  readonly path: string;
  readonly params: Params;
}

/** A citation links to `?revision=ID`, because "#" in an argument of a macro stops LaTeX. */
function shownAddress(): ViewAddress {
  const text = (location.hash || location.search.replace('?revision=', 'versions/')).replace(/^#?\/?/, '');
  const [path = ''] = text.split('?', 1);
  return { path: decoded(path).replace(/\/+$/, ''), params: new URLSearchParams(text.slice(path.length)) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the `href` of a link to a view. Leaves some characters unescaped to keep the URL readable. */
export function fragmentOf(path: string, params?: Params): string {
  const query = String(params ?? '').replace(/%2C|%3A|%2F/g, decodeURIComponent);
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return `#/${escaped}${query === '' ? '' : `?${query}`}`;
}

const LASTING: readonly string[] = ['at', 'pick', 'fields'] satisfies ParamName<'every'>[];

function lastingParams(params: Params): Params {
  return new URLSearchParams([...params].filter(([name]) => LASTING.includes(name)));
}

export function linkWithin<Path extends string>(
  { params }: ViewAddress,
  path: Path,
  changes?: ChangesOf<Path>,
): string {
  return fragmentOf(path, withParams(lastingParams(params), changes));
}

/** The parameters with which the view of nodes was last shown. */
let lastNodesParams: Params = new URLSearchParams();

/** Works like `linkWithin`, but also keeps the last filters, columns and sort order of the view of nodes. */
export function linkToView({ params }: ViewAddress, path: string, changes?: ParamChanges): string {
  const kept = [...lastNodesParams].filter(([name]) => path === 'nodes' && ![...LASTING, 'page'].includes(name));
  return fragmentOf(path, withParams(new URLSearchParams([...kept, ...lastingParams(params)]), changes));
}

export function navigateWithin<Path extends string>(
  { params }: ViewAddress,
  path: Path,
  changes: ChangesOf<Path>,
): void {
  navigate(path, withParams(lastingParams(params), changes));
}

/** Returns a changed copy of the parameters. */
export function withParams(params: Params, changes: ParamChanges = {}): Params {
  const copy = new URLSearchParams(String(params));
  for (const [name, value] of Object.entries(changes)) {
    copy.delete(name);
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) copy.append(name, each);
  }
  return copy;
}

export function usePlace(): ViewAddress {
  const [place, setPlace] = useState(() => shownAddress());
  // An effect after the paint would miss a click on a link before it.
  useLayoutEffect(() => {
    const follow = ({ isTrusted }: Event) => {
      // Only the browser sends trusted events, after a click on a link or the buttons Back and Forward.
      if (isTrusted) typedAddress = undefined;
      setPlace(shownAddress());
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  if (place.path === 'nodes') lastNodesParams = place.params;
  return place;
}

export function navigate(path: string, params: Params): void {
  const fragment = fragmentOf(path, params);
  if (fragment === location.hash) return;
  typedAddress = undefined;
  history.pushState(newEntry(), '', fragment);
  dispatchEvent(new Event('hashchange'));
}

/** Works like `navigate`, but replaces the history entry. Otherwise each step of a drag would add an entry. */
export function adjust(path: string, params: Params): void {
  history.replaceState(newEntry(), '', fragmentOf(path, params));
  dispatchEvent(new Event('hashchange'));
}

/** The fragment of the last search by typing. Undefined after any other action. */
let typedAddress: string | undefined;

/** Opens a view while the user types. Only the first letter adds an entry to the browser's history. */
export function navigateByTyping(path: string, params: Params): void {
  if (fragmentOf(path, params) === location.hash) return;
  if (location.hash === typedAddress) adjust(path, params);
  else navigate(path, params);
  typedAddress = location.hash;
}

/** The maximum number of nodes in a comparison. A node can have several columns, one for each version. */
export const MOST_COMPARED = 6;
