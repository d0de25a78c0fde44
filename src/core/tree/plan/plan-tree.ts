/** Threads can process sections in any order. Aliases are hard links, so aliases must follow all documents. */

import { type HardwareTimes, hardwareTimes, renderNodeBadge, renderRevisionBadge } from '../../api/badge.ts';
import { renderSnapshots } from '../../api/collection.ts';
import {
  CHANGE_EXPORT_PATH,
  DATA_PACKAGE_PATH,
  hardwareUrl,
  inventoryUrl,
  nodeExportUrl,
  targetsUrl,
} from '../../api/exports/export-urls.ts';
import {
  exportedHosts,
  renderChangeCsv,
  renderDataPackage,
  renderInventory,
  renderNodeCsv,
  renderNodeNdjson,
  sharedExportData,
} from '../../api/exports/exports.ts';
import { renderHardwareHtml, renderHardwareMarkdown } from '../../api/exports/hardware-document.ts';
import { pagesOf, renderAtom, renderChanges, renderFeed } from '../../api/histories/changes.ts';
import { currentView, type View } from '../../api/item.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND, tombstones } from '../../api/problem.ts';
import { headTime, idAt, latestRelevantRevision, modificationTimes, type Publication } from '../../api/publication.ts';
import { atomUrl } from '../../api/raw-forms.ts';
import { badgeUrl, changesPageUrl, changesUrl, feedUrl, revisionBadgeUrl, SNAPSHOTS_PATH } from '../../api/urls.ts';
import { prometheusTargets } from '../../exports/host-exports.ts';
import { type ChangeFeed, changeFeeds } from '../../history/change-feed.ts';
import { subjectAt } from '../../model/resource-path.ts';
import { membersOf } from '../../model/state.ts';
import { type Lazy, lazily } from '../../platform/on-demand.ts';
import type { Facet } from '../../table/facets.ts';
import { nodesIn } from '../../table/node-survey.ts';
import { NOT_ALLOWED_FILE, NOT_FOUND_FILE, tombstoneFile } from '../layout.ts';
import { historyAliases, historyDocuments, versionDocuments, versionLinkAliases } from './plan-histories.ts';
import { nodePlan } from './plan-nodes.ts';
import { descriptionDocuments, explorerDocuments } from './plan-pages.ts';
import { snapshotDocuments, viewSections } from './plan-view.ts';
import {
  type DocumentTimes,
  documentsAt,
  inParts,
  type Plan,
  type PlannedAlias,
  type PlannedDocument,
  type PlannedFile,
  type PlanSection,
} from './planned.ts';

/** The maximum number of resources in a section of histories or versions. */
const SECTION_SIZE = 500;

export function planTree(publication: Publication): Plan {
  const times = modificationTimes(publication);
  const timeOf = (index: number) => times[index] ?? 0;
  const subjects = [...publication.histories.subjects()];
  const feedsByPath = feedsOf(publication);
  const feeds = [...feedsByPath.values()];
  const base = <T>(list: () => Iterable<T>): PlanSection<T> => ({ snapshot: undefined, list });
  const now = headTime(publication);
  const reflected = latestRelevantRevision(publication);
  const pastTimeOf = (path: string) => timeOf(reflected(path));
  const versionsAt = <T>(version: number, list: () => Iterable<T>): PlanSection<T> => ({ ...base(list), version });
  const versionLinksAt = (index: number) => ({
    list: () => versionLinkAliases(publication, index, subjects),
    version: index,
  });
  const view = currentView(publication);
  const nodes = nodePlan(view, now);
  const hardware = lazily(() => hardwareOf(publication, feedsByPath));
  const snapshots = documentsAt(now)(SNAPSHOTS_PATH, 'collection', () => renderSnapshots(publication));
  const present = [base(() => [snapshots]), ...viewSections(view, now), base(nodes.documents)];
  const histories = blocks(subjects).map((block) =>
    base(() => historyDocuments(publication, block, { now, pastTimeOf })),
  );
  const changes = feeds.map((feed) => base(() => feedDocuments(publication, feed, timeOf)));
  const newest = base(() => versionDocuments(publication, publication.head, onePerShape(publication), timeOf));
  const shown = [...present, ...histories.slice(0, 1), ...changes.slice(0, 1), newest];
  return {
    documents: [
      ...present,
      base(() => exportDocuments(view, nodes.facets, feedsByPath.get(''), now)),
      base(() => descriptionDocuments(view, now, shown)),
      base(() => explorerDocuments(view, shown, now)),
      base(() => badgeDocuments(publication, hardware, { now, pastTimeOf })),
      ...histories,
      ...changes,
      ...times.flatMap((_, index) =>
        blocks(publication.histories.touchedBy(index)).map((block) =>
          versionsAt(index, () => versionDocuments(publication, index, block, timeOf)),
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

/** Returns the feeds by path. A resource has an empty feed if all its changes precede the history start. */
function feedsOf({ history, histories, bound, head }: Publication): Feeds {
  if (!bound) return changeFeeds(history);
  const hasFeed = (path: string) => {
    const { kind, isCollection } = subjectAt(path, history.kinds);
    return !isCollection && kind.hasFeed && histories.isAlive(path, head);
  };
  const paths = [...histories.subjects()].filter(hasFeed);
  return changeFeeds(history, { isIncluded: bound.isIncluded, paths });
}

/** Computes hardware changes from the whole history, but lists only the published revisions. */
function hardwareOf({ history, bound }: Publication, feeds: Feeds): HardwareTimes {
  if (!bound) return hardwareTimes(feeds.get(''));
  const { since, revisions } = hardwareTimes(changeFeeds(history).get(''));
  return { since, revisions: revisions.filter(({ index }) => bound.isIncluded(index)) };
}

/** Yields the path of one item and of one collection of each kind, chosen from those that the head changed. */
function* onePerShape({ histories, head }: Publication): Generator<string> {
  const shapes = new Set<string>();
  for (const path of histories.touchedBy(head)) {
    const shape = path
      .split('/')
      .map((segment, i) => (i % 2 === 0 ? segment : ''))
      .join('/');
    if (shapes.has(shape) || histories.of(path).currentAt(head) !== head) continue;
    shapes.add(shape);
    yield path;
  }
}

function blocks(paths: readonly string[]): string[][] {
  const result: string[][] = [];
  for (let i = 0; i < paths.length; i += SECTION_SIZE) result.push(paths.slice(i, i + SECTION_SIZE));
  return result;
}

function problemFiles(publication: Publication): PlannedFile[] {
  return [
    { file: NOT_FOUND_FILE, body: () => NOT_FOUND },
    { file: NOT_ALLOWED_FILE, body: () => METHOD_NOT_ALLOWED },
    ...Array.from(tombstones(publication), ({ url, body }) => ({ file: tombstoneFile(url), removedUrl: url, body })),
  ];
}

/** `timeOf` returns the file time of a revision's documents, in epoch seconds. */
function* feedDocuments(
  publication: Publication,
  feed: ChangeFeed,
  timeOf: (index: number) => number,
): Generator<PlannedDocument> {
  const { path } = feed;
  for (const page of pagesOf(publication, feed)) {
    const body = () => renderChanges(publication, feed, page);
    yield documentsAt(timeOf(page.index))(changesPageUrl(path, page.number), 'collection', body);
  }
  const document = documentsAt(timeOf(publication.head));
  yield document(feedUrl(path), 'feed', () => renderFeed(publication, feed));
  yield document(atomUrl(path), 'atom', () => renderAtom(publication, feed));
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
  const { since, revisions } = hardware();
  for (const [path, index] of since)
    yield documentsAt(pastTimeOf(path))(badgeUrl(path), 'svg', () => renderNodeBadge(publication, path, index));
  if (badges !== 'all') return;
  for (const revision of revisions) {
    const url = revisionBadgeUrl(idAt(publication, revision.index));
    yield documentsAt(now)(url, 'svg', () => renderRevisionBadge(publication, revision));
  }
}

function* exportDocuments(
  view: View,
  facets: Lazy<readonly Facet[]>,
  feed: ChangeFeed | undefined,
  modified: number,
): Generator<PlannedDocument> {
  const { publication, state } = view;
  if (!publication.hasExports || !state) return;
  const document = documentsAt(modified);
  const long = (url: string, form: PlannedDocument['form'], parts: () => Iterable<string>): PlannedDocument => {
    const { body } = inParts(parts);
    return { ...document(url, form, body), parts };
  };
  const writing = lazily(() => sharedExportData(publication, facets()));
  const isWhole = [...nodesIn(state)].length <= publication.maxFoundNodes;
  const sites = isWhole ? undefined : [...membersOf(state, 'sites').keys()];
  for (const site of sites ?? [undefined]) {
    const exported = lazily(() => ({ view, site, shared: writing() }));
    const hosts = lazily(() => exportedHosts(exported()));
    yield long(nodeExportUrl('ndjson', site), 'ndjson', () => renderNodeNdjson(exported(), hosts()));
    yield long(nodeExportUrl('csv', site), 'csv', () => renderNodeCsv(exported(), hosts()));
    yield long(inventoryUrl(site), 'yaml', () => renderInventory(view, hosts()));
    yield long(targetsUrl(site), 'item', () => prometheusTargets(hosts()));
  }
  yield long(hardwareUrl('markdown'), 'markdown', () => renderHardwareMarkdown(view));
  yield long(hardwareUrl('html'), 'html', () => renderHardwareHtml(view));
  yield long(CHANGE_EXPORT_PATH, 'csv', () => renderChangeCsv(publication, feed));
  yield document(DATA_PACKAGE_PATH, 'item', () => renderDataPackage(view, sites, writing().columns));
}
