/** The nodes of a registry as its history says that they were. */
import { historyAt } from '../../core/history/history-at.ts';
import { type History, stateAfter } from '../../core/history/replay.ts';
import { resourceHistories } from '../../core/history/resource-history.ts';
import { labelling } from '../../core/labels/labels.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { utcTimestamp } from '../../core/model/revision.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { loadCheckedSources, loadHistory, type SourceOptions, type Sources } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import type { FleetSource } from './fleet-source.ts';
import { type LatestOf, stateFleet } from './state-fleet.ts';

/** At a revision, `head` or a date. */
export function fleetAt(origin: Origin, options: SourceOptions, at: string): FleetSource {
  const sources = loadHistory(options);
  return historyFleet(origin, sources, indexAtRevisionOrDate(sources.history, at));
}

/** At the head, which must be what the files say. */
export function recordedFleet(origin: Origin, options: SourceOptions): FleetSource {
  const sources = loadCheckedSources(options);
  return historyFleet(origin, sources, sources.history.revisions.length - 1);
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
    origin,
    revision: { id, date: utcTimestamp(date) },
    labels,
  };
}

/** Of so many nodes, the history is asked for each alone where it can be; for more, it is gone through once. */
const FEW_NODES = 20;

/** The revisions that last changed nodes, when another one was the head. */
function latestChanges(whole: History, index: number, paths: readonly string[]): LatestOf {
  const latestIn = (all: History, asked: 'all' | 'one'): LatestOf => {
    const history = historyAt(all, index);
    const histories = resourceHistories(history, asked);
    const head = history.revisions.length - 1;
    return (path) => history.revisions[histories.lastChange(path, head)]?.id;
  };
  const { lookup, kinds } = whole;
  return lookup && paths.length <= FEW_NODES
    ? (path) => latestIn(lookup.of(subjectAt(path, kinds)), 'one')(path)
    : latestIn(whole, 'all');
}
