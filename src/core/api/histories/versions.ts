/**
 * Histories: the versions of an item or a collection, newest first. A long one has pages, numbered from the oldest: a full
 * page tells of the history as it was when it was filled, so that it stays as it is, and the newest versions are at the
 * history's own path.
 */
import { NO_COUNTS } from '../../history/touches.ts';
import { parentItemPath, pathAbove, type Subject, subjectAt } from '../../model/resource-path.ts';
import { itemAt } from '../../platform/certain.ts';
import { collectionText } from '../collection.ts';
import type { Link } from '../dialect.ts';
import { VERSION_PAGE_SIZE } from '../page-size.ts';
import { idAt, type Publication } from '../publication.ts';
import { resourceUrl, versionsPageUrl, versionsUrl } from '../urls.ts';
import { formOf, versionText } from './version.ts';

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
