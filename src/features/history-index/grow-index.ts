/**
 * Growing an index by the revisions that it does not know: each is read and replayed when its parents are, and held no
 * longer than others stand on it.
 */

import type { Graph } from '../../core/history/graph.ts';
import type { RecordedChange, ReplayedStep } from '../../core/history/replay.ts';
import type { ResourceChange } from '../../core/history/revision-file.ts';
import { type BodyStore, type RegistryState, resourceAt } from '../../core/model/state.ts';
import { certain, itemAt, mustGet } from '../../core/platform/certain.ts';
import type { MarkOf } from './file-marks.ts';
import type { HistoryIndex } from './history-index.ts';
import type { IndexKey, IndexPlace } from './index-place.ts';
import { type FreshChange, indexWriter } from './index-writer.ts';
import { indexedStore, rowOfHandle } from './indexed-bodies.ts';
import { indexedRows, stateFinder } from './indexed-history.ts';
import type { KnownRevision } from './listed-revisions.ts';
import { replayStore } from './replay-store.ts';

/** What a file says that is in no index, as it is now. */
export interface FreshFile {
  readonly changes: Iterable<ResourceChange>;
  readonly file: string;
  /** SHA-256, in base64, of its text: asked for once all changes are read. */
  readonly digest: () => string;
}

/** Replays one revision on the state after its first parent. */
export type ReplayRevision = (index: number, changes: Iterable<ResourceChange>, before: RegistryState) => ReplayedStep;

export interface GrowingIndex {
  readonly place: IndexPlace;
  readonly key: IndexKey;
  readonly old: HistoryIndex;
  /** The revisions of it that stay: of each, its parents too, and before it. */
  readonly kept: readonly KnownRevision[];
  readonly graph: Graph;
  /** Undefined for what is not in order. */
  readonly read: (index: number) => FreshFile | undefined;
  readonly replayOn: (store: BodyStore) => ReplayRevision;
  readonly markOf: MarkOf;
}

/** Writes the index of a whole graph. False, and nothing is written, where a revision is not in order. */
export function growIndex({ place, key, old, kept, graph, read, replayOn, markOf }: GrowingIndex): boolean {
  const writer = indexWriter(place, old);
  try {
    for (const revision of kept) writer.keep(revision);
    const known = new Map(kept.map((revision) => [revision.header.id, revision]));
    const states = passingStates(graph, old, known);
    const fresh = replayStore(writer.bodyOf);
    const store = indexedStore(old, fresh);
    const firstFresh = 2 * old.rows;
    const rowOf = (handle: number): number =>
      handle < firstFresh ? writer.keptRow(rowOfHandle(handle)) : fresh.rowOf(handle - firstFresh);
    const replay = replayOn(store);
    for (const [at, header] of graph.revisions.entries()) {
      if (known.has(header.id)) continue;
      const said = read(at);
      if (!said) return false;
      const before = states.before(at);
      const { state: after, recorded, findings } = replay(at, said.changes, before);
      if (findings.length > 0) return false;
      const rows = writer.add(
        { header, file: said.file, digest: said.digest() },
        recorded.map((change) => freshChange(change, { before, after, store, rowOf })),
      );
      for (const [i, row] of rows.entries()) {
        const body = bodyAfter(itemAt(recorded, i), after);
        if (body) fresh.isWritten(body.handle - firstFresh, row);
      }
      fresh.forgetOthers();
      states.put(at, after);
    }
    writer.finish(key, graph, markOf);
    return true;
  } finally {
    writer.close();
  }
}

interface Replayed {
  readonly before: RegistryState;
  readonly after: RegistryState;
  readonly store: BodyStore;
  readonly rowOf: (handle: number) => number;
}

function freshChange(change: RecordedChange, { before, after, store, rowOf }: Replayed): FreshChange {
  const held = resourceAt(before, change.path)?.body;
  const body = bodyAfter(change, after);
  return {
    ...change,
    fields: change.fields === undefined ? '' : store.get(change.fields),
    before: held && rowOf(held.handle),
    after: body && { digest: body.digest, text: () => store.get(body.handle) },
  };
}

/** The body that a change made. */
function bodyAfter({ action, path }: RecordedChange, after: RegistryState) {
  return action === 'touched' || action === 'removed' ? undefined : resourceAt(after, path)?.body;
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
