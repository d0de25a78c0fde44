/**
 * The plan: every document of the tree, as values that are rendered when they are asked for. It comes in sections that
 * can be done in any order and by any thread; aliases come after all documents, since they are links to them.
 */
import { type HardwareTimes, hardwareTimes } from '../../api/badges/unchanged-since.ts';
import { renderSnapshots } from '../../api/collection.ts';
import { currentView } from '../../api/item.ts';
import { modificationTimes, type Publication, pastReflected } from '../../api/publication.ts';
import { SNAPSHOTS_PATH } from '../../api/urls.ts';
import { type ChangeFeed, changeFeeds } from '../../history/change-feed.ts';
import { subjectAt } from '../../model/resource-path.ts';
import { lazily } from '../../platform/on-demand.ts';
import { badgeDocuments } from './plan-badges.ts';
import { descriptionDocuments } from './plan-description.ts';
import { explorerDocuments } from './plan-explorer.ts';
import { exportDocuments } from './plan-exports.ts';
import { feedAliases, feedDocuments } from './plan-feeds.ts';
import { problemFiles } from './plan-files.ts';
import { historyAliases, historyDocuments, versionDocuments, versionLinkAliases } from './plan-histories.ts';
import { nodePlan } from './plan-nodes.ts';
import { snapshotDocuments, viewSections } from './plan-view.ts';
import type { Plan, PlannedDocument, PlanSection } from './planned.ts';

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
