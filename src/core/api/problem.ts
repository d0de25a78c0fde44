import type { StatedChange } from '../history/revision-file.ts';
import { joinPath, kindAt, lastSegment, pathAbove, selfAndAncestors, subjectAt } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { itemAt } from '../platform/lookups.ts';
import { lazily } from '../platform/on-demand.ts';
import { dateFields } from './date-fields.ts';
import { toCollection, toItem } from './dialect.ts';
import { idAt, type Publication, revisionAt } from './publication.ts';
import { latestVersionUrl, resourceUrl, versionsUrl, versionUrl } from './urls.ts';

/** The 404 document does not contain the path, so that a static host can serve it for every path. */
export const NOT_FOUND = problem(
  404,
  'Not Found',
  'No resource has this path. Start at the root and follow its links.',
);

export const METHOD_NOT_ALLOWED = problem(405, 'Method Not Allowed', 'The API is read-only: use GET or HEAD.');

export const MISDIRECTED = problem(
  421,
  'Misdirected Request',
  'This server only answers requests to localhost and to loopback addresses. To use another name, start it with --address.',
);

export const BAD_REQUEST = problem(
  400,
  'Bad Request',
  'The request is malformed. Check its path and its headers. Each header may occur only once.',
);

export const PRECONDITION_FAILED = problem(
  412,
  'Precondition Failed',
  'The document differs from the one that If-Match or If-Unmodified-Since requires.',
);

export const URI_TOO_LONG = problem(414, 'URI Too Long', 'The path or the query is longer than that of any resource.');

export const RANGE_NOT_SATISFIABLE = problem(
  416,
  'Range Not Satisfiable',
  'The document ends before the range begins.',
);

export const HEADERS_TOO_LARGE = problem(
  431,
  'Request Header Fields Too Large',
  'The request has longer headers than the server accepts.',
);

export const VERSION_NOT_SUPPORTED = problem(
  505,
  'HTTP Version Not Supported',
  'The server supports only HTTP/1.0 and HTTP/1.1 in requests of this form.',
);

export const UNAVAILABLE = problem(
  503,
  'Service Unavailable',
  'The tree is being replaced, or one of its files is missing. Try again in a moment.',
);

function problem(status: number, title: string, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title, status, detail });
}

/** A problem document (RFC 9457) with status 410 for a removed item. Hosts that cannot set the status return 404. */
interface Tombstone {
  readonly url: string;
  readonly body: () => string;
}

/** Yields the tombstones of all items that a published revision removed, in code-unit order of paths. */
export function* tombstones(publication: Publication): Generator<Tombstone> {
  const { history, histories, head } = publication;
  const successors = lazily(() => history.changes.map((changes) => new Map(changes.flatMap(successorIn))));
  for (const path of [...histories.subjects()].sort()) {
    if (subjectAt(path, history.kinds).isCollection || histories.isAlive(path, head)) continue;
    const removed = histories.of(path).revisions[0];
    // A merge can drop a resource that only a side branch contains. No revision then removes the resource.
    if (removed === undefined || histories.isAlive(path, removed)) continue;
    const body = () => renderTombstone(publication, path, removed, itemAt(successors(), removed));
    yield { url: resourceUrl(path), body };
  }
}

/** `successors` maps the paths of the resources that the revision `index` removed to the paths of their successors. */
function renderTombstone(
  publication: Publication,
  path: string,
  index: number,
  successors: ReadonlyMap<string, string>,
): string {
  const { history, histories, head, dialect } = publication;
  const { id, date } = revisionAt(publication, index);
  const kind = kindAt(path, history.kinds).name;
  const uid = lastSegment(path);
  const own = successors.get(path);
  const successorPath = successorOf(path, successors);
  const links = [toCollection('version-history', versionsUrl(path)), toItem('latest-version', latestVersionUrl(path))];
  const last = histories.predecessor(path, index);
  if (last !== undefined) links.push(toItem('predecessor-version', versionUrl(path, idAt(publication, last))));
  if (successorPath !== undefined && histories.isAlive(successorPath, head))
    links.push(toItem('successor', resourceUrl(successorPath)));
  const successor = own === undefined ? undefined : lastSegment(own);
  const followed = successor === undefined ? '' : ` ${successor} took its place.`;
  const detail = `The ${kind} ${uid} was removed at ${utcTimestamp(date)}.${followed} Its history contains its earlier states.`;
  const named = successor === undefined ? '' : `"successor":${JSON.stringify(successor)},`;
  return `{"type":"about:blank","title":"Gone","status":410,"detail":${JSON.stringify(detail)},"uid":${JSON.stringify(uid)},"removed":{"revision":"${id}",${dateFields(date)}},${named}"links":${dialect.links(links)}}`;
}

/** Returns the path and the path of the successor, if the change has a successor. */
function successorIn({ path, successor }: StatedChange): [string, string][] {
  return successor === undefined ? [] : [[path, joinPath(pathAbove(path), successor)]];
}

/** If a site or a cluster has a successor, the resources below it have the same paths below the successor. */
function successorOf(path: string, successors: ReadonlyMap<string, string>): string | undefined {
  for (const above of selfAndAncestors(path)) {
    const successor = successors.get(above);
    if (successor !== undefined) return successor + path.slice(above.length);
  }
  return undefined;
}
