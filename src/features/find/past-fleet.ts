import { failAll } from '../../core/diagnostics/finding.ts';
import { historyAt } from '../../core/history/history-at.ts';
import { publicHistory } from '../../core/history/public-history.ts';
import type { History } from '../../core/history/replay.ts';
import { resourceHistories } from '../../core/history/resource-history.ts';
import type { NodeState, Origin } from '../../core/lock/lock-format.ts';
import { NODE } from '../../core/model/kinds.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { utcTimestamp } from '../../core/model/revision.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import {
  checkFindings,
  loadHeadSources,
  loadSources,
  requireHistory,
  type SourceOptions,
} from '../sources/load-sources.ts';
import { privacyOf, publicBodiesOf } from '../sources/privacy.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { loadStateAt, type RecordedState, searchHistory } from '../sources/search-history.ts';
import { type FleetSource, nodeState } from './fleet-source.ts';
import { publicFleet } from './public-fleet.ts';
import { type LatestOf, stateFleet } from './state-fleet.ts';

export function fleetAt(origin: Origin, options: SourceOptions, at: string): FleetSource {
  let isPast = false;
  const recorded = loadStateAt(options, (graph) => {
    const index = indexAtRevisionOrDate(graph, at);
    isPast = index < graph.revisions.length - 1;
    return index;
  });
  return { ...recordedNodes(origin, options, recorded), isPast };
}

/** Fails if the registry files have unrecorded changes. */
export function recordedFleet(origin: Origin, options: SourceOptions): FleetSource {
  const sources = loadHeadSources(options);
  const findings = checkFindings(sources);
  if (findings.length > 0) return failAll(findings);
  const { configuration, store, worktree: state, history } = sources;
  const revision = itemAt(history.revisions, history.revisions.length - 1);
  return { ...recordedNodes(origin, options, { configuration, store, state, revision }), isPast: false };
}

function recordedNodes(
  origin: Origin,
  options: SourceOptions,
  { configuration, store, state, revision: { id, date } }: RecordedState,
): Omit<FleetSource, 'isPast'> {
  const nodes = stateFleet({ configuration, state, store }, (paths) => latestChanges(options, id, paths));
  const source = { ...nodes, origin, revision: { id, date: utcTimestamp(date) } };
  const privacy = privacyOf(options, configuration);
  if (!privacy) return source;
  const shown = ({ path, body, latest }: NodeState) => nodeState(path, privacy.of(body, NODE), latest);
  return {
    ...source,
    lockedAt: async (rows) => (await nodes.nodesAt(rows)).map(shown),
    publicFleet: async () => publicFleet(options, { configuration, store, state }),
  };
}

/** The maximum number of nodes whose histories are searched one by one. For more nodes, one full replay is faster. */
const FEW_NODES = 20;

function latestChanges(options: SourceOptions, head: string, paths: readonly string[]): LatestOf {
  type Loaded = Pick<RecordedState, 'configuration' | 'store'>;
  const latestIn = (whole: History, { configuration, store }: Loaded, asked: 'all' | 'one'): LatestOf => {
    const bodyOf = publicBodiesOf(options, { configuration, store, kinds: whole.kinds });
    const shown = bodyOf ? publicHistory(whole, store, bodyOf) : whole;
    const history = historyAt(shown, getOrThrow(whole.indexOf, head));
    const histories = resourceHistories(history, asked);
    const last = history.revisions.length - 1;
    return (path) => history.revisions[histories.lastChange(path, last)]?.id;
  };
  if (paths.length > FEW_NODES) {
    const sources = requireHistory(loadSources(options));
    return latestIn(sources.history, sources, 'all');
  }
  const latest = searchHistory(options, (history) =>
    paths.map((path) => [path, latestIn(history.of(subjectAt(path, history.kinds)), history, 'one')(path)] as const),
  );
  const known = new Map(latest);
  return (path) => known.get(path);
}
