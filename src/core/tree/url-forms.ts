/**
 * The forms of a URL: what may be requested for one document. `X`, `X/`, `X.json` and `X/index.json` are one; a raw
 * document has its path alone. `X` is the URL path without suffix that manifests and links state, and that of the root
 * is `/`.
 */
import { rawFormOf } from '../api/endpoints.ts';
import { folderOfPage } from '../api/page-folders.ts';
import { SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { MANIFEST_URL } from './layout.ts';

/** What follows the path in a form. */
export type FormEnd = '' | '/' | '.json' | '/index.json';

export const INDEX_END = '/index.json';

/** All of them: those that a bucket stores, or that a cache may hold. */
export const FORM_ENDS: readonly FormEnd[] = ['', '/', INDEX_END, '.json'];

/** Those that every host answers; `X/index.json` is answered where the host answers `X/` with that file. */
export const ANSWERED_ENDS: readonly FormEnd[] = ['', '/', '.json'];

/** The forms of a URL with these ends. The root is also its prefix alone, which is empty here, and has no suffix. */
export function urlForms(url: string, ends = FORM_ENDS): string[] {
  if (rawFormOf(url) !== undefined) return [url];
  return url === '/' ? ends.filter((end) => end !== '.json') : ends.map((end) => url + end);
}

/**
 * The forms of a URL under which a store that takes paths literally keeps its document. It has no redirects to lead from
 * the folder of a page to it, so that the page stands there too.
 */
export function storedForms(url: string, ends = FORM_ENDS): string[] {
  const folder = folderOfPage(url);
  if (folder === undefined) return urlForms(url, ends);
  return [url, ...ends.filter((end) => end === '/' || end === INDEX_END).map((end) => folder + end)];
}

/** The forms of a URL that every host answers, itself first. */
export function answeredForms(url: string): [string, ...string[]] {
  return [url, ...otherForms(url)];
}

/** The forms of a URL besides itself that every host answers in the same way. */
export function otherForms(url: string): string[] {
  return urlForms(url, ANSWERED_ENDS).filter((form) => form !== url && form !== '');
}

/** Whether a form is answered as `application/json` in either dialect, whatever the client prefers. */
export function isPlainForm(form: string): boolean {
  return form.endsWith('.json') && !form.endsWith(INDEX_END);
}

/**
 * The URL path without suffix that a requested path stands for, on all hosts: `/sites`, `/sites/` and `/sites.json` are
 * one, and so is what only escapes characters that need none, or doubles slashes. Undefined for what can be no document.
 */
export function urlOfRequest(requested: string): string | undefined {
  const path = unescaped(requested)?.replace(/\/{2,}/g, '/');
  if (path === undefined || path === MANIFEST_URL) return path;
  if (path === '/' || path === INDEX_END) return '/';
  const url = path.replace(/(\/index\.json|\.json|\/)$/, '');
  // Raw documents have one path.
  if (rawFormOf(url) !== undefined) return url === path ? path : undefined;
  return /(?:\/|\/index|\.json)$/.test(url) ? undefined : url;
}

const IN_SNAPSHOT = new RegExp(`^(${SNAPSHOTS_PATH}/[0-9a-f]{40})(.*)$`);
const HISTORY = new RegExp(`^(?:/[^/]+)*${versionsUrl('')}(?:/|\\.json$|$)`);

/**
 * A requested path without what stands before every path, and with a snapshot once: clients that append links to their
 * base put either twice, and clients of a snapshot ask for histories in it. Those are the registry's, where the
 * snapshot is there.
 */
export function singlePrefixes(path: string, basePath: string, isThere: (url: string) => boolean): string {
  const bare = after(after(path, basePath), basePath);
  const [, snapshot, behind = ''] = IN_SNAPSHOT.exec(bare) ?? [];
  if (snapshot === undefined) return bare;
  const rest = after(behind, basePath);
  if (HISTORY.test(rest)) return isThere(snapshot) ? rest : bare;
  return IN_SNAPSHOT.exec(rest)?.[1] === snapshot ? rest : snapshot + rest;
}

function after(path: string, start: string): string {
  return `${path}/`.startsWith(`${start}/`) ? path.slice(start.length) : path;
}

/** An escaped slash is none, and what is escaped wrongly is nothing. */
function unescaped(path: string): string | undefined {
  if (/%2f/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
