import { useEffect, useState } from 'preact/hooks';

/** The fragment of the URL has the paths of the API: `#/sites/lyra/clusters/c/nodes/n?at=6fc00df`. */
export interface ViewAddress {
  /** The path without a leading slash. Empty for the first view. */
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

/** Returns the `href` of a link to a view. Characters that need no escape in a fragment stay readable. */
export function fragmentOf(path: string, params?: URLSearchParams): string {
  const query = String(params ?? '').replace(/%2C|%3A|%2F/g, decodeURIComponent);
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return `#/${escaped}${query === '' ? '' : `?${query}`}`;
}

/** The parameters that links to other views keep: the revision, the picked nodes, and whether all fields are loaded. */
const LASTING = ['at', 'pick', 'fields'];

function lastingParams(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => LASTING.includes(name)));
}

type ParamChanges = Readonly<Record<string, string | readonly string[] | undefined>>;

export function linkWithin({ params }: ViewAddress, path: string, changes: ParamChanges = {}): string {
  return fragmentOf(path, withParams(lastingParams(params), changes));
}

/** The parameters of the view of nodes when it was shown last. */
let lastNodesParams = new URLSearchParams();

/** Like `linkWithin`. A link to the view of nodes also keeps its filters, columns and order. */
export function linkToView({ params }: ViewAddress, path: string, changes: ParamChanges = {}): string {
  const kept = [...lastNodesParams].filter(([name]) => path === 'nodes' && ![...LASTING, 'page'].includes(name));
  return fragmentOf(path, withParams(new URLSearchParams([...kept, ...lastingParams(params)]), changes));
}

/** Opens another view, like a click on `linkWithin`. */
export function navigateWithin({ params }: ViewAddress, path: string, changes: ParamChanges = {}): void {
  navigate(path, withParams(lastingParams(params), changes));
}

/** Returns a copy with changed values. `undefined` or an empty list removes a parameter. */
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
      // The browser sends this event for links, Back and Forward only.
      if (isTrusted) typedAddress = undefined;
      setPlace(viewAddressOf(location.hash));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  if (place.path === 'nodes') lastNodesParams = place.params;
  return place;
}

/** Opens a view with other parameters, as a new entry of the browser's history. */
export function navigate(path: string, params: URLSearchParams): void {
  const fragment = fragmentOf(path, params);
  if (fragment === location.hash) return;
  typedAddress = undefined;
  history.pushState(null, '', fragment);
  dispatchEvent(new Event('hashchange'));
}

/** Like `navigate`, but replaces the entry in the browser's history. Otherwise dragging would add many entries. */
export function adjust(path: string, params: URLSearchParams): void {
  history.replaceState(null, '', fragmentOf(path, params));
  dispatchEvent(new Event('hashchange'));
}

/** The address that typing wrote last. Undefined after any other action. */
let typedAddress: string | undefined;

/** Adds an entry to the browser's history for the first letter after another action. Later letters replace it. */
export function navigateByTyping(path: string, params: URLSearchParams): void {
  if (fragmentOf(path, params) === location.hash) return;
  if (location.hash === typedAddress) adjust(path, params);
  else navigate(path, params);
  typedAddress = location.hash;
}

/** The maximum number of nodes in a comparison. Each can have columns for several versions. */
export const MOST_COMPARED = 6;

/** The minimum length of a uid prefix. Shorter prefixes are likely to match future nodes as well. */
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

/** `unknown` lists prefixes that match no node of this registry and revision. */
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
