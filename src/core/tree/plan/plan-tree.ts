/**
 * The plan: every document of the tree, as values that are rendered when they are asked for. It comes in sections that
 * can be done in any order and by any thread; aliases come after all documents, since they are links to them.
 */

import { type HardwareTimes, hardwareTimes, renderNodeBadge, renderRevisionBadge } from '../../api/badge.ts';
import { renderSnapshots } from '../../api/collection.ts';
import { badgeUrl, revisionBadgeUrl } from '../../api/deep-and-badge-paths.ts';
import { pagesOf, renderAtom, renderChanges, renderFeed } from '../../api/histories/changes.ts';
import { tombstones } from '../../api/histories/tombstone.ts';
import { currentView } from '../../api/item.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../../api/problem.ts';
import { idAt, modificationTimes, type Publication, pastReflected } from '../../api/publication.ts';
import { atomUrl } from '../../api/raw-forms.ts';
import { changesPageUrl, changesUrl, feedUrl, SNAPSHOTS_PATH } from '../../api/urls.ts';
import { type ChangeFeed, changeFeeds } from '../../history/change-feed.ts';
import { subjectAt } from '../../model/resource-path.ts';
import { type Lazy, lazily } from '../../platform/on-demand.ts';
import { NOT_ALLOWED_FILE, NOT_FOUND_FILE, tombstoneFile } from '../layout.ts';
import { exportDocuments } from './plan-exports.ts';
import { historyAliases, historyDocuments, versionDocuments, versionLinkAliases } from './plan-histories.ts';
import { nodePlan } from './plan-nodes.ts';
import { descriptionDocuments, explorerDocuments } from './plan-pages.ts';
import { snapshotDocuments, viewSections } from './plan-view.ts';
import type { DocumentTimes, Plan, PlannedAlias, PlannedDocument, PlannedFile, PlanSection } from './planned.ts';

/** How many histories, or versions of one revision, make a unit. */
const UNIT_SIZE = 500;

export function planTree(publication: Publication): Plan {
  const times = modificationTimes(publication.history);
  const timeOf = (index: number) => times[index] ?? 0;
  const subjects = [...publication.histories.subjects()];
  const feedsByPath = feedsOf(publication);
  const feeds = [...feedsByPath.values()];
  const base = <T>(list: () => Iterable<T>): PlanSection<T> => ({ snapshot: undefined, list });
  const now = timeOf(publication.head);
  const reflected = pastReflected(publication);
  const pastTimeOf = (path: string) => timeOf(reflected(path));
  const versionsAt = <T>(version: number, list: () => Iterable<T>): PlanSection<T> => ({ ...base(list), version });
  const versionLinksAt = (index: number) => ({
    list: () => versionLinkAliases(publication, index, subjects),
    version: index,
  });
  const view = currentView(publication);
  const nodes = nodePlan(view, now);
  const hardware = lazily(() => hardwareOf(publication, feedsByPath));
  const present = [base(() => snapshotsDocument(publication, now)), ...viewSections(view, now), base(nodes.documents)];
  const histories = blocks(subjects).map((block) =>
    base(() => historyDocuments(publication, block, { now, pastTimeOf })),
  );
  const told = feeds.map((feed) => base(() => feedDocuments(publication, feed, timeOf)));
  const newest = base(() => versionDocuments(publication, publication.head, onePerShape(publication), now));
  const shown = [...present, ...histories.slice(0, 1), ...told.slice(0, 1), newest];
  return {
    documents: [
      ...present,
      base(() => exportDocuments(view, nodes.facets, feedsByPath.get(''), now)),
      base(() => descriptionDocuments(view, now, shown)),
      base(() => explorerDocuments(view, shown, now)),
      base(() => badgeDocuments(publication, hardware, { now, pastTimeOf })),
      ...histories,
      ...told,
      ...times.flatMap((time, index) =>
        blocks(publication.histories.touchedBy(index)).map((block) =>
          versionsAt(index, () => versionDocuments(publication, index, block, time)),
        ),
      ),
      ...[...publication.snapshots].map((index) => ({
        snapshot: index,
        list: () => snapshotDocuments(publication, index, timeOf(index)),
      })),
    ],
    aliases: [
      ...blocks(subjects).map((block) => base(() => historyAliases(publication, block))),
      base(() => feedAliases(publication, feeds)),
      base(nodes.aliases),
      ...[...publication.linkedRevisions].map((index) => ({ snapshot: undefined, ...versionLinksAt(index) })),
      ...[...publication.snapshots]
        .filter((index) => !publication.linkedRevisions.has(index))
        .map((index) => ({ snapshot: index, ...versionLinksAt(index) })),
    ],
    files: lazily(() => problemFiles(publication)),
  };
}

type Feeds = ReadonlyMap<string, ChangeFeed>;

/** From a bound on, what lives has a feed even where nothing has changed since. */
function feedsOf({ history, histories, bound, head }: Publication): Feeds {
  if (!bound) return changeFeeds(history);
  const hasFeed = (path: string) => {
    const { kind, isCollection } = subjectAt(path, history.kinds);
    return !isCollection && kind.hasFeed && histories.isAlive(path, head);
  };
  const paths = [...histories.subjects()].filter(hasFeed);
  return changeFeeds(history, { isTold: bound.isTold, paths });
}

/** Since when hardware is what it is, all of the history knows; revisions have badges if they are told. */
function hardwareOf({ history, bound }: Publication, feeds: Feeds): HardwareTimes {
  if (!bound) return hardwareTimes(feeds.get(''));
  const { since, revisions } = hardwareTimes(changeFeeds(history).get(''));
  return { since, revisions: revisions.filter(({ index }) => bound.isTold(index)) };
}

/** Of the paths that have a version of the head, the first of each kind, as an item and as a collection. */
function* onePerShape({ histories, head }: Publication): Generator<string> {
  const shapes = new Set<string>();
  for (const path of histories.touchedBy(head)) {
    const shape = path
      .split('/')
      .map((segment, i) => (i % 2 === 0 ? segment : ''))
      .join('/');
    if (shapes.has(shape) || histories.of(path).inForce(head) !== head) continue;
    shapes.add(shape);
    yield path;
  }
}

function blocks(paths: readonly string[]): string[][] {
  const result: string[][] = [];
  for (let i = 0; i < paths.length; i += UNIT_SIZE) result.push(paths.slice(i, i + UNIT_SIZE));
  return result;
}

function* snapshotsDocument(publication: Publication, modified: number): Generator<PlannedDocument> {
  yield {
    url: SNAPSHOTS_PATH,
    form: 'collection',
    cache: 'mutable',
    modified,
    body: () => renderSnapshots(publication),
  };
}

/** The files that answer in the place of documents: the problem documents of the whole tree, and tombstones. */
function problemFiles(publication: Publication): PlannedFile[] {
  return [
    { file: NOT_FOUND_FILE, body: () => NOT_FOUND },
    { file: NOT_ALLOWED_FILE, body: () => METHOD_NOT_ALLOWED },
    ...Array.from(tombstones(publication), ({ url, body }) => ({ file: tombstoneFile(url), removed: url, body })),
  ];
}

/** `timeOf` is when a document that reflects a revision was modified, in epoch seconds. */
function* feedDocuments(
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

function* feedAliases(publication: Publication, feeds: Iterable<ChangeFeed>): Generator<PlannedAlias> {
  for (const feed of feeds) {
    const open = changesPageUrl(feed.path, pagesOf(publication, feed).length);
    yield { url: changesUrl(feed.path), target: open, cache: 'mutable' };
  }
}

function* badgeDocuments(
  publication: Publication,
  hardware: Lazy<HardwareTimes>,
  { now, pastTimeOf }: DocumentTimes,
): Generator<PlannedDocument> {
  const { badges } = publication;
  if (badges === 'none') return;
  const common = { form: 'svg', cache: 'mutable' } as const;
  const { since, revisions } = hardware();
  for (const [path, index] of since)
    yield {
      url: badgeUrl(path),
      modified: pastTimeOf(path),
      ...common,
      body: () => renderNodeBadge(publication, path, index),
    };
  if (badges !== 'all') return;
  for (const revision of revisions) {
    const url = revisionBadgeUrl(idAt(publication, revision.index));
    yield { ...common, modified: now, url, body: () => renderRevisionBadge(publication, revision) };
  }
}
