/** Page 1 of a change feed is the oldest. Full pages never change. So they contain no links that could break later. */

import type { ChangeFeed, FeedEntry, PublishedFeedChange } from '../../history/change-feed.ts';
import { sha1 } from '../../model/digest.ts';
import { classNames } from '../../model/field-classes.ts';
import { kindAt, lastSegment } from '../../model/resource-path.ts';
import { utcTimestamp } from '../../model/revision.ts';
import { CONTROL_CHARACTERS, ENTITIES } from '../../platform/text.ts';
import { collectionText } from '../collection.ts';
import { dateFields } from '../date-fields.ts';
import { type Link, toCollection, toItem } from '../dialect.ts';
import { hasExplorer } from '../explorer/explorer.ts';
import { EXPLORER_PATHS } from '../explorer/explorer-paths.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { gridBody, idAt, type Publication, revisionAt } from '../publication.ts';
import { atomUrl, RAW_FORMS } from '../raw-forms.ts';
import { changesPageUrl, changesUrl, feedUrl, resourceUrl, versionsUrl, versionUrl } from '../urls.ts';
import { hasVersionAt } from './versions.ts';

interface Page {
  readonly number: number;
  readonly isFull: boolean;
  /**
   * The index of the revision in the field `version` of the page. The last page shows the head. Each full page shows
   * the newest revision that it lists.
   */
  readonly index: number;
}

/** The pages, oldest first. The last page is never full and can be empty. */
export function pagesOf({ head }: Publication, feed: ChangeFeed): Page[] {
  const full = Math.floor(feed.size / PAGE_SIZE);
  return Array.from({ length: full + 1 }, (_, i) => ({
    number: i + 1,
    isFull: i < full,
    index: i < full ? feed.entryAt((i + 1) * PAGE_SIZE - 1).index : head,
  }));
}

export function renderChanges(publication: Publication, feed: ChangeFeed, page: Page): string {
  const items: string[] = [];
  const first = (page.number - 1) * PAGE_SIZE;
  for (let n = Math.min(first + PAGE_SIZE, feed.size) - 1; n >= first; n--)
    items.push(entryText(publication, feed, feed.entryAt(n)));
  return collectionText(publication, { items, index: page.index, links: pageLinks(feed, page) });
}

function entryText(publication: Publication, feed: ChangeFeed, { index, change }: FeedEntry): string {
  const { path, action, classes, successor } = change;
  const { id, date } = revisionAt(publication, index);
  const replacement = successor === undefined ? '' : `,"successor":"${successor}"`;
  const about = JSON.stringify(classNames(classes));
  const links = publication.dialect.links(entryLinks(publication, feed, { index, change }));
  return `{"type":"change","revision":"${id}",${dateFields(date)},"resource":"${resourceUrl(path)}","action":"${action}","classes":${about}${replacement},"links":${links}}`;
}

/**
 * Returns a link to the version or history of the changed resource, and a link to the resource's feed, if one exists.
 */
function entryLinks(publication: Publication, feed: ChangeFeed, { index, change }: FeedEntry): Link[] {
  const { path } = change;
  const version = hasVersionAt(publication, path, index)
    ? toItem('version', versionUrl(path, idAt(publication, index)))
    : toCollection('version-history', versionsUrl(path));
  const hasOwnFeed = path !== feed.path && kindAt(path, publication.history.kinds).hasFeed;
  return hasOwnFeed ? [version, toCollection('collection', changesUrl(path))] : [version];
}

/** `next` leads to an older page (RFC 5005). Feeds do not link to their sites, because sites can be removed. */
function pageLinks({ path }: ChangeFeed, { number, isFull }: Page): Link[] {
  const page = (rel: string, n: number) => toCollection(rel, changesPageUrl(path, n));
  return [
    page('self', number),
    path === '' ? toItem('parent', resourceUrl('')) : toCollection('parent', changesUrl('')),
    toCollection('first', changesUrl(path)),
    page('last', 1),
    { rel: 'alternate', href: feedUrl(path), form: 'feed' },
    { rel: 'alternate', href: atomUrl(path), form: 'atom' },
    ...(isFull ? [page('prev', number + 1)] : []),
    ...(number > 1 ? [page('next', number - 1)] : []),
  ];
}

const MAX_REVISIONS = 50;
/** The maximum number of changes in one feed entry. */
const MAX_CHANGES = 50;

interface RevisionEntry {
  readonly id: string;
  readonly revision: string;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  /** The time in ISO 8601 and UTC. */
  readonly updated: string;
  readonly path: string;
  readonly classes: readonly string[];
}

export function renderFeed(publication: Publication, feed: ChangeFeed): string {
  const { baseUrl } = publication;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(publication, feed),
    home_page_url: baseUrl + changesUrl(feed.path),
    feed_url: baseUrl + feedUrl(feed.path),
    items: newestEntries(publication, feed).map(({ id, title, text, author, updated, path, classes }) => ({
      id,
      url: baseUrl + path,
      title,
      content_text: text,
      date_published: updated,
      authors: [{ name: author }],
      tags: classes,
    })),
  });
}

export function renderAtom(publication: Publication, feed: ChangeFeed): string {
  const { basePath, dialect } = publication;
  const type = (form: 'item' | 'collection') => dialect.mediaType(form).split(';')[0] ?? '';
  const link = (rel: string, media: string, href: string) =>
    `<link rel="${rel}" type="${media}" href="${basePath}${href}"/>\n`;
  // Feed readers open the first alternate of type text/html.
  const view = (params: string) =>
    hasExplorer(publication) ? link('alternate', 'text/html', `${EXPLORER_PATHS.page}#${changesUrl('')}${params}`) : '';
  const newest = newestEntries(publication, feed);
  const entries = newest.map(
    ({ id, revision, title, text, author, updated, path, classes }) => `<entry>
<id>${id}</id>
<title>${escaped(title)}</title>
<updated>${updated}</updated>
<author><name>${escaped(author)}</name></author>
${view(`?at=${revision}`)}${link('alternate', type('item'), path)}${classes.map((name) => `<category term="${name}"/>\n`).join('')}<content type="text">${escaped(text)}</content>
</entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${urn(`${idAt(publication, 0)} ${changesUrl(feed.path)}`)}</id>
<title>${escaped(titleOf(publication, feed))}</title>
<updated>${newest[0]?.updated ?? beginning(publication)}</updated>
${link('self', RAW_FORMS.atom.mediaType, atomUrl(feed.path))}${view('')}${link('alternate', type('collection'), changesUrl(feed.path))}${entries.join('')}</feed>
`;
}

/** Returns the date at which the published history starts. A feed without entries has this date. */
function beginning(publication: Publication): string {
  return utcTimestamp(revisionAt(publication, publication.bound?.bases.at(-1) ?? 0).date);
}

function newestEntries(publication: Publication, feed: ChangeFeed): RevisionEntry[] {
  const entries: RevisionEntry[] = [];
  for (let n = feed.size - 1; n >= 0 && entries.length < MAX_REVISIONS; ) {
    const { index } = feed.entryAt(n);
    const changes: PublishedFeedChange[] = [];
    for (; n >= 0; n--) {
      const entry = feed.entryAt(n);
      if (entry.index !== index) break;
      changes.push(entry.change);
    }
    entries.push(revisionEntry(publication, feed.path, index, changes.reverse()));
  }
  return entries;
}

function revisionEntry(
  publication: Publication,
  path: string,
  index: number,
  changes: readonly PublishedFeedChange[],
): RevisionEntry {
  const { id, date, author, message } = revisionAt(publication, index);
  const [title = '', ...rest] = message.split('\n');
  const more = changes.length - MAX_CHANGES;
  const lines = changes
    .slice(0, MAX_CHANGES)
    .map(({ path, action, classes }) => `${action} ${resourceUrl(path)} (${classNames(classes).join(', ')})`);
  const body = rest.join('\n').trim();
  return {
    // The identifier contains the path of the feed, because a revision can have different changes in different feeds.
    id: urn(`${id} ${changesUrl(path)}`),
    revision: id,
    title: title.trim() || `Revision ${id}`,
    text: [...(body === '' ? [] : [body, '']), ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    author: author || 'unknown',
    updated: utcTimestamp(date),
    path: hasVersionAt(publication, path, index) ? versionUrl(path, id) : versionsUrl(path),
    classes: classNames(changes.reduce((all, change) => all | change.classes, 0)),
  };
}

function titleOf(publication: Publication, { path }: ChangeFeed): string {
  const uid = path === '' ? gridBody(publication)?.['uid'] : lastSegment(path);
  return `Changes of ${typeof uid === 'string' ? uid : 'the registry'}`;
}

const VARIANTS = '89ab';

/** Returns the stable identifier that Atom requires: a version 8 UUID (RFC 9562) from the SHA-1 digest of a text. */
function urn(text: string): string {
  const digest = sha1(text);
  const variant = VARIANTS.charAt(Number.parseInt(digest.charAt(16), 16) % VARIANTS.length);
  const parts = [
    ...[digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`],
    ...[variant + digest.slice(17, 20), digest.slice(20, 32)],
  ];
  return `urn:uuid:${parts.join('-')}`;
}

/** Characters that XML 1.0 forbids, even escaped. */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text
    .replace(NO_XML, '\uFFFD')
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replace(CONTROL_CHARACTERS, (character) => `&#${character.charCodeAt(0)};`);
}
