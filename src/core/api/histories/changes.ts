/**
 * The feed of changes in pages, numbered from the oldest: a page that is full never changes again, byte for byte. So
 * nothing in it depends on later revisions: it neither links to resources, which may go, nor names the head.
 */

import type { ChangeFeed, FeedEntry, PublishedFeedChange } from '../../history/change-feed.ts';
import { sha1 } from '../../model/digest.ts';
import { classNames } from '../../model/field-classes.ts';
import { isJsonObject } from '../../model/json.ts';
import { kindAt, lastSegment } from '../../model/resource-path.ts';
import { utcTimestamp } from '../../model/revision.ts';
import { STEERING } from '../../platform/text.ts';
import { envelope } from '../collection.ts';
import { dateFields } from '../date-fields.ts';
import type { Link } from '../dialect.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { idAt, type Publication, revisionAt } from '../publication.ts';
import { atomUrl, RAW_FORMS } from '../raw-forms.ts';
import { changesPageUrl, changesUrl, feedUrl, resourceUrl, versionsUrl, versionUrl } from '../urls.ts';
import { isInForce } from './versions.ts';

interface Page {
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

/** How many revisions are told, and how many changes of each one by one. */
const MOST_REVISIONS = 50;
const MOST_CHANGES = 50;

/** What both formats say of a revision. */
interface Told {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  /** ISO 8601 in UTC. */
  readonly updated: string;
  readonly path: string;
  readonly classes: readonly string[];
}

/** The JSON text of a JSON Feed. */
export function renderFeed(publication: Publication, feed: ChangeFeed): string {
  const { baseUrl } = publication;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(publication, feed),
    home_page_url: baseUrl + changesUrl(feed.path),
    feed_url: baseUrl + feedUrl(feed.path),
    items: toldOf(publication, feed).map(({ id, title, text, author, updated, path, classes }) => ({
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

/** The text of an Atom feed. */
export function renderAtom(publication: Publication, feed: ChangeFeed): string {
  const { basePath, dialect } = publication;
  const type = (form: 'item' | 'collection') => dialect.mediaType(form).split(';')[0] ?? '';
  const link = (rel: string, media: string, href: string) =>
    `<link rel="${rel}" type="${media}" href="${basePath}${href}"/>`;
  const told = toldOf(publication, feed);
  const entries = told.map(
    ({ id, title, text, author, updated, path, classes }) => `<entry>
<id>${id}</id>
<title>${escaped(title)}</title>
<updated>${updated}</updated>
<author><name>${escaped(author)}</name></author>
<link rel="alternate" type="${type('item')}" href="${basePath}${path}"/>
${classes.map((name) => `<category term="${name}"/>\n`).join('')}<content type="text">${escaped(text)}</content>
</entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${urn(`${idAt(publication, 0)} ${changesUrl(feed.path)}`)}</id>
<title>${escaped(titleOf(publication, feed))}</title>
<updated>${told[0]?.updated ?? beginning(publication)}</updated>
${link('self', RAW_FORMS.atom.mediaType, atomUrl(feed.path))}
${link('alternate', type('collection'), changesUrl(feed.path))}
${entries.join('')}</feed>
`;
}

/** When what is told begins: of a feed without entries, nothing else can be said. */
function beginning(publication: Publication): string {
  return utcTimestamp(revisionAt(publication, publication.bound?.bases.at(-1) ?? 0).date);
}

/** The newest revisions that changed something, the newest first. */
function toldOf(publication: Publication, feed: ChangeFeed): Told[] {
  const told: Told[] = [];
  for (let n = feed.size - 1; n >= 0 && told.length < MOST_REVISIONS; ) {
    const { index } = feed.entryAt(n);
    const changes: PublishedFeedChange[] = [];
    for (; n >= 0; n--) {
      const entry = feed.entryAt(n);
      if (entry.index !== index) break;
      changes.push(entry.change);
    }
    told.push(revisionTold(publication, feed.path, index, changes.reverse()));
  }
  return told;
}

function revisionTold(
  publication: Publication,
  path: string,
  index: number,
  changes: readonly PublishedFeedChange[],
): Told {
  const { id, date, author, message } = revisionAt(publication, index);
  const [title = '', ...rest] = message.split('\n');
  const more = changes.length - MOST_CHANGES;
  const lines = changes
    .slice(0, MOST_CHANGES)
    .map(({ path, action, classes }) => `${action} ${resourceUrl(path)} (${classNames(classes).join(', ')})`);
  const body = rest.join('\n').trim();
  return {
    // A revision is told in several feeds, and in each of them by other changes.
    id: urn(`${id} ${changesUrl(path)}`),
    title: title.trim() || `Revision ${id}`,
    text: [...(body === '' ? [] : [body, '']), ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    author: author || 'unknown',
    updated: utcTimestamp(date),
    path: isInForce(publication, path, index) ? versionUrl(path, id) : versionsUrl(path),
    classes: classNames(changes.reduce((all, change) => all | change.classes, 0)),
  };
}

function titleOf({ current, store }: Publication, { path }: ChangeFeed): string {
  const body: unknown = path === '' && current ? JSON.parse(store.get(current.body.handle)) : undefined;
  const uid = isJsonObject(body) ? body['uid'] : lastSegment(path);
  return `Changes of ${typeof uid === 'string' ? uid : 'the registry'}`;
}

const VARIANTS = '89ab';

/** A name for what a text identifies, as Atom demands one: a UUID of version 8 (RFC 9562) from the text's SHA-1. */
function urn(text: string): string {
  const digest = sha1(text);
  const variant = VARIANTS.charAt(Number.parseInt(digest.charAt(16), 16) % VARIANTS.length);
  const parts = [
    ...[digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`],
    ...[variant + digest.slice(17, 20), digest.slice(20, 32)],
  ];
  return `urn:uuid:${parts.join('-')}`;
}

/** What XML 1.0 has no characters for, escaped or not. */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text
    .replace(NO_XML, '\uFFFD')
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replace(STEERING, (character) => `&#${character.charCodeAt(0)};`);
}
