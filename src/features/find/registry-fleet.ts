/** The nodes of a registry: as its files say, or as its history says that they were. */
import { sourceFields } from '../../core/api/written-fields.ts';
import { historyAt } from '../../core/history/history-at.ts';
import { type History, stateAfter } from '../../core/history/replay.ts';
import { resourceHistories } from '../../core/history/resource-history.ts';
import { type Labelling, labelling } from '../../core/labels/labels.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { utcTimestamp } from '../../core/model/revision.ts';
import { type BodyStore, membersOf, type RegistryState } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { readFleet } from '../../core/query/table-fleet.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { surveyNodes } from '../../core/table/node-survey.ts';
import { newClusterRows } from '../../core/table/node-table.ts';
import { nodesIn } from '../../core/table/nodes-in.ts';
import { columnOfBodies } from '../../core/table/read-column.ts';
import { loadCheckedSources, loadHistory, loadWorktree, type Sources } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate, WORKTREE } from '../sources/resolve-revision.ts';
import { awaitedWithIndex } from '../sources/with-index.ts';
import { type FleetSource, nodeState } from './fleet-source.ts';

export interface RegistryFleetOptions {
  readonly config?: string | undefined;
  /** A revision, `head` or a date; by default the files, recorded or not. */
  readonly at?: string | undefined;
  /** Whether nodes are to be locked, which takes a revision. */
  readonly isPinned: boolean;
}

/** What `read` makes of the nodes of a registry. */
export function withRegistryFleet<T>(
  origin: Origin,
  { config, at, isPinned }: RegistryFleetOptions,
  read: (fleet: FleetSource) => Promise<T>,
): Promise<T> {
  return awaitedWithIndex({ registry: origin.place, config }, (options) => {
    if (at !== undefined && at !== WORKTREE) {
      const sources = loadHistory(options);
      return read(historyFleet(origin, sources, indexAtRevisionOrDate(sources.history, at)));
    }
    if (isPinned) {
      const sources = loadCheckedSources(options);
      return read(historyFleet(origin, sources, sources.history.revisions.length - 1));
    }
    const { configuration, worktree, store } = loadWorktree(options);
    const labels = labelling(configuration.labels);
    const nodes = stateFleet({ state: worktree, store, labels }, () => () => undefined);
    return read({ ...nodes, origin, revision: undefined, labels });
  });
}

function historyFleet(
  origin: Origin,
  { history, store, configuration }: Pick<Sources, 'history' | 'store' | 'configuration'>,
  index: number,
): FleetSource {
  const { id, date } = itemAt(history.revisions, index);
  const labels = labelling(configuration.labels);
  const asked = { state: stateAfter(history, index), store, labels };
  return {
    ...stateFleet(asked, (paths) => latestChanges(history, index, paths)),
    ...{ origin, revision: { id, date: utcTimestamp(date) }, labels },
  };
}

/** Of so many nodes, the history is asked for each alone where it can be; for more, it is gone through once. */
const FEW_NODES = 20;

/** The revisions that last changed nodes, when another one was the head. */
function latestChanges(whole: History, index: number, paths: readonly string[]): LatestOf {
  const latestIn = (all: History): LatestOf => {
    const history = historyAt(all, index);
    const histories = resourceHistories(history);
    const head = history.revisions.length - 1;
    return (path) => history.revisions[histories.lastChange(path, head)]?.id;
  };
  const { lookup, kinds } = whole;
  return lookup && paths.length <= FEW_NODES
    ? (path) => latestIn(lookup.of(subjectAt(path, kinds)))(path)
    : latestIn(whole);
}

type LatestOf = (path: string) => string | undefined;

function stateFleet(
  { state, store, labels }: { state: RegistryState; store: BodyStore; labels: Labelling },
  latestOf: (paths: readonly string[]) => LatestOf,
): Pick<FleetSource, 'fleet' | 'survey' | 'nodesAt' | 'siteNames'> {
  const nodes = [...nodesIn(state)];
  const clusters = newClusterRows();
  for (const node of nodes) clusters.add(node);
  function* bodies() {
    for (const { resource } of nodes) yield store.get(resource.body.handle);
  }
  const uids = nodes.map(({ uid }) => uid);
  const survey = lazily(() => surveyNodes(state, store, 'nothing'));
  const read = (name: string) => columnOfBodies(name, bodies());
  return {
    fleet: readFleet({ uids, clusters: clusters.all, read, all: () => survey().table.columns }, labels),
    survey,
    nodesAt: async (rows) => {
      const asked = rows.flatMap((row) => nodes[row] ?? []);
      const latest = lazily(() => latestOf(asked.map(({ path }) => path)));
      return asked.map(({ path, resource }) => ({
        ...nodeState(path, sourceFields(storedObject(store, resource.body.handle)), undefined),
        get latest() {
          return latest()(path);
        },
      }));
    },
    siteNames: async () => siteNames(state, store),
  };
}

function siteNames(state: RegistryState, store: BodyStore): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [uid, site] of state ? membersOf(state, 'sites').entries() : []) {
    const { name } = storedObject(store, site.body.handle);
    if (typeof name === 'string') names.set(uid, name);
  }
  return names;
}
