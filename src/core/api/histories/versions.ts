/**
 * Renders version documents, histories and TimeMaps. A version document contains a resource after a revision, and the
 * changes of that revision. The document changes only when the resource is removed. The `parent` link then leads to the
 * history, and the `original` link disappears.
 */

import type { RecordedChange } from '../../history/replay.ts';
import { NO_COUNTS } from '../../history/touches.ts';
import { classNames } from '../../model/field-classes.ts';
import { isAtOrBelow, parentItemPath, pathAbove, type Subject, subjectAt } from '../../model/resource-path.ts';
import type { RevisionHeader } from '../../model/revision.ts';
import { resourceAt } from '../../model/state.ts';
import { itemAt } from '../../platform/lookups.ts';
import { collectionText } from '../collection.ts';
import { dateFields, type RevisionDate, revisionDate } from '../date-fields.ts';
import { type Link, toCollection, toItem } from '../dialect.ts';
import type { SubjectForm } from '../endpoints.ts';
import { VERSION_PAGE_SIZE } from '../page-size.ts';
import { documentEnd, idAt, type Publication, revisionAt, stateAt } from '../publication.ts';
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

/** Returns JSON texts of a revision's changes at or below a subject, in code-unit order of paths. */
export type ChangeTexts = (subject: Subject) => string[];

/** Returns a function that returns at most `most` changes of a subject. */
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

function firstFrom(changes: readonly RecordedChange[], path: string): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function hasVersionAt({ histories }: Publication, path: string, index: number): boolean {
  return histories.of(path).currentAt(index) >= 0;
}

function changeText(
  publication: Publication,
  { path, action, classes, fields, successor }: RecordedChange,
  index: number,
  id: string,
): string {
  const changed = fields === undefined ? '' : `,"fields":${publication.store.get(fields)}`;
  // A merge can drop a resource that only its first parent contains. The resource then has no version at the merge.
  const href = hasVersionAt(publication, path, index) ? versionUrl(path, id) : versionsUrl(path);
  const replacement = successor === undefined ? '' : `,"successor":"${successor}"`;
  const about = JSON.stringify(classNames(classes));
  return `{"href":"${publication.dialect.hrefOf(href)}","action":"${action}","classes":${about}${changed}${replacement}}`;
}

export function renderVersion(publication: Publication, subject: Subject, index: number, texts: ChangeTexts): string {
  const changes = `,"changes":[${texts(subject).join(',')}]`;
  if (subject.isCollection) return versionText(publication, subject, index, changes);
  const resource = resourceAt(stateAt(publication, index), subject.path);
  const body = resource ? publication.store.get(resource.body.handle) : 'null';
  return versionText(publication, subject, index, `${changes},"resource":${body}`);
}

/** `content` is the JSON text of the fields that differ between version documents and items of histories. */
function versionText(publication: Publication, subject: Subject, index: number, content: string): string {
  const isCut = publication.histories.hasOmittedPast(subject.path, index) ? ',"older_left_out":true' : '';
  const end = documentEnd(publication, index, versionLinks(publication, subject, index));
  return `${revisionFields(revisionAt(publication, index))}${isCut}${content}${end}`;
}

/** Caches the fields of the last revision, because versions of one revision are rendered consecutively. */
let lastFields: { readonly revision: RevisionHeader; readonly text: string } | undefined;

function revisionFields(revision: RevisionHeader): string {
  if (lastFields?.revision !== revision) {
    const { id, date, message, author } = revision;
    const words = `"message":${JSON.stringify(message)},"author":${JSON.stringify(author)}`;
    lastFields = { revision, text: `{"uid":"${id}",${dateFields(date)},${words},"type":"version"` };
  }
  return lastFields.text;
}

function versionLinks(publication: Publication, subject: Subject, index: number): Link[] {
  const { head, histories, snapshots } = publication;
  const { path } = subject;
  const id = idAt(publication, index);
  const form = formOf(subject);
  const predecessor = histories.predecessor(path, index);
  const links: Link[] = [
    toItem('self', versionUrl(path, id)),
    histories.isAlive(path, head)
      ? { rel: 'parent', href: resourceUrl(path), form }
      : toCollection('parent', versionsUrl(path)),
    toCollection('version-history', versionsUrl(path)),
    toItem('latest-version', latestVersionUrl(path)),
  ];
  if (predecessor !== undefined)
    links.push(toItem('predecessor-version', versionUrl(path, idAt(publication, predecessor))));
  if (snapshots.has(index) && histories.isAlive(path, index)) {
    links.push({ rel: 'snapshot', href: resourceUrl(path, snapshotUrl(id)), form });
  }
  if (!subject.isCollection) {
    if (publication.hasTimemaps) links.push(toItem('timemap', timemapUrl(path)));
    links.push(...originalLinks(publication, path));
  }
  return links;
}

function formOf(subject: Subject): SubjectForm {
  return subject.isCollection ? 'collection' : 'item';
}

/** Returns the number of older pages. The newest page of a long history is at least as long as an older page. */
export function fullPagesOf(versions: number): number {
  return Math.max(0, Math.floor(versions / VERSION_PAGE_SIZE) - 1);
}

/** Returns a history, or its newest page, as JSON text. Items contain the counts of changes, not the changes. */
export function renderVersions(publication: Publication, subject: Subject): string {
  const { revisions } = publication.histories.of(subject.path);
  const pages = fullPagesOf(revisions.length);
  const newest = revisions.slice(0, revisions.length - pages * VERSION_PAGE_SIZE);
  const parent = versionsParent(publication, subject);
  const links: Link[] = [
    toCollection('self', versionsUrl(subject.path)),
    { rel: 'parent', href: resourceUrl(parent.path), form: formOf(parent) },
  ];
  if (pages > 0) links.push(pageLink('last', subject, 1), pageLink('next', subject, pages));
  const items = summaries(publication, subject, newest);
  return collectionText(publication, { items, index: publication.head, links, total: revisions.length });
}

/** Returns an older page as JSON text. `version` is its newest revision. `total` counts versions up to `version`. */
export function renderVersionsPage(publication: Publication, subject: Subject, page: number): string {
  const { revisions } = publication.histories.of(subject.path);
  const end = revisions.length - (page - 1) * VERSION_PAGE_SIZE;
  const shown = revisions.slice(end - VERSION_PAGE_SIZE, end);
  const history = versionsUrl(subject.path);
  const links = [
    pageLink('self', subject, page),
    toCollection('parent', history),
    toCollection('first', history),
    pageLink('last', subject, 1),
    page < fullPagesOf(revisions.length) ? pageLink('prev', subject, page + 1) : toCollection('prev', history),
  ];
  if (page > 1) links.push(pageLink('next', subject, page - 1));
  const items = summaries(publication, subject, shown);
  return collectionText(publication, { items, index: itemAt(shown, 0), links, total: page * VERSION_PAGE_SIZE });
}

function pageLink(rel: string, { path }: Subject, page: number): Link {
  return toCollection(rel, versionsPageUrl(path, page));
}

function summaries(publication: Publication, subject: Subject, revisions: readonly number[]): string[] {
  return revisions.map((index) => {
    const counts = publication.histories.counts(subject.path, index) ?? NO_COUNTS;
    return versionText(publication, subject, index, `,"changes":${JSON.stringify(counts)}`);
  });
}

/** Returns the resource of a history, or the nearest existing collection or item above a removed resource. */
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

/** Returns the revisions of an item's versions in graph order, oldest first. Dates can decrease between revisions. */
function mementosOf({ histories }: Publication, path: string): readonly number[] {
  return histories.of(path).revisions.toReversed();
}

/** Returns the JSON text of a TimeMap. The TimeMap of a removed item has no `original` link. */
export function renderTimemap(publication: Publication, { path }: Subject): string {
  const { dialect, head } = publication;
  const mementos = mementosOf(publication, path);
  const href = (index: number) => versionUrl(path, idAt(publication, index));
  const entries = mementos.map(
    (index) => `{"href":"${dialect.hrefOf(href(index))}",${dateFields(revisionAt(publication, index).date)}}`,
  );
  const [first = head] = mementos;
  const links: Link[] = [
    toItem('self', timemapUrl(path)),
    toCollection('parent', versionsUrl(path)),
    toItem('first', href(first)),
    toItem('last', href(mementos.at(-1) ?? head)),
    { rel: 'alternate', href: timemapLinksUrl(path), form: 'link-format' },
    ...originalLinks(publication, path),
  ];
  const end = documentEnd(publication, head, links);
  return `{"type":"timemap","uid":"timemap","mementos":[${entries.join(',')}]${end}`;
}

function originalLinks({ histories, head }: Publication, path: string): Link[] {
  return histories.isAlive(path, head) ? [toItem('original', resourceUrl(path))] : [];
}

/**
 * Returns a TimeMap in the link format (RFC 6690; RFC 7089, section 5). References contain the base path, because
 * clients of this format do not know the base URL. `original` is required, even for a removed item.
 */
export function renderTimemapLinks(publication: Publication, { path }: Subject): string {
  const { basePath, dialect } = publication;
  const mementos = mementosOf(publication, path);
  const dateOf = (index: number) => revisionDate(revisionAt(publication, index).date);
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

function rangeOf(dates: readonly RevisionDate[]): string {
  let [from, until] = [dates[0], dates[0]];
  for (const date of dates) {
    if (from && date.seconds < from.seconds) from = date;
    if (until && date.seconds > until.seconds) until = date;
  }
  return from && until ? `;from="${from.http}";until="${until.http}"` : '';
}
