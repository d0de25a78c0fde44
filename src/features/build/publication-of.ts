/** Sources and options -> what is to be published. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectOf } from '../../core/api/dialect.ts';
import type { ExplorerFiles, Publication } from '../../core/api/publication.ts';
import { documentSchemas } from '../../core/api/schemas/document-schemas.ts';
import { boundedHistories } from '../../core/history/bounded-histories.ts';
import { historyAt } from '../../core/history/history-at.ts';
import { type HistoryBound, historyBound, revisionsTold } from '../../core/history/history-bound.ts';
import type { History } from '../../core/history/replay.ts';
import { resourceHistories } from '../../core/history/resource-history.ts';
import { labelling } from '../../core/labels/labels.ts';
import { type Configuration, MOST_TWINNED_HISTORY } from '../../core/model/configuration.ts';
import { deepLimits, GROUPED_BY, MOST_FOUND_NODES, MOST_HISTORY } from '../../core/model/configuration-parts.ts';
import { epochSeconds } from '../../core/model/revision.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { surveyNodes } from '../../core/table/node-survey.ts';
import { unlessRefused } from '../../system/files/system-errors.ts';
import { packagedSchema } from '../../system/trees/packaged-checks.ts';
import type { Sources } from '../sources/load-sources.ts';
import { indexOfRevision, secondsOf } from '../sources/resolve-revision.ts';

/** What the command line may say differently from the configuration. */
export interface PublicationOptions {
  readonly dialect?: Configuration['dialect'] | undefined;
  readonly snapshots?: Configuration['snapshots'] | undefined;
  readonly versionLinks?: Configuration['version_links'] | undefined;
  /** From when on the history is told, or `all`. */
  readonly since?: string | undefined;
  /** The revision to build as if it were the head. */
  readonly at?: string | undefined;
}

export function publicationOf(
  { history, worktree, store, configuration }: Sources,
  options: PublicationOptions,
): Publication {
  const shown = options.at === undefined ? history : historyAt(history, indexOfRevision(history, options.at));
  const current = options.at === undefined ? worktree : (shown.states.at(-1) ?? null);
  const { search, labels, explorer = true, badges = 'nodes' } = configuration;
  const shownPast = typeof explorer === 'object' ? explorer.max_history : undefined;
  const dialect = options.dialect ?? configuration.dialect;
  const snapshots = options.snapshots ?? configuration.snapshots;
  const bound = boundOf(shown, options.since ?? configuration.history?.since ?? 'all', snapshots);
  const histories = resourceHistories(shown);
  return {
    history: shown,
    histories: bound ? boundedHistories(histories, shown, bound) : histories,
    bound,
    store,
    dialect: dialectOf({ ...configuration, dialect }),
    basePath: configuration.base_path,
    baseUrl: configuration.base_url ?? configuration.base_path,
    head: shown.revisions.length - 1,
    current,
    snapshots: snapshotIndexes(shown, snapshots, bound),
    linkedRevisions: linkedRevisions(shown, options.versionLinks ?? configuration.version_links, bound),
    labels: labelling(labels),
    mostFoundNodes: search?.max_nodes ?? MOST_FOUND_NODES,
    mostHistory: search?.max_history ?? MOST_HISTORY,
    mostTwinnedHistory: shownPast ?? MOST_TWINNED_HISTORY,
    groupedBy: search?.collections ?? GROUPED_BY,
    hasTimemaps: configuration.timemaps,
    hasNames: search?.names ?? true,
    hasExports: configuration.exports,
    schemas: lazily(() => documentSchemas(dialect, packagedSchema)),
    explorer: explorer ? explorerFiles() : undefined,
    badges,
    deep: deepLimits(configuration),
    nodes: lazily(() => surveyNodes(current, store, search?.left_out)),
  };
}

/** Snapshots that are asked for by name are there with the versions of their time. */
function boundOf(history: History, since: string, snapshots: Configuration['snapshots']): HistoryBound | undefined {
  if (since === 'all') return undefined;
  const wanted = typeof snapshots === 'string' ? [] : snapshots.map((id) => indexOfRevision(history, id));
  return historyBound(history, secondsOf(since, 'T00:00:00Z'), wanted);
}

/** Newest first. A revision after which there is no registry has no snapshot. */
function snapshotIndexes(
  history: History,
  snapshots: Configuration['snapshots'],
  bound: HistoryBound | undefined,
): ReadonlySet<number> {
  if (snapshots === 'none') return new Set();
  const all = () => (bound ? revisionsTold(bound, history) : [...history.revisions.keys()]);
  const chosen = snapshots === 'all' ? all() : snapshots.map((id) => indexOfRevision(history, id));
  return new Set(chosen.sort((a, b) => b - a).filter((index) => history.states[index]));
}

const DAY_SECONDS = 86_400;

/** Those on the head's line of first parents that were served when they were new; the head's links answer anyway. */
function linkedRevisions(
  { revisions, parents }: History,
  links: Configuration['version_links'],
  bound: HistoryBound | undefined,
): ReadonlySet<number> {
  const linked = new Set<number>();
  // A head may be older by its date than what it stands on: a span of no days would not leave that out.
  if (links === 'none') return linked;
  const head = revisions.length - 1;
  const secondsAt = (index: number) => epochSeconds(revisions[index]?.date ?? '');
  const span = links === 'all' ? Number.POSITIVE_INFINITY : links * DAY_SECONDS;
  for (let at = parents[head]?.[0]; at !== undefined; at = parents[at]?.[0]) {
    if (bound && !bound.isTold(at) && !bound.bases.includes(at)) break;
    // Dates can go backwards, so that older ones may come after one that is too old.
    if (secondsAt(head) - secondsAt(at) < span) linked.add(at);
  }
  return linked;
}

/** From the sources and from what they compile to, the package is as far up. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', 'lib', 'explorer');

const explorerFiles = lazily((): ExplorerFiles | undefined => {
  const read = (file: string) => unlessRefused(() => readFileSync(join(FOLDER, file), 'utf8'));
  const files = {
    page: read('index.html'),
    script: read('explorer.js'),
    more: read('more.js'),
    style: read('explorer.css'),
    icon: read('icon.svg'),
  };
  return isWhole(files) ? files : undefined;
});

function isWhole(files: { readonly [Name in keyof ExplorerFiles]: string | undefined }): files is ExplorerFiles {
  return Object.values(files).every((text) => text !== undefined);
}
