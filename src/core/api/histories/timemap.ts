/**
 * TimeMaps (RFC 7089): every version of an item with its time, oldest first, as JSON of this API's and in the link
 * format. There is no TimeGate: a static host cannot negotiate by time.
 */
import type { Subject } from '../../model/resource-path.ts';
import { dateFields, type ToldDate, toldDate } from '../date-fields.ts';
import type { Link } from '../dialect.ts';
import { idAt, type Publication, revisionAt } from '../publication.ts';
import { RAW_FORMS, timemapLinksUrl } from '../raw-forms.ts';
import { resourceUrl, timemapUrl, versionsUrl, versionUrl } from '../urls.ts';

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
export function originalLinks({ histories, head }: Publication, path: string): Link[] {
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
