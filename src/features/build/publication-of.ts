import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectOf } from '../../core/api/dialect.ts';
import { cacheControlOf } from '../../core/api/endpoints.ts';
import { EXPLORER_PATHS } from '../../core/api/explorer/explorer-paths.ts';
import { type ExplorerFiles, type Publication, secondsSinceHead, timeShift } from '../../core/api/publication.ts';
import { documentSchemas } from '../../core/api/schemas/document-schemas.ts';
import { historyAt } from '../../core/history/history-at.ts';
import {
  type HistoryStart,
  historiesFromStart,
  historyStart,
  includedRevisions,
} from '../../core/history/history-start.ts';
import type { History } from '../../core/history/replay.ts';
import { resourceHistories } from '../../core/history/resource-history.ts';
import { labelling } from '../../core/labels/labels.ts';
import {
  AUTO,
  type Configuration,
  MOST_OFFLINE_HISTORY,
  SETTINGS_WITHOUT_BYTES,
  VERSION_LINK_DAYS,
} from '../../core/model/configuration.ts';
import { deepLimits, GROUPED_BY, MOST_FOUND_NODES, MOST_HISTORY } from '../../core/model/configuration-parts.ts';
import { sha256 } from '../../core/model/digest.ts';
import { firstHash } from '../../core/model/private-fields.ts';
import { DAY_SECONDS } from '../../core/model/revision.ts';
import { type BodyStore, type RegistryState, resourceAt, resourcesIn } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { surveyNodes } from '../../core/table/node-survey.ts';
import { EDITION } from '../../core/tree/manifest/manifest.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { undefinedOnSystemError } from '../../system/files/system-errors.ts';
import { packagedSchema } from '../../system/trees/packaged-checks.ts';
import type { PublicSources } from '../sources/public-sources.ts';
import { indexAtRevisionOrDate, indexOfRevision, secondsOf } from '../sources/resolve-revision.ts';

/** Includes every part that automatic settings could include. `planBuild` removes the parts that do not fit. */
export function publicationOf(
  { history, worktree, store, configuration: whole }: PublicSources,
  /** The head of the tree: a revision or a date. */
  at?: string,
): Publication {
  const published = at === undefined ? history : historyAt(history, indexAtRevisionOrDate(history, at));
  const current = at === undefined ? worktree : (published.states.at(-1) ?? null);
  const configuration = { ...whole, snapshots: snapshotsUpTo(published, history, whole.snapshots) };
  const { dialect, snapshots, search, labels, explorer = true, badges = 'nodes' } = configuration;
  const look = typeof explorer === 'object' ? explorer : {};
  const bound = boundOf(published, configuration.history?.since ?? 'all', snapshots);
  const histories = resourceHistories(published);
  const hash = configuration.private?.hash && firstHashIn(published, store);
  return {
    history: published,
    histories: bound ? historiesFromStart(histories, published, bound) : histories,
    bound,
    store,
    dialect: dialectOf(configuration),
    basePath: configuration.base_path,
    baseUrl: configuration.base_url ?? configuration.base_path,
    head: published.revisions.length - 1,
    current,
    snapshots: snapshotIndexes(published, snapshots, bound),
    linkedRevisions: linkedRevisions(published, configuration.version_links, bound),
    labels: labelling(labels),
    maxFoundNodes: search?.max_nodes ?? MOST_FOUND_NODES,
    maxHistoryLength: search?.max_history ?? MOST_HISTORY,
    maxOfflineHistoryLength: look.max_history ?? MOST_OFFLINE_HISTORY,
    groupingFields: search?.collections ?? GROUPED_BY,
    hasTimemaps: configuration.timemaps,
    hasNames: search?.names ?? true,
    hasExports: configuration.exports,
    schemas: lazily(() => documentSchemas(dialect, packagedSchema)),
    explorer: explorer ? explorerFiles(look.logo) : undefined,
    explorerLinks: look.links ?? [],
    badges,
    citation: configuration.citation,
    sunset: configuration.sunset,
    cacheControl: cacheControlOf(configuration.max_age),
    deep: deepLimits(configuration),
    nodes: lazily(() => surveyNodes(current, store, search?.left_out)),
    timeShift: timeShift(settingsText(configuration, { bound, hash }, published)),
    orderShift: orderShift(current, published.states.at(-1) ?? null, store),
  };
}

/** Returns 0 if the resources in `current` have the same order of fields as the recorded resources. */
function orderShift(current: RegistryState, recorded: RegistryState, store: BodyStore): number {
  const reordered = Array.from(resourcesIn(current), ([path, { body }]) => {
    const isSame = resourceAt(recorded, path)?.body.handle === body.handle;
    return isSame ? [] : [path, sha256(store.get(body.handle))];
  }).flat();
  return reordered.length > 0 ? timeShift(JSON.stringify(reordered)) : 0;
}

/**
 * Returns the first hash of a private field. File times depend on this hash, because archives do not contain the key.
 */
function firstHashIn({ states, changes }: History, store: BodyStore): string | undefined {
  for (const [index, each] of changes.entries())
    for (const { path } of each) {
      const resource = resourceAt(itemAt(states, index), path);
      const hash = resource && firstHash(store.get(resource.body.handle));
      if (hash !== undefined) return hash;
    }
  return undefined;
}

/** Serializes all settings that affect the bytes of documents. */
function settingsText(
  configuration: Configuration,
  { bound, hash }: Pick<Publication, 'bound'> & { readonly hash: string | undefined },
  history: History,
): string {
  const without: readonly string[] = SETTINGS_WITHOUT_BYTES;
  const others = Object.fromEntries(Object.entries(configuration).filter(([name]) => !without.includes(name)));
  const { snapshots } = configuration;
  // `fitTree` changes the document times if `auto` does not include all snapshots.
  const extent = snapshots === AUTO ? 'all' : snapshots;
  return JSON.stringify([
    VERSION,
    EDITION,
    {
      ...others,
      snapshots:
        typeof extent === 'string'
          ? extent
          : [...snapshotIndexes(history, extent, bound)].map((index) => history.revisions[index]?.id),
      history: bound?.since,
      hash,
    },
  ]);
}

/** Omits listed snapshots that the history of the tree does not contain, because they are newer than its head. */
function snapshotsUpTo(
  { indexOf }: History,
  whole: History,
  snapshots: Configuration['snapshots'],
): Configuration['snapshots'] {
  if (typeof snapshots === 'string') return snapshots;
  const ids = snapshots.map((given) => itemAt(whole.revisions, indexOfRevision(whole, given)).id);
  return ids.filter((id) => indexOf.has(id));
}

/** The tree also includes the versions of snapshots that the configuration lists by revision. */
function boundOf(history: History, since: string, snapshots: Configuration['snapshots']): HistoryStart | undefined {
  if (since === 'all') return undefined;
  const wanted = typeof snapshots === 'string' ? [] : snapshots.map((id) => indexOfRevision(history, id));
  return historyStart(history, secondsOf(since, 'T00:00:00Z'), wanted);
}

/** Returns the indexes of revisions that get a snapshot, newest first. Revisions without resources get no snapshot. */
function snapshotIndexes(
  history: History,
  snapshots: Configuration['snapshots'],
  bound: HistoryStart | undefined,
): ReadonlySet<number> {
  if (snapshots === 'none') return new Set();
  const all = () => (bound ? includedRevisions(bound, history) : [...history.revisions.keys()]);
  const chosen =
    snapshots === 'all' || snapshots === AUTO ? all() : snapshots.map((id) => indexOfRevision(history, id));
  return new Set(chosen.sort((a, b) => b - a).filter((index) => history.states[index]));
}

/** Returns revisions on the first-parent line of the head, so that links from earlier builds remain valid. */
function linkedRevisions(
  history: History,
  links: Configuration['version_links'],
  bound: HistoryStart | undefined,
): ReadonlySet<number> {
  const linked = new Set<number>();
  // Zero days would still include revisions that were the head on the day of the head, or later.
  if (links === 'none') return linked;
  const days = links === 'all' ? Number.POSITIVE_INFINITY : links === AUTO ? VERSION_LINK_DAYS[0] : links;
  for (const [at, seconds] of secondsSinceHead(history)) {
    if (bound && !bound.isIncluded(at) && !bound.bases.includes(at)) break;
    // The dates of revisions can decrease, so an old revision does not end the loop.
    if (seconds < days * DAY_SECONDS) linked.add(at);
  }
  return linked;
}

/** The path is the same for source files and for compiled files. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', 'lib', 'explorer');

function explorerFiles(logo: string | undefined): ExplorerFiles | undefined {
  const files = packagedFiles();
  if (!files || logo === undefined) return files;
  // The metadata identifies the icon's file: see core/api/raw-forms.ts.
  return { ...files, icon: logo.trim().replace('>', `><metadata>${EXPLORER_PATHS.icon}</metadata>`) };
}

const packagedFiles = lazily((): ExplorerFiles | undefined => {
  const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
  return undefinedOnSystemError(() => ({
    page: read('index.html'),
    script: read('explorer.js'),
    more: read('more.js'),
    exports: read('exports.js'),
    style: read('explorer.css'),
    icon: read('icon.svg'),
  }));
});
