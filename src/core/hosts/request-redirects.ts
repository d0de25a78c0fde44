/**
 * Where `?version={revision}` and `?deep=1` lead, which services of this family answer by themselves: to the same path in
 * that snapshot, and to all that is below an item. Of a revision without such a document there is no answer but a miss:
 * the present would pass for the past. What has no document with all below it is answered as without the question.
 * Queries are read as they were sent, and paths have the characters of uids, so that a redirect never leaves the tree.
 */

import { DEEP } from '../api/deep-and-badge-paths.ts';
import { endpointOf } from '../api/endpoints.ts';
import { EXPLORER_PATHS, VIEWED_TEMPLATES } from '../api/explorer/explorer-paths.ts';
import { snapshotUrl, versionsUrl } from '../api/urls.ts';
import { groupName, literally, pathsPattern, SNAPSHOT_PATTERN } from './patterns.ts';
import { type HostRules, holdsOthers, isOfState } from './rules.ts';

/** Matches the query of a request for a revision, and captures it. One in capitals is asked for too, and never there. */
export function revisionQuery(group = ''): string {
  return `(?:^|&)version=(${groupName(group)}[0-9A-Fa-f]{40})(?:&|$)`;
}

/** Matches the query of a request for all that is below an item. */
export const DEEP_QUERY = '(?:^|&)deep=(?:1|true)(?:&|$)';
/** Matches the paths of histories. Those of resources seem to match them, but no uid is called so. */
export const HISTORY_END = `${literally(versionsUrl(''))}$`;
/** What is behind an item's path for all that is below it. */
export const DEEP_END = `/${DEEP}`;

/**
 * Matches paths of these templates, now or in a snapshot, and captures the path without the snapshot; nothing for the
 * root, whose path is `/index`.
 */
export function queriedPattern(templates: readonly string[], group = ''): string {
  return `(?:/index|(?:${SNAPSHOT_PATTERN})?(${groupName(group)}${below(templates)})|${SNAPSHOT_PATTERN})$`;
}

/** As queriedPattern of the items with a document of all that is below them, but it captures the path of the snapshot too. */
export function deepInPlacePattern({ deep }: Pick<HostRules, 'deep'>, group = ''): string {
  return `(?:/index|(${groupName(group)}(?:${SNAPSHOT_PATTERN})?${below(deep)}|${SNAPSHOT_PATTERN}))$`;
}

function below(templates: readonly string[]): string {
  return pathsPattern([{ templates: templates.filter((template) => template !== '/') }]).slice(1, -1);
}

/** Where a request with a query leads. */
interface QueryTarget {
  /** The path without suffix. */
  readonly url: string;
  /** Whether it is of a revision: then there is nothing else to answer with. */
  readonly isOfRevision: boolean;
}

const REVISION = new RegExp(revisionQuery());
const ASKS_DEEP = new RegExp(DEEP_QUERY);
const IN_SNAPSHOT = new RegExp(`^${SNAPSHOT_PATTERN}(?=/|$)`);

/** For who knows all documents, of whatever registry: where a request for the path without suffix leads. */
export function queryTarget(url: string, query: string): QueryTarget | undefined {
  const revision = REVISION.exec(query)?.[1];
  const endpoint = endpointOf(url);
  if (!endpoint || !isOfState(endpoint)) return undefined;
  const isDeep = holdsOthers(endpoint) && ASKS_DEEP.test(query);
  if (revision === undefined && !isDeep) return undefined;
  const place = url === '/' ? '' : url;
  const asked = revision === undefined ? place : snapshotUrl(revision) + place.replace(IN_SNAPSHOT, '');
  return { url: isDeep ? asked + DEEP_END : asked, isOfRevision: revision !== undefined };
}

/**
 * Leading browsers to the explorer, where that is wanted and a host has rules for request headers: who navigates to a path
 * that the explorer has a view of is led to that view. Only browsers say `Sec-Fetch-Dest: document`, when somebody follows
 * a link over TLS or on the same machine; whoever else asks, and whoever asks for `.json` or with a query, has the document.
 */
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
