/**
 * A history as an index knows it. States and changes are made when they are asked for: of all resources, or of those alone
 * that a question is about.
 */

import type { Graph } from '../../core/history/graph.ts';
import type { History, HistoryLookup, RecordedChange } from '../../core/history/replay.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { isAtOrBelow, lastSegment, selfAndAncestors } from '../../core/model/resource-path.ts';
import { editState, type RegistryState, type StateEdit } from '../../core/model/state.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { ROW_ACTIONS } from './columns.ts';
import type { HistoryIndex } from './history-index.ts';
import { fieldsHandle, IndexedBody } from './indexed-bodies.ts';
import type { KnownRevision } from './listed-revisions.ts';

/** What the rows of revisions say. */
export interface IndexedRows {
  readonly changes: (revision: KnownRevision) => RecordedChange[];
  /** The last edit of each resource, of revisions that come newest first. */
  readonly lastEdits: (revisions: Iterable<KnownRevision>) => StateEdit[];
}

/** Whether a path is one of those that a question is about. */
type IsWanted = (path: string) => boolean;

/** All rows, or those of the paths that are wanted. */
export function indexedRows(index: HistoryIndex, isWanted?: IsWanted): IndexedRows {
  /** Undefined where they are all of them. */
  const chosen = lazily(() => isWanted && rowsOfPaths(index, isWanted));
  const eachRow = ({ first, rows }: KnownRevision, see: (row: number) => void): void => {
    const wanted = chosen();
    if (!wanted) for (let row = first; row < first + rows; row++) see(row);
    else if (rows > 0) wanted.get(first)?.forEach(see);
  };
  const text = (number: number) => itemAt(index.texts(), number);
  /** By the number of a path's text, the last question that came upon it. */
  const seenPaths = lazily(() => new Uint32Array(index.texts().length));
  let asked = 0;
  const changeAt = (row: number): RecordedChange => {
    const { path, action, classes, successor, fieldBytes } = index.columns();
    const uid = itemAt(successor, row);
    return {
      path: text(itemAt(path, row)),
      action: itemAt(ROW_ACTIONS, itemAt(action, row)),
      fields: itemAt(fieldBytes, row) === 0 ? undefined : fieldsHandle(row),
      classes: itemAt(classes, row),
      successor: uid === 0 ? undefined : text(uid - 1),
    };
  };
  return {
    changes: (revision) => {
      const changes: RecordedChange[] = [];
      eachRow(revision, (row) => changes.push(changeAt(row)));
      return changes;
    },
    lastEdits: (revisions) => {
      const { path, action } = index.columns();
      const seen = seenPaths();
      const question = ++asked;
      const edits: StateEdit[] = [];
      const see = (row: number) => {
        const number = itemAt(path, row);
        const done = itemAt(ROW_ACTIONS, itemAt(action, row));
        if (seen[number] === question || done === 'touched') return;
        seen[number] = question;
        edits.push({ path: text(number), body: done === 'removed' ? null : new IndexedBody(index, row) });
      };
      for (const revision of revisions) eachRow(revision, see);
      return edits;
    },
  };
}

/** By the first row of each revision that has any, its rows of the paths that are wanted. */
function rowsOfPaths(index: HistoryIndex, isWanted: IsWanted): ReadonlyMap<number, readonly number[]> {
  const wanted = index.texts().map(isWanted);
  const { path } = index.columns();
  const chosen = new Map<number, number[]>();
  for (const { first, rows } of index.revisions) {
    for (let row = first; row < first + rows; row++) {
      if (!wanted[itemAt(path, row)]) continue;
      const held = chosen.get(first);
      if (held) held.push(row);
      else chosen.set(first, [row]);
    }
  }
  return chosen;
}

/** The history of a graph of which the index knows every revision. */
export function indexedHistory(index: HistoryIndex, graph: Graph, kinds: Kinds): History {
  const known = inOrderOf(graph, index);
  const revisionsAt = (line: readonly number[]) => line.map((at) => itemAt(known, at));
  const historyOf = (rows: IndexedRows, lookup?: HistoryLookup): History => {
    const states = lazily(stateFinder(graph, (line) => rows.lastEdits(revisionsAt(line))).all);
    const changes = lazily(() => known.map(rows.changes));
    return {
      ...graph,
      kinds,
      get states() {
        return states();
      },
      get changes() {
        return changes();
      },
      lookup,
    };
  };
  const ofPaths = (isWanted: IsWanted) => historyOf(indexedRows(index, isWanted));
  const all = indexedRows(index);
  return historyOf(all, {
    stateAt: stateFinder(graph, (line) => all.lastEdits(revisionsAt(line))).stateAt,
    of: ({ path: asked }) => ofPaths((path) => isAtOrBelow(path, asked) || isAtOrBelow(asked, path)),
    called: (name) => {
      const held = new Set(pathsCalled(index, name).flatMap((path) => [...selfAndAncestors(path)]));
      return ofPaths((path) => held.has(path));
    },
    hadEver: (path) => {
      const number = index.texts().indexOf(path);
      return number >= 0 && index.columns().path.includes(number);
    },
  });
}

/** The revisions of an index in the order of a graph, which mostly is its own. */
function inOrderOf({ revisions }: Graph, index: HistoryIndex): readonly KnownRevision[] {
  if (revisions.every((header, at) => header === index.revisions[at]?.header)) return index.revisions;
  const byId = new Map(index.revisions.map((revision) => [revision.header.id, revision]));
  return revisions.map(({ id }) => mustGet(byId, id));
}

/** The resources that ever had a uid or a node's name. */
function pathsCalled(index: HistoryIndex, called: string): string[] {
  const { path, name } = index.columns();
  const number = index.texts().indexOf(called) + 1;
  const named = new Set<number>();
  for (let row = 0; number > 0 && row < name.length; row++) if (name[row] === number) named.add(itemAt(path, row));
  return index.texts().filter((text, i) => named.has(i) || lastSegment(text) === called);
}

/**
 * States, each from the nearest one on the line of first parents that is known already. `lastEdits` gives the last edit of each
 * resource along a line, which comes newest first.
 */
export function stateFinder(graph: Graph, lastEdits: (line: readonly number[]) => readonly StateEdit[]) {
  const found = new Map<number, RegistryState>();
  const stateAt = (asked: number): RegistryState => {
    const line: number[] = [];
    let at: number | undefined = asked;
    while (at !== undefined && !found.has(at)) {
      line.push(at);
      at = itemAt(graph.parents, at)[0];
    }
    const base = at === undefined ? null : mustGet(found, at);
    // Where nothing was, nothing can be removed.
    const edits = lastEdits(line).filter(({ body }) => base !== null || body !== null);
    const state = edits.length > 0 ? editState(base, edits) : base;
    found.set(asked, state);
    return state;
  };
  return {
    stateAt,
    /** After each revision, in the order of the graph. */
    all: (): RegistryState[] => graph.parents.map((_, at) => stateAt(at)),
  };
}
