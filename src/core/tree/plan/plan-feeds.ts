import { pagesOf, renderChanges } from '../../api/histories/changes.ts';
import { renderAtom, renderFeed } from '../../api/histories/feeds.ts';
import type { Publication } from '../../api/publication.ts';
import { atomUrl } from '../../api/raw-forms.ts';
import { changesPageUrl, changesUrl, feedUrl } from '../../api/urls.ts';
import type { ChangeFeed } from '../../history/change-feed.ts';
import type { PlannedAlias, PlannedDocument } from './planned.ts';

/** `timeOf` is when a document that reflects a revision was modified, in epoch seconds. */
export function* feedDocuments(
  publication: Publication,
  feed: ChangeFeed,
  timeOf: (index: number) => number,
): Generator<PlannedDocument> {
  const { path } = feed;
  for (const page of pagesOf(publication, feed)) {
    yield {
      url: changesPageUrl(path, page.number),
      form: 'collection',
      cache: 'mutable',
      modified: timeOf(page.index),
      body: () => renderChanges(publication, feed, page),
    };
  }
  const common = { cache: 'mutable', modified: timeOf(publication.head) } as const;
  yield { ...common, url: feedUrl(path), form: 'feed', body: () => renderFeed(publication, feed) };
  yield { ...common, url: atomUrl(path), form: 'atom', body: () => renderAtom(publication, feed) };
}

export function* feedAliases(publication: Publication, feeds: Iterable<ChangeFeed>): Generator<PlannedAlias> {
  for (const feed of feeds) {
    const open = changesPageUrl(feed.path, pagesOf(publication, feed).length);
    yield { url: changesUrl(feed.path), target: open, cache: 'mutable' };
  }
}
