/**
 * A feed lists the changes of each revision on the head's first-parent line. The entry of a merge also contains the
 * changes of its side branches, so each change appears once. A client that applies all entries in order obtains the
 * head.
 */

import { isAtOrBelow, parentItemPath, subjectAt } from '../model/resource-path.ts';
import { getOrCreate, itemAt } from '../platform/lookups.ts';
import { firstParentLine } from './graph.ts';
import type { History, RecordedChange } from './replay.ts';
import type { Action } from './revision-file.ts';

/** Feeds exclude changes with the action `touched`, because these changes only rewrite a file. */
export type PublishedFeedChange = RecordedChange & { readonly action: Action };

export interface FeedEntry {
  readonly index: number;
  readonly change: PublishedFeedChange;
}

export interface ChangeFeed {
  /** The item of the feed. The feed lists changes at or below this path. */
  readonly path: string;
  readonly size: number;
  /** Returns the entry at a position. Position 0 is the oldest entry. Entries of a revision are ordered by path. */
  readonly entryAt: (n: number) => FeedEntry;
}

export interface FeedRange {
  readonly isIncluded: (index: number) => boolean;
  /** The items that have feeds. A feed can be empty. */
  readonly paths: Iterable<string>;
}

const EVERYTHING: FeedRange = { isIncluded: () => true, paths: [] };

/** Returns feeds by item path. An item that existed only on a side branch has no feed. */
export function changeFeeds(
  history: History,
  { isIncluded, paths }: FeedRange = EVERYTHING,
): ReadonlyMap<string, ChangeFeed> {
  const places = new Map<string, Places>();
  const placesOf = (path: string) => getOrCreate(places, path, (): Places => ({ indexes: [], positions: [] }));
  for (const path of paths) placesOf(path);
  for (const index of firstParentLine(history, history.revisions.length - 1).reverse()) {
    if (!isIncluded(index)) continue;
    let feed: string | undefined;
    for (const [position, { path, action }] of itemAt(history.changes, index).entries()) {
      if (action === 'touched') continue;
      if (feed === undefined || feed === '' || !isAtOrBelow(path, feed)) feed = feedAbove(path, history);
      for (const each of feed === '' ? [''] : ['', feed]) {
        const { indexes, positions } = placesOf(each);
        indexes.push(index);
        positions.push(position);
      }
    }
  }
  return new Map([...places].map(([path, found]) => [path, feedOf(history, path, found)]));
}

/** Stores the revision and position of each change in columns, because a feed can have a million changes. */
interface Places {
  readonly indexes: number[];
  readonly positions: number[];
}

function feedOf({ changes }: History, path: string, { indexes, positions }: Places): ChangeFeed {
  return {
    path,
    size: indexes.length,
    entryAt: (n) => {
      const index = itemAt(indexes, n);
      const change = itemAt(itemAt(changes, index), itemAt(positions, n));
      if (!isInFeed(change)) throw new Error(`the feed of /${path} has no entry ${n}`);
      return { index, change };
    },
  };
}

function isInFeed(change: RecordedChange): change is PublishedFeedChange {
  return change.action !== 'touched';
}

/** Returns the nearest item that has a feed, at or above a path. */
function feedAbove(path: string, { kinds }: History): string {
  let here = subjectAt(path, kinds);
  while (!here.kind.hasFeed) here = subjectAt(parentItemPath(here), kinds);
  return here.path;
}
