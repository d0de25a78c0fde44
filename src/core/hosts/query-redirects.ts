/**
 * Where `?version={revision}` and `?deep=1` lead, which services of this family answer by themselves: to the same path in
 * that snapshot, and to all that is below an item. Of a revision without such a document there is no answer but a miss:
 * the present would pass for the past. What has no document with all below it is answered as without the question.
 * Queries are read as they were sent, and paths have the characters of uids, so that a redirect never leaves the tree.
 */
import { DEEP } from '../api/deep/deep-paths.ts';
import { endpointOf } from '../api/endpoints.ts';
import { snapshotUrl, versionsUrl } from '../api/urls.ts';
import { groupName, literally, pathsPattern, SNAPSHOT_PATTERN } from './patterns.ts';
import { holdsOthers, isOfState } from './queried-endpoints.ts';
import type { HostRules } from './rules.ts';

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
export interface QueryTarget {
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
