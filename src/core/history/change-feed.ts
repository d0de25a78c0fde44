/**
 * Feeds of changes: what every revision on the line of first parents of the head changed, in one order. A merge carries
 * what its side branches brought, which is told once; each change is against the entry before it, so that who applies
 * them in turn is at the head. One feed is of everything, and one of each item whose kind has one.
 */

import { isAtOrBelow, parentItemPath, subjectAt } from '../model/resource-path.ts';
import { itemAt } from '../platform/certain.ts';
import type { Action } from './actions.ts';
import type { History, RecordedChange } from './replay.ts';

/** A change that is told: what only rewrote a source is not. */
export type PublishedFeedChange = RecordedChange & { readonly action: Action };

export interface FeedEntry {
  /** The index of the revision. */
  readonly index: number;
  readonly change: PublishedFeedChange;
}

export interface ChangeFeed {
  /** The item whose changes it tells, and those of all below it. */
  readonly path: string;
  readonly size: number;
  /** The nth entry from the oldest, which is 0; within a revision, in code-unit order of paths. */
  readonly entryAt: (n: number) => FeedEntry;
}

/** What is told of a history. */
export interface FeedRange {
  readonly isTold: (index: number) => boolean;
  /** The paths of the items that have feeds even where nothing is told of them. */
  readonly paths: Iterable<string>;
}

const EVERYTHING: FeedRange = { isTold: () => true, paths: [] };

/** By the path of the item. An item that lived on a side branch alone has no entries, and no feed. */
export function changeFeeds(
  history: History,
  { isTold, paths }: FeedRange = EVERYTHING,
): ReadonlyMap<string, ChangeFeed> {
  const places = new Map<string, Places>();
  const placesOf = (path: string) => {
    const known = places.get(path) ?? { indexes: [], positions: [] };
    places.set(path, known);
    return known;
  };
  for (const path of paths) placesOf(path);
  for (const index of firstParents(history)) {
    if (!isTold(index)) continue;
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

/** Where the changes of a feed stand in the history, in columns: there can be a million. */
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

/** The head and its first parents, the oldest first. */
function firstParents({ revisions, parents }: History): number[] {
  const line: number[] = [];
  for (let at: number | undefined = revisions.length - 1; at !== undefined && at >= 0; at = itemAt(parents, at)[0])
    line.push(at);
  return line.reverse();
}

/** The nearest item at or above a path whose kind has a feed. */
function feedAbove(path: string, { kinds }: History): string {
  let here = subjectAt(path, kinds);
  while (!here.kind.hasFeed) here = subjectAt(parentItemPath(here), kinds);
  return here.path;
}
