/**
 * Growing an index by the revisions that it does not know: each is read and replayed when its parents are, and held no
 * longer than others stand on it.
 */

import type { Graph } from '../../core/history/graph.ts';
import type { ReplayedStep } from '../../core/history/replay.ts';
import type { ResourceChange } from '../../core/history/revision-file.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { certain, itemAt, mustGet } from '../../core/platform/certain.ts';
import type { FileMark } from './file-marks.ts';
import type { HistoryIndex, KnownRevision } from './history-index.ts';
import type { IndexKey, IndexPlace } from './index-place.ts';
import { indexWriter } from './index-writer.ts';
import { indexedRows, stateFinder } from './indexed-history.ts';

/** A revision that is in no index, as its file has it now. */
export interface FreshRevision {
  readonly changes: readonly ResourceChange[];
  readonly file: string;
  readonly mark: FileMark;
}

/** Replays one revision on the state after its first parent. */
export type ReplayRevision = (
  index: number,
  changes: readonly ResourceChange[],
  before: RegistryState,
) => ReplayedStep;

export interface GrowingIndex {
  readonly place: IndexPlace;
  readonly key: IndexKey;
  readonly old: HistoryIndex;
  /** The revisions of it that stay: of each, its parents too, and before it. */
  readonly kept: readonly KnownRevision[];
  readonly graph: Graph;
  /** Undefined for what is not in order. */
  readonly read: (index: number) => FreshRevision | undefined;
  readonly replayOn: (store: BodyStore) => ReplayRevision;
}

/** Writes the index of a whole graph. False, and nothing is written, where a revision is not in order. */
export function growIndex({ place, key, old, kept, graph, read, replayOn }: GrowingIndex): boolean {
  const writer = indexWriter(place, old);
  try {
    for (const revision of kept) writer.keep(revision);
    const known = new Map(kept.map((revision) => [revision.header.id, revision]));
    const states = passingStates(graph, old, known);
    const replay = replayOn(writer.store);
    for (const [at, header] of graph.revisions.entries()) {
      if (known.has(header.id)) continue;
      const fresh = read(at);
      if (!fresh) return false;
      const before = states.before(at);
      const { state: after, recorded: changes, findings } = replay(at, fresh.changes, before);
      if (findings.length > 0) return false;
      writer.add({ header, file: fresh.file, mark: fresh.mark, changes, before, after });
      states.put(at, after);
    }
    writer.finish(key, graph);
    return true;
  } finally {
    writer.close();
  }
}

/** The states that revisions stand on which are still to come. */
function passingStates(graph: Graph, old: HistoryIndex, known: ReadonlyMap<string, KnownRevision>) {
  const rows = indexedRows(old);
  const knownAt = graph.revisions.map(({ id }) => known.get(id));
  const finder = stateFinder(graph, (line) => rows.lastEdits(line.map((at) => certain(knownAt[at]))));
  const waiting = new Uint32Array(graph.parents.length);
  for (const [at, [parent]] of graph.parents.entries())
    if (parent !== undefined && !knownAt[at]) waiting[parent] = itemAt(waiting, parent) + 1;
  const passing = new Map<number, RegistryState>();
  return {
    before: (at: number): RegistryState => {
      const [parent] = itemAt(graph.parents, at);
      if (parent === undefined) return null;
      if (knownAt[parent]) return finder.stateAt(parent);
      const state = mustGet(passing, parent);
      const left = itemAt(waiting, parent) - 1;
      waiting[parent] = left;
      if (left === 0) passing.delete(parent);
      return state;
    },
    put: (at: number, state: RegistryState) => {
      if (itemAt(waiting, at) > 0) passing.set(at, state);
    },
  };
}
