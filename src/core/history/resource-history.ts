/** Works like `git log -- path`: if a parent has the same state as a merge, the history continues there. */

import { subjectAt } from '../model/resource-path.ts';
import { resourceAt } from '../model/state.ts';
import { assertDefined, getOrCreate, itemAt, lastAtOrBefore } from '../platform/lookups.ts';
import { lazily } from '../platform/on-demand.ts';
import { comparedAlone, comparedTogether, rewrittenFiles } from './merge-sides.ts';
import type { History } from './replay.ts';
import { type Counts, type TouchedResources, touchesOf } from './touches.ts';

export interface ResourceHistory {
  /** Returns the newest revision up to `index` that changed the subject, or -1. */
  readonly currentAt: (index: number) => number;
  /** The indexes of the revisions that produced the subject's state at the head, newest first. */
  readonly revisions: readonly number[];
}

export interface Histories {
  /** All items and collections that ever existed, ordered by first appearance. */
  readonly subjects: () => Iterable<string>;
  readonly of: (path: string) => ResourceHistory;
  /** Counts a revision's changes at or below a subject, relative to its first parent. Undefined if nothing changed. */
  readonly counts: (path: string, index: number) => Counts | undefined;
  /** Returns the revisions that changed a resource at or below the path, relative to the first parent. Oldest first. */
  readonly revisionsOf: (path: string) => Int32Array;
  /** Returns the subjects that a revision changed, relative to its first parent. */
  readonly touchedBy: (index: number) => readonly string[];
  /** Returns the newest revision before `index` that changed the subject. */
  readonly predecessor: (path: string, index: number) => number | undefined;
  /** Whether the tree omits an earlier version of the subject because of the history start. */
  readonly hasOmittedPast: (path: string, index: number) => boolean;
  /** Returns the newest revision up to `index` that changed values. Ignores revisions that only rewrote files. */
  readonly lastChange: (path: string, index: number) => number;
  /** Whether an item exists after a revision. A collection exists while the item above it exists. */
  readonly isAlive: (path: string, index: number) => boolean;
}

/** Callers that look up only one subject set `asked` to `one`. States are then compared in a faster way. */
export function resourceHistories(history: History, asked: 'all' | 'one' = 'all'): Histories {
  const touches = touchesOf(history);
  const isSameAfter = asked === 'one' ? comparedAlone(history) : comparedTogether(history, touches.numberOf);
  const isRewritten = rewrittenFiles(history, touches.numberOf);
  const known = new Map<string, ResourceHistory>();
  const knownOfTouches = new Map<string, ResourceHistory>();
  const chains = getOrCreate(knownChains, history.parents, () => firstParentChains(history.parents));
  const head = history.revisions.length - 1;
  const byRevision = lazily(() => invert(touches, history.revisions.length));

  /** Finds a parent of a merge, except the first parent, in which the subject has the same state as in the merge. */
  const sameParent = (path: string, index: number): number | undefined => {
    const parents = itemAt(history.parents, index);
    if (path === '' || parents.length < 2) return undefined;
    return parents.slice(1).find((parent) => isSameAfter(path, parent, index) && !isRewritten(path, parent, index));
  };

  /** Subjects share one result if the same revisions changed them and no merge is among these revisions. */
  const of = (path: string): ResourceHistory => {
    const cached = known.get(path);
    if (cached) return cached;
    const touched = touches.revisionsOf(path);
    const hasMerge = touched.some((index) => itemAt(history.parents, index).length > 1);
    const key = touched.join();
    const result = (hasMerge ? undefined : knownOfTouches.get(key)) ?? historyOf(path, touched);
    if (!hasMerge) knownOfTouches.set(key, result);
    known.set(path, result);
    return result;
  };

  const historyOf = (path: string, touched: Int32Array): ResourceHistory => {
    const touching = touched.map(chains.placeOf).sort();
    const currentAt = (index: number): number => {
      for (let at = index; at >= 0; ) {
        const start = chains.startOf(at);
        const place = touching[lastAtOrBefore(touching, chains.placeOf(at))];
        if (place === undefined || place < start) {
          at = chains.parentOf(start);
          continue;
        }
        const touch = chains.revisionAt(place);
        const same = sameParent(path, touch);
        if (same === undefined) return touch;
        at = same;
      }
      return -1;
    };
    const walked = walk(history, currentAt, head);
    // The walk finds nothing for a subject of a side branch. Its history lists all changes of the subject instead.
    const revisions = walked.length > 0 ? walked : [...touched].filter((index) => currentAt(index) === index).reverse();
    return { currentAt, revisions };
  };

  const predecessor = (path: string, index: number): number | undefined => {
    const before = itemAt(history.parents, index).map(of(path).currentAt);
    const newest = Math.max(-1, ...before);
    return newest < 0 ? undefined : newest;
  };

  return {
    subjects: touches.paths,
    of,
    counts: touches.counts,
    revisionsOf: touches.revisionsOf,
    touchedBy: (index) => itemAt(byRevision(), index),
    predecessor,
    hasOmittedPast: () => false,
    lastChange: (path, index) => {
      let last = of(path).currentAt(index);
      for (let at: number | undefined = last; at !== undefined; at = predecessor(path, at)) {
        last = at;
        if (touches.isChange(path, at)) break;
      }
      return last;
    },
    isAlive: (path, index) => {
      // The item at the path, or the item that contains the collection at the path.
      const holder = resourceAt(itemAt(history.states, index), path);
      if (!holder) return false;
      const { kind, isCollection } = subjectAt(path, history.kinds);
      const isOptional = isCollection && kind.onlyIfAny;
      return !isOptional || holder.collections.has(assertDefined(kind.collection));
    },
  };
}

function invert(touches: TouchedResources, revisions: number): string[][] {
  const paths: string[][] = Array.from({ length: revisions }, () => []);
  for (const path of touches.paths()) for (const index of touches.revisionsOf(path)) itemAt(paths, index).push(path);
  return paths;
}

function walk(history: History, inForce: ResourceHistory['currentAt'], head: number): number[] {
  const found = new Set<number>();
  const waiting = [inForce(head)];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index < 0 || found.has(index)) continue;
    found.add(index);
    for (const parent of itemAt(history.parents, index)) waiting.push(inForce(parent));
  }
  return [...found].sort((a, b) => b - a);
}

/** The histories of all nodes share the chains. */
const knownChains = new WeakMap<History['parents'], ReturnType<typeof firstParentChains>>();

/**
 * Splits the graph into chains of first parents. A chain ends where it meets a chain of newer revisions. The revisions
 * of a chain have consecutive places, so that a binary search finds the last change of a subject.
 */
function firstParentChains(parents: History['parents']) {
  const places = new Int32Array(parents.length);
  const revisions = new Int32Array(parents.length);
  /** Maps a revision to the place where its chain starts, or -1 if the revision has no chain yet. */
  const starts = new Int32Array(parents.length).fill(-1);
  /** Maps the start of a chain to the parent of the chain's first revision, or -1 without a parent. */
  const origins = new Int32Array(parents.length);
  let next = 0;
  for (let tip = parents.length - 1; tip >= 0; tip--) {
    const line: number[] = [];
    let at = tip;
    for (; at >= 0 && starts[at] === -1; at = itemAt(parents, at)[0] ?? -1) line.push(at);
    const start = next;
    for (const index of line.reverse()) {
      starts[index] = start;
      places[index] = next;
      revisions[next++] = index;
    }
    if (line.length > 0) origins[start] = at;
  }
  return {
    placeOf: (index: number) => itemAt(places, index),
    startOf: (index: number) => itemAt(starts, index),
    revisionAt: (place: number) => itemAt(revisions, place),
    parentOf: (start: number) => itemAt(origins, start),
  };
}
