/**
 * The history of one resource or collection, by the rule of `git log -- path`: a revision belongs to it when the
 * state there, and below, differs from that in every parent; the walk follows a parent in which it is the same.
 */

import { subjectAt } from '../model/resource-path.ts';
import { resourceAt } from '../model/state.ts';
import { certain, itemAt, lastAtOrBefore } from '../platform/certain.ts';
import { comparedAlone, comparedTogether, rewrittenFiles } from './merge-sides.ts';
import type { History } from './replay.ts';
import { type Counts, type TouchedResources, touchesOf } from './touches.ts';

export interface ResourceHistory {
  /** The newest revision at or before one that changed the subject; -1 before there was any. */
  readonly inForce: (index: number) => number;
  /** The indexes of the subject's revisions as the head sees them, newest first. */
  readonly revisions: readonly number[];
}

export interface Histories {
  /** Every item and collection that ever was, in the order in which it first appeared. */
  readonly subjects: () => Iterable<string>;
  readonly of: (path: string) => ResourceHistory;
  /** What a revision changed at or below a subject, against its first parent; undefined when nothing. */
  readonly counts: (path: string, index: number) => Counts | undefined;
  /** The revisions that changed something at or below a subject, against their first parents, oldest first. */
  readonly revisionsOf: (path: string) => Int32Array;
  /** The subjects that a revision changed against its first parent. */
  readonly touchedBy: (index: number) => readonly string[];
  /** The newest revision before `index` that changed the subject. */
  readonly predecessor: (path: string, index: number) => number | undefined;
  /** Whether something that a version follows is older than what is told: see bounded-histories.ts. */
  readonly isCut: (path: string, index: number) => boolean;
  /** The newest revision up to `index` that really changed the subject, and did not only rewrite its source. */
  readonly lastChange: (path: string, index: number) => number;
  /** Whether the item, or the item that holds the collection, exists after a revision. */
  readonly isAlive: (path: string, index: number) => boolean;
}

/** Of all subjects, or to be asked of one alone, for which it takes less. */
export function resourceHistories(history: History, asked: 'all' | 'one' = 'all'): Histories {
  const touches = touchesOf(history);
  const isSameAfter = asked === 'one' ? comparedAlone(history) : comparedTogether(history, touches.numberOf);
  const isRewritten = rewrittenFiles(history, touches.numberOf);
  const known = new Map<string, ResourceHistory>();
  const knownOfTouches = new Map<string, ResourceHistory>();
  const chains = firstParentChains(history.parents);
  const head = history.revisions.length - 1;
  let revisionTouches: string[][] | undefined;
  const byRevision = () => {
    revisionTouches ??= invert(touches, history.revisions.length);
    return revisionTouches;
  };

  /** Where a merge is no change of the subject: the parent that had it as it is after. */
  const sameParent = (path: string, index: number): number | undefined => {
    const parents = itemAt(history.parents, index);
    if (path === '' || parents.length < 2) return undefined;
    return parents.slice(1).find((parent) => isSameAfter(path, parent, index) && !isRewritten(path, parent, index));
  };

  /** It follows from the revisions that touched the subject alone, where none of them is a merge: thousands have the same. */
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
    const inForce = (index: number): number => {
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
    const walked = walk(history, inForce, head);
    // A subject that lived on a side branch alone is in no walk from the head: then all of its revisions count.
    const revisions = walked.length > 0 ? walked : [...touched].filter((index) => inForce(index) === index).reverse();
    return { inForce, revisions };
  };

  const predecessor = (path: string, index: number): number | undefined => {
    const before = itemAt(history.parents, index).map(of(path).inForce);
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
    isCut: () => false,
    lastChange: (path, index) => {
      let last = of(path).inForce(index);
      for (let at: number | undefined = last; at !== undefined; at = predecessor(path, at)) {
        last = at;
        if (touches.isChange(path, at)) break;
      }
      return last;
    },
    isAlive: (path, index) => {
      // Of a collection's path, this is the item that holds it.
      const holder = resourceAt(itemAt(history.states, index), path);
      if (!holder) return false;
      const { kind, isCollection } = subjectAt(path, history.kinds);
      const isOptional = isCollection && kind.onlyIfAny;
      return !isOptional || holder.collections.has(certain(kind.collection));
    },
  };
}

function invert(touches: TouchedResources, revisions: number): string[][] {
  const paths: string[][] = Array.from({ length: revisions }, () => []);
  for (const path of touches.paths()) for (const index of touches.revisionsOf(path)) itemAt(paths, index).push(path);
  return paths;
}

function walk(history: History, inForce: ResourceHistory['inForce'], head: number): number[] {
  const found = new Set<number>();
  const waiting = [inForce(head)];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index < 0 || found.has(index)) continue;
    found.add(index);
    for (const parent of itemAt(history.parents, index)) waiting.push(inForce(parent));
  }
  return [...found].sort((a, b) => b - a);
}

/**
 * The graph in chains, each following first parents until it comes upon a newer one: what a subject was at a revision is looked
 * up in the chain, and from its first revision on in the chain that it branched from. The revisions of a chain have places one
 * after the other.
 */
function firstParentChains(parents: History['parents']) {
  const places = new Int32Array(parents.length);
  const revisions = new Int32Array(parents.length);
  /** By revision, the place at which its chain starts; -1 where it is in none yet. */
  const starts = new Int32Array(parents.length).fill(-1);
  /** By the place at which a chain starts, what its first revision follows; -1 where that follows none. */
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
