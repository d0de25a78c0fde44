/**
 * Version documents: what a revision did to a resource and what the resource was after it, and the collections of
 * them. Nothing in a version document depends on later revisions, but that its `parent` moves and its `original` goes,
 * once, when the resource is removed.
 */

import type { RecordedChange } from '../../history/replay.ts';
import { classNames } from '../../model/field-classes.ts';
import { isAtOrBelow, type Subject } from '../../model/resource-path.ts';
import type { RevisionHeader } from '../../model/revision.ts';
import { resourceAt } from '../../model/state.ts';
import { keepingLast } from '../../platform/keeping-last.ts';
import { dateFields } from '../date-fields.ts';
import type { Link } from '../dialect.ts';
import type { SubjectForm } from '../endpoints.ts';
import { idAt, type Publication, revisionAt, stateAt } from '../publication.ts';
import { latestVersionUrl, resourceUrl, snapshotUrl, timemapUrl, versionsUrl, versionUrl } from '../urls.ts';
import { originalLinks } from './timemap.ts';

/** The JSON texts of one revision's changes at or below a subject, in code-unit order of the paths. */
export type ChangeTexts = (subject: Subject) => string[];

/**
 * The entries of `changes`. Their `href` is the version document of the changed resource, which also answers for
 * resources that are gone; its history, where no version of it is in force. Of each subject `most` are told.
 */
export function changeTexts(publication: Publication, index: number, most = Number.POSITIVE_INFINITY): ChangeTexts {
  const id = idAt(publication, index);
  const changes = publication.history.changes[index] ?? [];
  return ({ path, kind, isCollection }) => {
    const isLeaf = !isCollection && kind.children.length === 0;
    const texts: string[] = [];
    for (let i = firstFrom(changes, path); i < changes.length && texts.length < most; i++) {
      const change = changes[i];
      if (!change?.path.startsWith(path)) break;
      if (change.action !== 'touched' && isAtOrBelow(change.path, path))
        texts.push(changeText(publication, change, index, id));
      if (isLeaf) break;
    }
    return texts;
  };
}

/** Where the first change stands whose path does not come before one. */
function firstFrom(changes: readonly RecordedChange[], path: string): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a subject has a version at a revision: before it ever was, it has none. */
export function isInForce({ histories }: Publication, path: string, index: number): boolean {
  return histories.of(path).inForce(index) >= 0;
}

function changeText(
  publication: Publication,
  { path, action, classes, fields, successor }: RecordedChange,
  index: number,
  id: string,
): string {
  const changed = fields === undefined ? '' : `,"fields":${publication.store.get(fields)}`;
  // A merge that drops what only its first parent had follows the other, where the resource never had a version.
  const href = isInForce(publication, path, index) ? versionUrl(path, id) : versionsUrl(path);
  const replacement = successor === undefined ? '' : `,"successor":"${successor}"`;
  const about = JSON.stringify(classNames(classes));
  return `{"href":"${publication.dialect.hrefOf(href)}","action":"${action}","classes":${about}${changed}${replacement}}`;
}

/** The JSON text of the version document of an item or a collection, from the texts of the revision's changes. */
export function renderVersion(publication: Publication, subject: Subject, index: number, texts: ChangeTexts): string {
  const changes = `,"changes":[${texts(subject).join(',')}]`;
  if (subject.isCollection) return versionText(publication, subject, index, changes);
  const resource = resourceAt(stateAt(publication, index), subject.path);
  const body = resource ? publication.store.get(resource.body.handle) : 'null';
  return versionText(publication, subject, index, `${changes},"resource":${body}`);
}

/** The JSON text of a version, of which `content` is the text of what its kind of document says of it. */
export function versionText(publication: Publication, subject: Subject, index: number, content: string): string {
  const revision = revisionAt(publication, index);
  const links = publication.dialect.links(versionLinks(publication, subject, index));
  const isCut = publication.histories.isCut(subject.path, index) ? ',"older_left_out":true' : '';
  return `${beginningOf(revision)}${isCut}${content},"version":"${revision.id}","links":${links}}`;
}

/** What versions of a revision begin with. */
const beginningOf = keepingLast(
  ({ id, date, message, author }: RevisionHeader) =>
    `{"uid":"${id}",${dateFields(date)},"message":${JSON.stringify(message)},"author":${JSON.stringify(author)},"type":"version"`,
);

function versionLinks(publication: Publication, subject: Subject, index: number): Link[] {
  const { head, histories, snapshots } = publication;
  const { path } = subject;
  const id = idAt(publication, index);
  const form = formOf(subject);
  const predecessor = histories.predecessor(path, index);
  const links: Link[] = [
    { rel: 'self', href: versionUrl(path, id), form: 'item' },
    histories.isAlive(path, head)
      ? { rel: 'parent', href: resourceUrl(path), form }
      : { rel: 'parent', href: versionsUrl(path), form: 'collection' },
    { rel: 'version-history', href: versionsUrl(path), form: 'collection' },
    { rel: 'latest-version', href: latestVersionUrl(path), form: 'item' },
  ];
  if (predecessor !== undefined) {
    links.push({ rel: 'predecessor-version', href: versionUrl(path, idAt(publication, predecessor)), form: 'item' });
  }
  if (snapshots.has(index) && histories.isAlive(path, index)) {
    links.push({ rel: 'snapshot', href: resourceUrl(path, snapshotUrl(id)), form });
  }
  if (!subject.isCollection) {
    if (publication.hasTimemaps) links.push({ rel: 'timemap', href: timemapUrl(path), form: 'item' });
    links.push(...originalLinks(publication, path));
  }
  return links;
}

export function formOf(subject: Subject): SubjectForm {
  return subject.isCollection ? 'collection' : 'item';
}
