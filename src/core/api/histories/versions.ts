/**
 * Version documents: what a revision did to a resource and what the resource was after it, and the collections of
 * them. Nothing in a version document depends on later revisions, but that its `parent` moves and its `original` goes,
 * once, when the resource is removed.
 */

import type { RecordedChange } from '../../history/replay.ts';
import { NO_COUNTS } from '../../history/touches.ts';
import { classNames } from '../../model/field-classes.ts';
import { isAtOrBelow, parentItemPath, pathAbove, type Subject, subjectAt } from '../../model/resource-path.ts';
import type { RevisionHeader } from '../../model/revision.ts';
import { resourceAt } from '../../model/state.ts';
import { itemAt } from '../../platform/certain.ts';
import { collectionText } from '../collection.ts';
import { dateFields, type ToldDate, toldDate } from '../date-fields.ts';
import type { Link } from '../dialect.ts';
import type { SubjectForm } from '../endpoints.ts';
import { VERSION_PAGE_SIZE } from '../page-size.ts';
import { idAt, type Publication, revisionAt, stateAt } from '../publication.ts';
import { RAW_FORMS, timemapLinksUrl } from '../raw-forms.ts';
import {
  latestVersionUrl,
  resourceUrl,
  snapshotUrl,
  timemapUrl,
  versionsPageUrl,
  versionsUrl,
  versionUrl,
} from '../urls.ts';
import { keepingLast } from './version.ts';

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
function versionText(publication: Publication, subject: Subject, index: number, content: string): string {
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

function formOf(subject: Subject): SubjectForm {
  return subject.isCollection ? 'collection' : 'item';
}

/** How many full pages a history of so many versions has besides its newest ones, of which there are always at least as many. */
export function fullPagesOf(versions: number): number {
  return Math.max(0, Math.floor(versions / VERSION_PAGE_SIZE) - 1);
}

/** The JSON text of the history of an item or a collection: all of it, or its newest versions. Its items have the counts of changes only. */
export function renderVersions(publication: Publication, subject: Subject): string {
  const { revisions } = publication.histories.of(subject.path);
  const pages = fullPagesOf(revisions.length);
  const newest = revisions.slice(0, revisions.length - pages * VERSION_PAGE_SIZE);
  const parent = versionsParent(publication, subject);
  const links: Link[] = [
    { rel: 'self', href: versionsUrl(subject.path), form: 'collection' },
    { rel: 'parent', href: resourceUrl(parent.path), form: formOf(parent) },
  ];
  if (pages > 0) links.push(pageLink('last', subject, 1), pageLink('next', subject, pages));
  return collectionText(summaries(publication, subject, newest), {
    total: revisions.length,
    version: idAt(publication, publication.head),
    links: publication.dialect.links(links),
  });
}

/** The JSON text of a full page. It reflects its newest version: `total` counts those until then. */
export function renderVersionsPage(publication: Publication, subject: Subject, page: number): string {
  const { revisions } = publication.histories.of(subject.path);
  const end = revisions.length - (page - 1) * VERSION_PAGE_SIZE;
  const shown = revisions.slice(end - VERSION_PAGE_SIZE, end);
  const history: Link = { rel: 'first', href: versionsUrl(subject.path), form: 'collection' };
  const links: Link[] = [
    pageLink('self', subject, page),
    { ...history, rel: 'parent' },
    history,
    pageLink('last', subject, 1),
    page < fullPagesOf(revisions.length) ? pageLink('prev', subject, page + 1) : { ...history, rel: 'prev' },
  ];
  if (page > 1) links.push(pageLink('next', subject, page - 1));
  return collectionText(summaries(publication, subject, shown), {
    total: page * VERSION_PAGE_SIZE,
    version: idAt(publication, itemAt(shown, 0)),
    links: publication.dialect.links(links),
  });
}

function pageLink(rel: string, { path }: Subject, page: number): Link {
  return { rel, href: versionsPageUrl(path, page), form: 'collection' };
}

function summaries(publication: Publication, subject: Subject, revisions: readonly number[]): string[] {
  return revisions.map((index) => {
    const counts = publication.histories.counts(subject.path, index) ?? NO_COUNTS;
    return versionText(publication, subject, index, `,"changes":${JSON.stringify(counts)}`);
  });
}

/**
 * The parent of a history: of a collection's the item that holds it, of an item's what its kind says; once that is gone,
 * the nearest item above it that lives.
 */
function versionsParent({ history, histories, head }: Publication, subject: Subject): Subject {
  const above = (path: string) => subjectAt(path, history.kinds);
  const { kind, path, isCollection } = subject;
  let parent = isCollection ? above(parentItemPath(subject)) : subject;
  if (kind.historyParent === 'collection' && !isCollection && histories.isAlive(path, head)) {
    parent = above(pathAbove(path));
  }
  while (parent.path !== '' && !histories.isAlive(parent.path, head)) {
    parent = above(parentItemPath(parent));
  }
  return parent;
}

/** The indexes of an item's versions, the oldest first. The order is the graph's: dates repeat and go backwards. */
function mementosOf({ histories }: Publication, path: string): readonly number[] {
  return histories.of(path).revisions.toReversed();
}

/** The JSON text of a TimeMap. Every link in it leads somewhere: `original` is left out once the item is removed. */
export function renderTimemap(publication: Publication, { path }: Subject): string {
  const { dialect, head } = publication;
  const mementos = mementosOf(publication, path);
  const href = (index: number) => versionUrl(path, idAt(publication, index));
  const entries = mementos.map(
    (index) => `{"href":"${dialect.hrefOf(href(index))}",${dateFields(revisionAt(publication, index).date)}}`,
  );
  const [first = head] = mementos;
  const links: Link[] = [
    { rel: 'self', href: timemapUrl(path), form: 'item' },
    { rel: 'parent', href: versionsUrl(path), form: 'collection' },
    { rel: 'first', href: href(first), form: 'item' },
    { rel: 'last', href: href(mementos.at(-1) ?? head), form: 'item' },
    { rel: 'alternate', href: timemapLinksUrl(path), form: 'link-format' },
    ...originalLinks(publication, path),
  ];
  const version = idAt(publication, head);
  return `{"type":"timemap","uid":"timemap","mementos":[${entries.join(',')}],"version":"${version}","links":${dialect.links(links)}}`;
}

/** The link from what tells of an item's past to the item itself, as long as it lives. */
function originalLinks({ histories, head }: Publication, path: string): Link[] {
  return histories.isAlive(path, head) ? [{ rel: 'original', href: resourceUrl(path), form: 'item' }] : [];
}

/**
 * The text of a TimeMap in the link format (RFC 6690; RFC 7089, section 5). Its readers know no base URL, so that its
 * references begin with the base path. It names the original of a removed item too, as it must.
 */
export function renderTimemapLinks(publication: Publication, { path }: Subject): string {
  const { basePath, dialect } = publication;
  const mementos = mementosOf(publication, path);
  const dateOf = (index: number) => toldDate(revisionAt(publication, index).date);
  const type = (form: 'item' | 'link-format') => dialect.mediaType(form).split(';')[0] ?? '';
  const lines = [
    `<${basePath}${resourceUrl(path)}>;rel="original"`,
    `<${basePath}${timemapLinksUrl(path)}>;rel="self";type="${RAW_FORMS['link-format'].mediaType}"${rangeOf(mementos.map(dateOf))}`,
    `<${basePath}${timemapUrl(path)}>;rel="timemap";type="${type('item')}"`,
    ...mementos.map((index, i) => {
      const rels = [...(i === 0 ? ['first'] : []), ...(i === mementos.length - 1 ? ['last'] : []), 'memento'];
      const version = versionUrl(path, idAt(publication, index));
      return `<${basePath}${version}>;rel="${rels.join(' ')}";datetime="${dateOf(index).http}"`;
    }),
  ];
  return `${lines.join(',\n')}\n`;
}

/** From the earliest to the latest, wherever they stand. */
function rangeOf(dates: readonly ToldDate[]): string {
  let [from, until] = [dates[0], dates[0]];
  for (const date of dates) {
    if (from && date.seconds < from.seconds) from = date;
    if (until && date.seconds > until.seconds) until = date;
  }
  return from && until ? `;from="${from.http}";until="${until.http}"` : '';
}
