/**
 * Builds and parses the forms of a URL. The forms `X`, `X/`, `X.json` and `X/index.json` request the same document, but
 * a raw document has only the form `X`. `X` is the URL path without suffix, as in manifests and links, and `/` for the
 * root.
 */
import { rawFormOf } from '../api/endpoints.ts';
import { folderOfPage } from '../api/page-folders.ts';
import { SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { MANIFEST_URL } from './layout.ts';

export type FormEnd = '' | '/' | '.json' | '/index.json';

export const INDEX_END = '/index.json';

/**
 * The ends of all forms. An object store contains a file for each form, and a cache can contain a response for each
 * form.
 */
export const FORM_ENDS: readonly FormEnd[] = ['', '/', INDEX_END, '.json'];

/** The ends of the forms that every host answers. `/index.json` is missing, because only some hosts answer it. */
export const ANSWERED_ENDS: readonly FormEnd[] = ['', '/', '.json'];

/** Returns the forms of a URL that have one of the given ends. The root has no form with the end `.json`. */
export function urlForms(url: string, ends = FORM_ENDS): string[] {
  if (rawFormOf(url) !== undefined) return [url];
  return url === '/' ? ends.filter((end) => end !== '.json') : ends.map((end) => url + end);
}

/**
 * Returns the URLs under which an object store keeps a document. An object store cannot redirect the folder of a page
 * to the page, so it stores the page at both paths.
 */
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

/**
 * Whether URLs of a form always have the media type `application/json`: in both dialects, and for any Accept header.
 */
export function isPlainJsonForm(form: string): boolean {
  return form.endsWith('.json') && !form.endsWith(INDEX_END);
}

/**
 * Returns the URL path without suffix for a requested path. The result is the same on all hosts. Decodes unnecessary
 * escapes and merges repeated slashes. Returns undefined if no document can have this path.
 */
export function urlOfRequest(requested: string): string | undefined {
  const path = unescaped(requested)?.replace(/\/{2,}/g, '/');
  if (path === undefined || path === MANIFEST_URL) return path;
  if (path === '/' || path === INDEX_END) return '/';
  const url = path.replace(/(\/index\.json|\.json|\/)$/, '');
  // A raw document has one form.
  if (rawFormOf(url) !== undefined) return url === path ? path : undefined;
  return /(?:\/|\/index|\.json)$/.test(url) ? undefined : url;
}

const IN_SNAPSHOT = new RegExp(`^(${SNAPSHOTS_PATH}/[0-9a-f]{40})(.*)$`);
const HISTORY = new RegExp(`^(?:/[^/]+)*${versionsUrl('')}(?:/|\\.json$|$)`);

/**
 * Removes the base path and a repeated snapshot prefix from a path. Clients repeat one of them if they append a link to
 * their base URL. Clients of a snapshot can also request histories below the snapshot, although histories are outside
 * of it.
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

/** Returns undefined for invalid escapes, and for an escaped slash, which is not a separator. */
function unescaped(path: string): string | undefined {
  if (/%2f/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
