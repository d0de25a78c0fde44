/**
 * Leading browsers to the explorer, where that is wanted and a host has rules for request headers: who navigates to a path
 * that the explorer has a view of is led to that view. Only browsers say `Sec-Fetch-Dest: document`, when somebody follows
 * a link over TLS or on the same machine; whoever else asks, and whoever asks for `.json` or with a query, has the document.
 */
import { EXPLORER_PATHS, VIEWED_TEMPLATES } from '../api/explorer/explorer-paths.ts';
import { versionsUrl } from '../api/urls.ts';
import { groupName, literally, pathsPattern } from './patterns.ts';
import type { HostRules } from './rules.ts';

export const BROWSER_HEADER = 'Sec-Fetch-Dest';
export const BROWSER_VALUE = 'document';
/** What the redirect has in place of the Cache-Control of documents. */
export const NOT_KEPT = 'no-store';

/** A uid, which no escaped character is in. */
const UID = '[A-Za-z0-9~-][A-Za-z0-9._~-]*';

/** Matches the whole of the paths of requests, and captures the view, in a group with the name or without one. */
export function viewedPattern({ prefix }: Pick<HostRules, 'prefix'>, group = ''): string {
  const paths = pathsPattern([{ templates: VIEWED_TEMPLATES }])
    .slice(1, -1)
    .replaceAll('[^/]+', UID);
  return `^${literally(prefix)}(${groupName(group)}${paths})/?$`;
}

/** Matches those of them that ask for a document, or for a history. No uid ends so. */
export const NOT_VIEWED = `(?:\\.json|${literally(versionsUrl(''))})/?$`;

/** Where the views are: the path of one follows. */
export function viewsUrl({ prefix }: Pick<HostRules, 'prefix'>): string {
  return `${prefix}${EXPLORER_PATHS.page}#`;
}
