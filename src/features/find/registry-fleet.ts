/** The nodes of a registry: as its files say, or as its history says that they were. */
import { sourceFields } from '../../core/api/written-fields.ts';
import { failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { resourceHistories } from '../../core/history/resource-history.ts';
import { labelling } from '../../core/labels/labels.ts';
import type { NodeState, Origin, RevisionName } from '../../core/lock/lock-format.ts';
import { utcTimestamp } from '../../core/model/revision.ts';
import { type BodyStore, membersOf, type RegistryState } from '../../core/model/state.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { surveyNodes } from '../../core/table/node-survey.ts';
import { nodesIn } from '../../core/table/nodes-in.ts';
import { historyAt } from '../build/publication-of.ts';
import { loadCheckedSources, loadSources, loadWorktree, requireHistory } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate, WORKTREE } from '../sources/resolve-revision.ts';
import { type FleetSource, nodeState } from './fleet-source.ts';

export interface RegistryFleetOptions {
  readonly config?: string | undefined;
  /** A revision, `head` or a date; by default the files, recorded or not. */
  readonly at?: string | undefined;
  /** Whether nodes are to be locked, which takes a revision. */
  readonly isPinned: boolean;
}

export function registryFleet(origin: Origin, { config, at, isPinned }: RegistryFleetOptions): FleetSource {
  const options = { registry: origin.place, config };
  if (at !== undefined && at !== WORKTREE) {
    const sources = requireHistory(loadSources(options));
    return historyFleet(origin, sources, indexAtRevisionOrDate(sources.history, at));
  }
  if (isPinned) {
    const sources = loadCheckedSources(options);
    return historyFleet(origin, sources, sources.history.revisions.length - 1);
  }
  const { configuration, worktree, store } = loadWorktree(options);
  return {
    ...stateFleet(worktree, store, () => undefined),
    ...{ origin, revision: undefined, labels: labelling(configuration.labels) },
  };
}

function historyFleet(
  origin: Origin,
  { history, store, configuration }: ReturnType<typeof loadSources>,
  index: number,
): FleetSource {
  const past = historyAt(history, index);
  const head = past.revisions.length - 1;
  const header = past.revisions[head];
  if (!header) return failAll([finding('history-empty', {})]);
  const histories = resourceHistories(past);
  const revision: RevisionName = { id: header.id, date: utcTimestamp(header.date) };
  return {
    ...stateFleet(
      past.states[head] ?? null,
      store,
      (path) => past.revisions[histories.lastChange(path, head)]?.id,
    ),
    ...{ origin, revision, labels: labelling(configuration.labels) },
  };
}

function stateFleet(
  state: RegistryState,
  store: BodyStore,
  latestOf: (path: string) => string | undefined,
): Pick<FleetSource, 'table' | 'survey' | 'nodesAt' | 'siteNames'> {
  const nodes = [...nodesIn(state)];
  const nodeAt = (row: number): NodeState[] => {
    const node = nodes[row];
    if (!node) return [];
    const body = sourceFields(storedObject(store, node.resource.body.handle));
    return [nodeState(node.path, body, latestOf(node.path))];
  };
  const survey = surveyNodes(state, store, 'nothing');
  return {
    ...{ table: survey.table, survey },
    nodesAt: async (rows) => rows.flatMap(nodeAt),
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
