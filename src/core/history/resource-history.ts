/**
 * The history of one resource or collection, by the rule of `git log -- path`: a revision belongs to it when the
 * state there, and below, differs from that in every parent; the walk follows a parent in which it is the same.
 */
import { parsePath, selfAndAncestors } from '../model/resource-path.ts';
import { resourceAt, stateDifference } from '../model/state.ts';
import type { History } from './replay.ts';
import {
  type Counts,
  changedAny,
  collectionsOf,
  NO_COUNTS,
  type TouchedResources,
  touchesOf,
} from './touches.ts';

export interface ResourceHistory {
  /** For each revision, the newest one at or before it that changed the subject; -1 before there was any. */
  readonly inForce: Int32Array;
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
  readonly revisionsOf: (path: string) => Iterable<number>;
  /** The subjects that a revision changed against its first parent. */
  readonly touchedBy: (index: number) => readonly string[];
  /** The newest revision before `index` that changed the subject. */
  readonly predecessor: (path: string, index: number) => number | undefined;
  /** The newest revision up to `index` that really changed the subject, and did not only rewrite its source. */
  readonly lastChange: (path: string, index: number) => number;
  /** Whether the item, or the item that holds the collection, exists after a revision. */
  readonly isAlive: (path: string, index: number) => boolean;
}

/** How many entries of `inForce` are kept: they are worked out again in less time than they took to read. */
const MOST_KNOWN = 1 << 21;

export function resourceHistories(history: History): Histories {
  const touches = touchesOf(history.changes);
  const byOtherParents = touchedByOtherParents(history);
  const known = new Map<string, ResourceHistory>();
  const head = history.revisions.length - 1;
  let revisionTouches: string[][] | undefined;
  const byRevision = () => {
    revisionTouches ??= invert(touches, history.revisions.length);
    return revisionTouches;
  };

  const inForceOf = (path: string): Int32Array => {
    const inForce = new Int32Array(history.revisions.length);
    const touching = touches.revisionsOf(path)[Symbol.iterator]();
    let next = touching.next();
    for (let index = 0; index < inForce.length; index++) {
      const isTouched = path === '' || next.value === index;
      if (next.value === index) next = touching.next();
      const parents = history.parents[index] ?? [];
      const others = byOtherParents.get(index);
      const same = parents.find((_, parent) =>
        parent === 0 ? !isTouched : path !== '' && !others?.[parent - 1]?.has(path),
      );
      if (same !== undefined) inForce[index] = inForce[same] ?? -1;
      else inForce[index] = parents.length > 0 || isTouched ? index : -1;
    }
    return inForce;
  };

  const of = (path: string): ResourceHistory => {
    const cached = known.get(path);
    if (cached) return cached;
    const inForce = inForceOf(path);
    const walked = walk(history, inForce, head);
    // A subject that lived on a side branch alone is in no walk from the head: then all of its revisions count.
    const revisions =
      walked.length > 0 ? walked : [...inForce.keys()].filter((i) => inForce[i] === i).reverse();
    const result = { inForce, revisions };
    if (known.size * inForce.length > MOST_KNOWN) known.clear();
    known.set(path, result);
    return result;
  };

  const predecessor = (path: string, index: number): number | undefined => {
    const { inForce } = of(path);
    const before = (history.parents[index] ?? []).map((parent) => inForce[parent] ?? -1);
    const newest = Math.max(-1, ...before);
    return newest < 0 ? undefined : newest;
  };

  return {
    subjects: touches.paths,
    of,
    counts: touches.counts,
    revisionsOf: touches.revisionsOf,
    touchedBy: (index) => byRevision()[index] ?? [],
    predecessor,
    lastChange: (path, index) => {
      let last = of(path).inForce[index] ?? index;
      for (let at: number | undefined = last; at !== undefined; at = predecessor(path, at)) {
        last = at;
        if (changedAny(touches.counts(path, at) ?? NO_COUNTS)) break;
      }
      return last;
    },
    isAlive: (path, index) => {
      // Of a collection's path, this is the item that holds it.
      const holder = resourceAt(history.states[index] ?? null, path);
      if (!holder) return false;
      const subject = parsePath(path);
      const isOptional = subject?.isCollection && subject.kind.onlyIfAny;
      return !isOptional || holder.collections.has(subject.kind.collection ?? '');
    },
  };
}

function invert(touches: TouchedResources, revisions: number): string[][] {
  const paths: string[][] = Array.from({ length: revisions }, () => []);
  for (const path of touches.paths()) for (const index of touches.revisionsOf(path)) paths[index]?.push(path);
  return paths;
}

function walk(history: History, inForce: Int32Array, head: number): number[] {
  const found = new Set<number>();
  const waiting = [inForce[head] ?? -1];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index < 0 || found.has(index)) continue;
    found.add(index);
    for (const parent of history.parents[index] ?? []) waiting.push(inForce[parent] ?? -1);
  }
  return [...found].sort((a, b) => b - a);
}

/** For each merge, and each of its parents but the first, the subjects in which the two differ. */
function touchedByOtherParents(history: History): ReadonlyMap<number, readonly ReadonlySet<string>[]> {
  const touched = new Map<number, Set<string>[]>();
  for (const [index, parents] of history.parents.entries()) {
    if (parents.length < 2) continue;
    const after = history.states[index] ?? null;
    touched.set(
      index,
      parents.slice(1).map((parent) => {
        const paths = new Set<string>();
        for (const { path, before, after: now } of stateDifference(history.states[parent] ?? null, after)) {
          for (const ancestor of selfAndAncestors(path)) paths.add(ancestor);
          if (!before || !now) for (const held of collectionsOf(path)) paths.add(held);
        }
        return paths;
      }),
    );
  }
  return touched;
}
