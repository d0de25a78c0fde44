/** A history of which an index knows a part, and the rest is replayed. */

import type { Finding } from '../../core/diagnostics/finding.ts';
import type { Graph } from '../../core/history/graph.ts';
import type { History, RecordedChange, ReplayedStep } from '../../core/history/replay.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { HistoryIndex, KnownRevision } from './history-index.ts';
import { indexedRows, stateFinder } from './indexed-history.ts';

/** Replays one revision on the state after its first parent. */
export type ReplayRevision = (index: number, before: RegistryState) => ReplayedStep;

export interface GrownHistory {
  readonly history: History;
  readonly findings: readonly Finding[];
  /** What was replayed, parents before their children, by the places in the graph. */
  readonly replayed: ReadonlyMap<number, ReplayedStep & { readonly before: RegistryState }>;
}

/** `known` has the revisions of the graph that the index knows; their ancestors are known, too. */
export function growHistory(
  graph: Graph,
  kinds: Kinds,
  index: HistoryIndex,
  known: ReadonlyMap<string, KnownRevision>,
  replayRevision: ReplayRevision,
): GrownHistory {
  const rows = indexedRows(index);
  const knownAt = graph.revisions.map(({ id }) => known.get(id));
  const finder = stateFinder(graph, (at) => {
    const revision = knownAt[at];
    return revision ? rows.edits(revision) : [];
  });
  const replayed = new Map<number, ReplayedStep & { readonly before: RegistryState }>();
  const findings: Finding[] = [];
  for (const [at, [parent]] of graph.parents.entries()) {
    if (knownAt[at]) continue;
    const before = parent === undefined ? null : finder.stateAt(parent);
    const step = replayRevision(at, before);
    finder.put(at, step.state);
    replayed.set(at, { ...step, before });
    findings.push(...step.findings);
    // What stands on a broken revision is broken with it: only the first is worth showing.
    if (findings.length > 0) break;
  }
  const states = lazily(finder.all);
  const changes = lazily(() =>
    knownAt.map((revision, at): readonly RecordedChange[] =>
      revision ? rows.changes(revision) : (replayed.get(at)?.recorded ?? []),
    ),
  );
  const history: History = {
    ...graph,
    kinds,
    get states() {
      return states();
    },
    get changes() {
      return changes();
    },
  };
  return { history, findings, replayed };
}
