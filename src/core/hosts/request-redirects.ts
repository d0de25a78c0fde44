/**
 * The query `?version={revision}` redirects to the same path in a snapshot or returns 404. `?deep=1` redirects to the
 * deep document of an item. Queries are not decoded, and paths contain only characters of uids, so no redirect leaves
 * the tree.
 */

import { canBeDeep, endpointOf, isInSnapshots } from '../api/endpoints.ts';
import { EXPLORER_PATHS, VIEWED_TEMPLATES } from '../api/explorer/explorer-paths.ts';
import { DEEP, snapshotUrl, versionsUrl } from '../api/urls.ts';
import { escapeRegExp, groupName, pathsPattern, SNAPSHOT_PATTERN } from './patterns.ts';
import type { HostRules } from './rules.ts';

/** Captures the revision in a query. Revisions in capital letters also match, so that such queries return 404. */
export function revisionQuery(group = ''): string {
  return `(?:^|&)version=(${groupName(group)}[0-9A-Fa-f]{40})(?:&|$)`;
}

export const DEEP_QUERY = '(?:^|&)deep=(?:1|true)(?:&|$)';
/** Matches the paths of histories. `versions` cannot be a uid. */
export const HISTORY_END = `${escapeRegExp(versionsUrl(''))}$`;
export const DEEP_END = `/${DEEP}`;

/** Matches paths, with or without a snapshot. Captures the path without the snapshot, or nothing for `/index`. */
export function queriedPattern(templates: readonly string[], group = ''): string {
  return `(?:/index|(?:${SNAPSHOT_PATTERN})?(${groupName(group)}${pathsBelow(templates)})|${SNAPSHOT_PATTERN})$`;
}

/** Matches paths of items that have a deep document, in the current tree and in snapshots. Captures the whole path. */
export function deepInPlacePattern({ deep }: Pick<HostRules, 'deep'>, group = ''): string {
  return `(?:/index|(${groupName(group)}(?:${SNAPSHOT_PATTERN})?${pathsBelow(deep)}|${SNAPSHOT_PATTERN}))$`;
}

function pathsBelow(templates: readonly string[]): string {
  return pathsPattern([{ templates: templates.filter((template) => template !== '/') }]).slice(1, -1);
}

interface QueryTarget {
  /** The path without suffix. */
  readonly url: string;
  /** True if the query contains a revision. The request then returns 404 if no document exists at `url`. */
  readonly namesRevision: boolean;
}

const REVISION = new RegExp(revisionQuery());
const ASKS_DEEP = new RegExp(DEEP_QUERY);
const IN_SNAPSHOT = new RegExp(`^${SNAPSHOT_PATTERN}(?=/|$)`);

export function queryTarget(url: string, query: string): QueryTarget | undefined {
  const revision = REVISION.exec(query)?.[1];
  const endpoint = endpointOf(url);
  if (!endpoint || !isInSnapshots(endpoint)) return undefined;
  const isDeep = canBeDeep(endpoint) && ASKS_DEEP.test(query);
  if (revision === undefined && !isDeep) return undefined;
  const path = url === '/' ? '' : url;
  const target = revision === undefined ? path : snapshotUrl(revision) + path.replace(IN_SNAPSHOT, '');
  return { url: isDeep ? target + DEEP_END : target, namesRevision: revision !== undefined };
}

/** Only browsers send `Sec-Fetch-Dest: document`, for navigations over TLS or to the same machine. */
export const BROWSER_HEADER = 'Sec-Fetch-Dest';
export const BROWSER_VALUE = 'document';
export const NO_STORE = 'no-store';

const UID = '[A-Za-z0-9~-][A-Za-z0-9._~-]*';

/** Matches complete request paths that have a view in the explorer. Captures the view. */
export function viewedPattern({ prefix }: Pick<HostRules, 'prefix'>, group = ''): string {
  const paths = pathsPattern([{ templates: VIEWED_TEMPLATES }])
    .slice(1, -1)
    .replaceAll('[^/]+', UID);
  return `^${escapeRegExp(prefix)}(${groupName(group)}${paths})/?$`;
}

/** Matches paths with a suffix and paths of histories, which hosts must not redirect to the explorer. */
export const VIEW_EXCEPTIONS = `(?:\\.json|${escapeRegExp(versionsUrl(''))})/?$`;

/** Returns the URL of the explorer's views. The path of a view is appended to this URL. */
export function viewsUrl({ prefix }: Pick<HostRules, 'prefix'>): string {
  return `${prefix}${EXPLORER_PATHS.page}#`;
}
