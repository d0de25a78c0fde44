/**
 * The feed of changes in pages, numbered from the oldest: a page that is full never changes again, byte for byte. So
 * nothing in it depends on later revisions: it neither links to resources, which may go, nor names the head.
 */
import type { ChangeFeed, FeedEntry } from '../../history/change-feed.ts';
import { classNames } from '../../model/field-classes.ts';
import { kindAt } from '../../model/resource-path.ts';
import { envelope } from '../collection.ts';
import { dateFields } from '../date-fields.ts';
import type { Link } from '../dialect.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { idAt, type Publication, revisionAt } from '../publication.ts';
import { atomUrl } from '../raw-forms.ts';
import { changesPageUrl, changesUrl, feedUrl, resourceUrl, versionsUrl, versionUrl } from '../urls.ts';
import { isInForce } from './version.ts';

export interface Page {
  /** From 1, the oldest. */
  readonly number: number;
  readonly isFull: boolean;
  /** The index of the revision that it reflects: that of a full page's newest entry, else the head. */
  readonly index: number;
}

/** All pages, the oldest first. The last one is open, and empty when all others are full. */
export function pagesOf({ head }: Publication, feed: ChangeFeed): Page[] {
  const full = Math.floor(feed.size / PAGE_SIZE);
  return Array.from({ length: full + 1 }, (_, i) => ({
    number: i + 1,
    isFull: i < full,
    index: i < full ? feed.entryAt((i + 1) * PAGE_SIZE - 1).index : head,
  }));
}

/** The JSON text of a page, its newest entry first. */
export function renderChanges(publication: Publication, feed: ChangeFeed, page: Page): string {
  const entries: string[] = [];
  const first = (page.number - 1) * PAGE_SIZE;
  for (let n = Math.min(first + PAGE_SIZE, feed.size) - 1; n >= first; n--)
    entries.push(entryText(publication, feed, feed.entryAt(n)));
  const links = publication.dialect.links(pageLinks(feed, page));
  return envelope(entries, idAt(publication, page.index), links);
}

function entryText(publication: Publication, feed: ChangeFeed, { index, change }: FeedEntry): string {
  const { path, action, classes, successor } = change;
  const { id, date } = revisionAt(publication, index);
  const replacement = successor === undefined ? '' : `,"successor":"${successor}"`;
  const about = JSON.stringify(classNames(classes));
  const links = publication.dialect.links(entryLinks(publication, feed, { index, change }));
  return `{"type":"change","revision":"${id}",${dateFields(date)},"resource":"${resourceUrl(path)}","action":"${action}","classes":${about}${replacement},"links":${links}}`;
}

/** The version, which can always be read; what has a feed of its own is a member of that feed too. */
function entryLinks(publication: Publication, feed: ChangeFeed, { index, change }: FeedEntry): Link[] {
  const { path } = change;
  const version: Link = isInForce(publication, path, index)
    ? { rel: 'version', href: versionUrl(path, idAt(publication, index)), form: 'item' }
    : { rel: 'version-history', href: versionsUrl(path), form: 'collection' };
  const hasOwnFeed = path !== feed.path && kindAt(path, publication.history.kinds).hasFeed;
  return hasOwnFeed ? [version, { rel: 'collection', href: changesUrl(path), form: 'collection' }] : [version];
}

/** `next` leads to what is older, as in RFC 5005. A site may go, so that its feed has the feed of all for its parent. */
function pageLinks({ path }: ChangeFeed, { number, isFull }: Page): Link[] {
  const page = (rel: string, n: number): Link => ({ rel, href: changesPageUrl(path, n), form: 'collection' });
  return [
    page('self', number),
    path === ''
      ? { rel: 'parent', href: resourceUrl(''), form: 'item' }
      : { rel: 'parent', href: changesUrl(''), form: 'collection' },
    { rel: 'first', href: changesUrl(path), form: 'collection' },
    page('last', 1),
    { rel: 'alternate', href: feedUrl(path), form: 'feed' },
    { rel: 'alternate', href: atomUrl(path), form: 'atom' },
    ...(isFull ? [page('prev', number + 1)] : []),
    ...(number > 1 ? [page('next', number - 1)] : []),
  ];
}
