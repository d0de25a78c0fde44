import { useEffect, useState } from 'preact/hooks';

/**
 * A view and its parameters. The fragment of the URL contains them, with paths of the API:
 * `#/sites/lyra/clusters/c/nodes/n?at=6fc00df`.
 */
export interface ViewAddress {
  /** The path without a leading slash. The path of the first view is empty. */
  readonly path: string;
  readonly params: URLSearchParams;
}

function viewAddressOf(fragment: string): ViewAddress {
  const text = fragment.replace(/^#?\/?/, '');
  const at = text.indexOf('?');
  const path = at < 0 ? text : text.slice(0, at);
  return { path: decoded(path).replace(/\/+$/, ''), params: new URLSearchParams(at < 0 ? '' : text.slice(at + 1)) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the `href` of a link to a view. Escapes no more characters than necessary, so that the URL stays readable.
 */
export function fragmentOf(path: string, params?: URLSearchParams): string {
  const query = String(params ?? '').replace(/%2C|%3A|%2F/g, decodeURIComponent);
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return `#/${escaped}${query === '' ? '' : `?${query}`}`;
}

/** The parameters that every link keeps: the revision, the picked nodes, and whether all fields are loaded. */
const LASTING = ['at', 'pick', 'fields'];

function lastingParams(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => LASTING.includes(name)));
}

type ParamChanges = Readonly<Record<string, string | readonly string[] | undefined>>;

export function linkWithin({ params }: ViewAddress, path: string, changes: ParamChanges = {}): string {
  return fragmentOf(path, withParams(lastingParams(params), changes));
}

/** The parameters with which the page last showed the view of nodes. */
let lastNodesParams = new URLSearchParams();

/**
 * Returns the same link as `linkWithin`, but a link to the view of nodes also keeps its last filters, columns and sort
 * order.
 */
export function linkToView({ params }: ViewAddress, path: string, changes: ParamChanges = {}): string {
  const kept = [...lastNodesParams].filter(([name]) => path === 'nodes' && ![...LASTING, 'page'].includes(name));
  return fragmentOf(path, withParams(new URLSearchParams([...kept, ...lastingParams(params)]), changes));
}

/** Opens the view to which `linkWithin` would link. */
export function navigateWithin({ params }: ViewAddress, path: string, changes: ParamChanges = {}): void {
  navigate(path, withParams(lastingParams(params), changes));
}

/** Returns a copy of the parameters with changes. A change to `undefined` or to an empty list removes the parameter. */
export function withParams(params: URLSearchParams, changes: ParamChanges): URLSearchParams {
  const copy = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    copy.delete(name);
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) copy.append(name, each);
  }
  return copy;
}

export function usePlace(): ViewAddress {
  const [place, setPlace] = useState(() => viewAddressOf(location.hash));
  useEffect(() => {
    const follow = ({ isTrusted }: Event) => {
      // Only an event from the browser is trusted. The browser sends it for links, Back and Forward.
      if (isTrusted) typedAddress = undefined;
      setPlace(viewAddressOf(location.hash));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  if (place.path === 'nodes') lastNodesParams = place.params;
  return place;
}

/** Opens a view and adds an entry to the browser's history. */
export function navigate(path: string, params: URLSearchParams): void {
  const fragment = fragmentOf(path, params);
  if (fragment === location.hash) return;
  typedAddress = undefined;
  history.pushState(null, '', fragment);
  dispatchEvent(new Event('hashchange'));
}

/**
 * Opens a view like `navigate`, but replaces the entry in the browser's history. Otherwise each step of a drag would
 * add an entry.
 */
export function adjust(path: string, params: URLSearchParams): void {
  history.replaceState(null, '', fragmentOf(path, params));
  dispatchEvent(new Event('hashchange'));
}

/** The fragment that typing in the search box wrote last. Undefined after any other action. */
let typedAddress: string | undefined;

/**
 * Opens a view while the user types. The first letter adds an entry to the browser's history, and the next letters
 * replace it.
 */
export function navigateByTyping(path: string, params: URLSearchParams): void {
  if (fragmentOf(path, params) === location.hash) return;
  if (location.hash === typedAddress) adjust(path, params);
  else navigate(path, params);
  typedAddress = location.hash;
}

/** The maximum number of nodes in a comparison. A node can have several columns, one for each version. */
export const MOST_COMPARED = 6;

/** The minimum length of a shortened uid. A shorter one would probably match nodes that are added in the future. */
const SHORTEST = 8;

export function shortUids(uids: readonly string[], all: readonly string[]): string {
  return uids.map((uid) => shortUid(uid, all)).join(',');
}

function shortUid(uid: string, all: readonly string[]): string {
  for (let length = SHORTEST; length < uid.length; length++) {
    const start = uid.slice(0, length);
    if (all.every((other) => other === uid || !other.startsWith(start))) return start;
  }
  return uid;
}

/** Returns the rows of the picked nodes. `unknown` lists the shortened uids that match no node at this revision. */
export function pickedRows(text: string | null, uids: readonly string[]) {
  const rows: number[] = [];
  const unknown: string[] = [];
  for (const start of (text ?? '').split(',').filter((part) => part !== '')) {
    const row = uids.includes(start) ? uids.indexOf(start) : uids.findIndex((uid) => uid.startsWith(start));
    if (row < 0) unknown.push(start);
    else if (!rows.includes(row)) rows.push(row);
  }
  return { rows, unknown };
}
