/**
 * Tombstones: what is answered for an item that was removed, a problem document (RFC 9457) with status 410 that says
 * when, in which revision, and where its last state is. Hosts that cannot choose the status answer a bare 404.
 */
import { joinPath, kindAt, lastSegment, pathAbove, subjectAt } from '../../model/resource-path.ts';
import { utcTimestamp } from '../../model/revision.ts';
import { dateFields } from '../date-fields.ts';
import type { Link } from '../dialect.ts';
import { idAt, type Publication, revisionAt } from '../publication.ts';
import { latestVersionUrl, resourceUrl, versionsUrl, versionUrl } from '../urls.ts';

export interface Tombstone {
  /** The URL path without suffix that the item had. */
  readonly url: string;
  readonly body: () => string;
}

/** Those of all items that are gone at the head by a revision of their own history, in the order of their paths. */
export function* tombstones(publication: Publication): Generator<Tombstone> {
  const { history, histories, head } = publication;
  for (const path of [...histories.subjects()].sort()) {
    if (subjectAt(path, history.kinds).isCollection || histories.isAlive(path, head)) continue;
    const removed = histories.of(path).revisions[0];
    // What only ever lived on a side branch was given up there, and removed by no revision.
    if (removed === undefined || histories.isAlive(path, removed)) continue;
    yield { url: resourceUrl(path), body: () => renderTombstone(publication, path, removed) };
  }
}

function renderTombstone(publication: Publication, path: string, index: number): string {
  const { history, histories, head, dialect } = publication;
  const { id, date } = revisionAt(publication, index);
  const kind = kindAt(path, history.kinds).name;
  const uid = lastSegment(path);
  const successor = history.changes[index]?.find((change) => change.path === path)?.successor;
  const links: Link[] = [
    { rel: 'version-history', href: versionsUrl(path), form: 'collection' },
    { rel: 'latest-version', href: latestVersionUrl(path), form: 'item' },
  ];
  const last = histories.predecessor(path, index);
  if (last !== undefined)
    links.push({ rel: 'predecessor-version', href: versionUrl(path, idAt(publication, last)), form: 'item' });
  const heir = successor === undefined ? undefined : joinPath(pathAbove(path), successor);
  if (heir !== undefined && histories.isAlive(heir, head))
    links.push({ rel: 'successor', href: resourceUrl(heir), form: 'item' });
  const followed = successor === undefined ? '' : ` ${successor} took its place.`;
  const detail = `The ${kind} ${uid} was removed at ${utcTimestamp(date)}.${followed} Its history tells what it was.`;
  const named = successor === undefined ? '' : `"successor":${JSON.stringify(successor)},`;
  return `{"type":"about:blank","title":"Gone","status":410,"detail":${JSON.stringify(detail)},"uid":${JSON.stringify(uid)},"removed":{"revision":"${id}",${dateFields(date)}},${named}"links":${dialect.links(links)}}`;
}
