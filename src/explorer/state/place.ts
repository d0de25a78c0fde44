import { useEffect, useState } from 'preact/hooks';

/**
 * Where the page is: a path and parameters in the URL's fragment, so that every view is a permalink and no host needs a
 * rule for it. A resource has the path that it has in the API: `#/sites/lyra/clusters/c/nodes/n?at=6fc00df`.
 */

export interface ViewAddress {
  /** Without the slash that it begins with; empty for the first view. */
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

/** What a link to a place has in `href`. Characters that need no escape in a fragment stay as people read them. */
export function fragmentOf(path: string, params?: URLSearchParams): string {
  const query = String(params ?? '')
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/');
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return `#/${escaped}${query === '' ? '' : `?${query}`}`;
}

/** The parameters that go along from view to view: the revision that is looked at, and the nodes that were picked. */
const LASTING = ['at', 'pick'] as const;

function lastingParams(params: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of LASTING) {
    const value = params.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

type ParamChanges = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A link to another view, at the same revision and with the same picked nodes. */
export function linkWithin({ params }: ViewAddress, path: string, changes: ParamChanges = {}): string {
  return fragmentOf(path, withParams(lastingParams(params), changes));
}

/** A copy with other values; `undefined` and the empty list take a parameter away. */
export function withParams(params: URLSearchParams, changes: ParamChanges): URLSearchParams {
  const copy = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    copy.delete(name);
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) copy.append(name, each);
  }
  return copy;
}

/** The place in the fragment, for components, and how a view changes its own. */
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

/** More cannot stand side by side. */
export const MOST_COMPARED = 6;

/** Shorter beginnings of uids would soon be those of nodes to come. */
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

interface Picked {
  readonly rows: readonly number[];
  /** What no node's uid begins with: of another registry, or of another time. */
  readonly unknown: readonly string[];
}

export function pickedRows(text: string | null, uids: readonly string[]): Picked {
  const rows: number[] = [];
  const unknown: string[] = [];
  for (const start of (text ?? '').split(',').filter((part) => part !== '')) {
    const exact = uids.indexOf(start);
    const row = exact >= 0 ? exact : uids.findIndex((uid) => uid.startsWith(start));
    if (row < 0) unknown.push(start);
    else if (!rows.includes(row)) rows.push(row);
  }
  return { rows, unknown };
}
