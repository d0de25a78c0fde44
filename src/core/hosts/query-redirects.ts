/**
 * Where `?version={revision}` and `?deep=1` lead, which services of this family answer by themselves: to the same path in
 * that snapshot, and to all that is below an item. Of a revision without such a document there is no answer but a miss:
 * the present would pass for the past. What has no document with all below it is answered as without the question.
 * Queries are read as they were sent, and paths have the characters of uids, so that a redirect never leaves the tree.
 */
import { DEEP } from '../api/deep/deep-paths.ts';
import { endpointOf } from '../api/endpoints.ts';
import { SNAPSHOTS_PATH, snapshotUrl, versionsUrl } from '../api/urls.ts';
import { literally, pathsPattern } from './patterns.ts';
import { holdsOthers, isOfState } from './queried-endpoints.ts';
import type { HostRules } from './rules.ts';

/** Matches the query of a request for a revision, and captures it. One in capitals is asked for too, and never there. */
export function revisionQuery(group = ''): string {
  return `(?:^|&)version=(${nameOf(group)}[0-9A-Fa-f]{40})(?:&|$)`;
}

/** Matches the query of a request for all that is below an item. */
export const DEEP_QUERY = '(?:^|&)deep=(?:1|true)(?:&|$)';
/** Matches the paths of histories. Those of resources seem to match them, but no uid is called so. */
export const HISTORY_END = `${literally(versionsUrl(''))}$`;
/** What is behind an item's path for all that is below it. */
export const DEEP_END = `/${DEEP}`;

const SNAPSHOT = `${literally(SNAPSHOTS_PATH)}/[0-9a-f]{40}`;

/** Matches the whole of what captured paths have as `/index` for the root, and captures it without root and snapshot. */
export function resourcePattern({ resources }: Pick<HostRules, 'resources'>, group = ''): string {
  return `(?:/index|(?:${SNAPSHOT})?(${nameOf(group)}${below(resources)})|${SNAPSHOT})$`;
}

/** As resourcePattern, of items that have all that is below them in one document. */
export function deepPattern({ deep }: Pick<HostRules, 'deep'>, group = ''): string {
  return `(?:/index|(?:${SNAPSHOT})?(${nameOf(group)}${below(deep)})|${SNAPSHOT})$`;
}

/** As deepPattern, but it captures the path of the snapshot too. */
export function deepInPlacePattern({ deep }: Pick<HostRules, 'deep'>, group = ''): string {
  return `(?:/index|(${nameOf(group)}(?:${SNAPSHOT})?${below(deep)}|${SNAPSHOT}))$`;
}

function nameOf(group: string): string {
  return group === '' ? '' : `?<${group}>`;
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
const IN_SNAPSHOT = new RegExp(`^${SNAPSHOT}(?=/|$)`);

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
