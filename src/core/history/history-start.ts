/**
 * A tree with a history start includes the revisions from that date on, and all their descendants. A base is an older
 * revision that is a parent of an included revision. For a base, the tree contains the state, but not the changes.
 */

import { selfAndAncestors, subjectAt } from '../model/resource-path.ts';
import { epochSeconds } from '../model/revision.ts';
import { resourcesIn } from '../model/state.ts';
import { getOrCreate, getOrThrow, itemAt } from '../platform/lookups.ts';
import { lazily } from '../platform/on-demand.ts';
import type { Graph } from './graph.ts';
import type { History, RecordedChange } from './replay.ts';
import type { Histories } from './resource-history.ts';

export interface HistoryStart {
  /** Epoch seconds. */
  readonly since: number;
  readonly isIncluded: (index: number) => boolean;
  /**
   * The tree needs the states of these omitted revisions: the parents of included revisions, the `wanted` revisions,
   * and the head if the tree includes no revision. The indexes are in ascending order.
   */
  readonly bases: readonly number[];
}

/** `wanted` lists older revisions whose states the tree needs. Returns undefined if the tree includes all revisions. */
export function historyStart(
  { revisions, parents }: Pick<Graph, 'revisions' | 'parents'>,
  since: number,
  wanted: Iterable<number> = [],
): HistoryStart | undefined {
  const included: boolean[] = [];
  const bases = new Set<number>();
  for (const [index, { date }] of revisions.entries()) {
    const before = itemAt(parents, index);
    const isIncluded = epochSeconds(date) >= since || before.some((parent) => included[parent] === true);
    included.push(isIncluded);
    if (isIncluded) for (const parent of before) bases.add(parent);
  }
  if (included.every((is) => is)) return undefined;
  if (!included.includes(true)) bases.add(revisions.length - 1);
  for (const index of wanted) bases.add(index);
  return {
    since,
    isIncluded: (index) => itemAt(included, index),
    bases: [...bases].filter((index) => included[index] === false).sort((a, b) => a - b),
  };
}

/** Returns the included revisions and the bases, in ascending order. */
export function includedRevisions(
  { isIncluded, bases }: HistoryStart,
  { revisions }: Pick<Graph, 'revisions'>,
): number[] {
  const known = new Set(bases);
  return [...revisions.keys()].filter((index) => isIncluded(index) || known.has(index));
}

/**
 * Returns the published histories. They contain the included revisions, the versions that were current at the history
 * start, and older versions to which published documents refer.
 */
export function historiesFromStart(whole: Histories, history: History, bound: HistoryStart): Histories {
  const older = lazily(() => olderVersions(whole, history, bound));
  const isShown = (path: string, index: number) => bound.isIncluded(index) || older().isVersion(path, index);
  const known = new Map<string, ReturnType<Histories['of']>>();
  return {
    ...whole,
    subjects: function* () {
      for (const path of whole.subjects()) if (older().isShown(path)) yield path;
    },
    of: (path) =>
      getOrCreate(known, path, () => {
        const { currentAt, revisions } = whole.of(path);
        return { currentAt, revisions: revisions.filter((index) => isShown(path, index)) };
      }),
    revisionsOf: (path) =>
      whole.revisionsOf(path).filter((index) => isShown(path, index) || older().isNamed(path, index)),
    touchedBy: (index) => (bound.isIncluded(index) ? whole.touchedBy(index) : older().versionsAt(index)),
    predecessor: (path, index) => {
      const before = whole.predecessor(path, index);
      return before !== undefined && isShown(path, before) ? before : undefined;
    },
    hasOmittedPast: (path, index) =>
      !bound.isIncluded(index) &&
      itemAt(history.parents, index).some((parent) => {
        const before = whole.of(path).currentAt(parent);
        return before >= 0 && !older().isVersion(path, before);
      }),
  };
}

interface OlderVersions {
  readonly isShown: (path: string) => boolean;
  /** Whether the tree publishes the older revision at `index` as a version of the subject. */
  readonly isVersion: (path: string, index: number) => boolean;
  /** Whether the published merge at `index` took the state of the resource from a parent other than the first. */
  readonly isNamed: (path: string, index: number) => boolean;
  /** Returns the paths of resources with a version of the revision at `index`, which precedes the history start. */
  readonly versionsAt: (index: number) => readonly string[];
}

/** Finds versions before the history start that published documents refer to. */
function olderVersions(whole: Histories, history: History, bound: HistoryStart): OlderVersions {
  const byPath = new Map<string, Set<number>>();
  const byRevision = new Map<number, Set<string>>();
  const named = new Map<string, Set<number>>();
  /** The revisions that the loop must still process, because `show` added a subject to them. */
  const pending = new Set<number>();
  const show = (path: string, index: number) => {
    if (bound.isIncluded(index) || byPath.get(path)?.has(index) === true) return;
    getOrCreate(byPath, path, () => new Set<number>()).add(index);
    getOrCreate(byRevision, index, () => new Set<string>()).add(path);
    pending.add(index);
  };
  const showAtBases = (path: string) => {
    for (const base of bound.bases) for (const index of currentVersionAt(path, base)) show(path, index);
  };
  for (const path of whole.subjects()) if (existedOrChanged(path)) showAtBases(path);
  // The loop adds to the set that it iterates over.
  for (const index of pending) {
    pending.delete(index);
    const shown = getOrThrow(byRevision, index);
    for (const path of whole.touchedBy(index)) {
      if (shown.has(path) || !someOf(selfAndAncestors(path), (above) => shown.has(above))) continue;
      const { currentAt } = whole.of(path);
      const now = currentAt(index);
      if (now >= 0 && now !== index) getOrCreate(named, path, () => new Set<number>()).add(index);
      // A removal by a merge refers to the version at the first parent.
      const [first = index] = itemAt(history.parents, index);
      show(path, now < 0 ? currentAt(first) : now);
      showAtBases(path);
    }
  }

  /** Whether the subject existed at the history start, or changed in an included revision. */
  function existedOrChanged(path: string): boolean {
    return bound.bases.some((base) => whole.isAlive(path, base)) || whole.revisionsOf(path).some(bound.isIncluded);
  }

  /** Yields the revision of the subject's version at a base, or all revisions back to the linked latest change. */
  function* currentVersionAt(path: string, base: number): Generator<number> {
    let index: number | undefined = whole.of(path).currentAt(base);
    if (index < 0) return;
    yield index;
    const { kind, isCollection } = subjectAt(path, history.kinds);
    const last = kind.hasLatestVersion && !isCollection ? whole.lastChange(path, base) : index;
    while (index !== undefined && index !== last) {
      index = whole.predecessor(path, index);
      if (index !== undefined) yield index;
    }
  }

  return {
    isShown: (path) => byPath.has(path) || whole.revisionsOf(path).some(bound.isIncluded),
    isVersion: (path, index) => byPath.get(path)?.has(index) === true,
    isNamed: (path, index) => named.get(path)?.has(index) === true,
    versionsAt: (index) => [...(byRevision.get(index) ?? [])],
  };
}

function someOf<T>(values: Iterable<T>, is: (value: T) => boolean): boolean {
  for (const value of values) if (is(value)) return true;
  return false;
}

/** The published part of a history. Each base counts as a first revision that adds all resources of its state. */
interface PublishedHistory extends Pick<History, 'revisions' | 'parents' | 'states' | 'changes'> {
  /** The index of each revision in the whole history. */
  readonly indexes: readonly number[];
  /** Whether a revision is a base, which means that the tree omits the history before this revision. */
  readonly isBase: (index: number) => boolean;
}

export function publishedHistory(history: History, bound: HistoryStart | undefined): PublishedHistory {
  const { revisions, parents, states, changes } = history;
  if (!bound) return { ...history, indexes: [...revisions.keys()], isBase: () => false };
  const indexes = includedRevisions(bound, history);
  const places = new Map(indexes.map((index, place) => [index, place]));
  const isBase = (place: number) => !bound.isIncluded(itemAt(indexes, place));
  return {
    indexes,
    isBase,
    revisions: indexes.map((index) => itemAt(revisions, index)),
    parents: indexes.map((index, place) =>
      isBase(place) ? [] : itemAt(parents, index).flatMap((parent) => places.get(parent) ?? []),
    ),
    states: indexes.map((index) => states[index] ?? null),
    changes: indexes.map((index, place) =>
      isBase(place) ? [...broughtBy(states[index] ?? null)] : itemAt(changes, index),
    ),
  };
}

function* broughtBy(state: History['states'][number]): Generator<RecordedChange> {
  for (const [path] of resourcesIn(state))
    yield { path, action: 'added', fields: undefined, classes: 0, successor: undefined };
}
