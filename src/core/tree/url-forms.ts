/**
 * Builds and parses the forms of a URL. The forms `X`, `X/`, `X.json` and `X/index.json` request the same document. A
 * raw document has only the form `X`. `X` is the URL path without suffix, and `/` for the root.
 */
import { rawFormOf } from '../api/endpoints.ts';
import { folderOfPage } from '../api/page-folders.ts';
import { SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { MANIFEST_URL } from './layout.ts';

export type FormEnd = '' | '/' | '.json' | '/index.json';

export const INDEX_END = '/index.json';

/** The endings of all URL forms of a document. Object storage contains a copy of the document for each ending. */
export const FORM_ENDS: readonly FormEnd[] = ['', '/', INDEX_END, '.json'];

/** The endings of the URLs that every host answers. Some hosts also answer `/index.json`. */
export const ANSWERED_ENDS: readonly FormEnd[] = ['', '/', '.json'];

/** The root has no form that ends in `.json`. */
export function urlForms(url: string, ends = FORM_ENDS): string[] {
  if (rawFormOf(url) !== undefined) return [url];
  return url === '/' ? ends.filter((end) => end !== '.json') : ends.map((end) => url + end);
}

/** Object storage cannot redirect the URL of a folder to the folder's page, so it contains the page at both URLs. */
export function storedForms(url: string, ends = FORM_ENDS): string[] {
  const folder = folderOfPage(url);
  if (folder === undefined) return urlForms(url, ends);
  return [url, ...ends.filter((end) => end === '/' || end === INDEX_END).map((end) => folder + end)];
}

/** Returns the forms of a URL that every host answers. The first form is the URL itself. */
export function answeredForms(url: string): [string, ...string[]] {
  return [url, ...otherForms(url)];
}

export function otherForms(url: string): string[] {
  return urlForms(url, ANSWERED_ENDS).filter((form) => form !== url && form !== '');
}

/** Whether the response to a form is always `application/json`, in both dialects and for each Accept header. */
export function isPlainJsonForm(form: string): boolean {
  return form.endsWith('.json') && !form.endsWith(INDEX_END);
}

/** Returns the URL path without suffix, escapes and repeated slashes, or undefined if no document can match. */
export function urlOfRequest(requested: string): string | undefined {
  const path = unescaped(requested)?.replace(/\/{2,}/g, '/');
  if (path === undefined || path === MANIFEST_URL) return path;
  if (path === '/' || path === INDEX_END) return '/';
  const url = path.replace(/(\/index\.json|\.json|\/)$/, '');
  if (rawFormOf(url) !== undefined) return url === path ? path : undefined;
  return /(?:\/|\/index|\.json)$/.test(url) ? undefined : url;
}

const IN_SNAPSHOT = new RegExp(`^(${SNAPSHOTS_PATH}/[0-9a-f]{40})(.*)$`);
const HISTORY = new RegExp(`^(?:/[^/]+)*${versionsUrl('')}(?:/|\\.json$|$)`);

/**
 * Removes a repeated base path or snapshot prefix. Clients repeat a prefix when they append a link to their base URL.
 * Histories are outside of snapshots, so a request for a history below a snapshot loses the snapshot prefix.
 */
export function withoutRepeatedPrefixes(path: string, basePath: string, exists: (url: string) => boolean): string {
  const bare = after(after(path, basePath), basePath);
  const [, snapshot, behind = ''] = IN_SNAPSHOT.exec(bare) ?? [];
  if (snapshot === undefined) return bare;
  const rest = after(behind, basePath);
  if (HISTORY.test(rest)) return exists(snapshot) ? rest : bare;
  return IN_SNAPSHOT.exec(rest)?.[1] === snapshot ? rest : snapshot + rest;
}

function after(path: string, start: string): string {
  return `${path}/`.startsWith(`${start}/`) ? path.slice(start.length) : path;
}

/** Returns undefined for invalid escapes. An escaped slash is invalid, because it is not a separator. */
function unescaped(path: string): string | undefined {
  if (/%2f/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
