/** Whether a merge left a subject as one of its parents had it: then it is no version of the subject, and that parent is followed. */

import { itemPath, selfAndAncestors, subjectAt } from '../model/resource-path.ts';
import { membersOf, resourceAt, stateDifference } from '../model/state.ts';
import { certain, isAmong, itemAt } from '../platform/certain.ts';
import { lazily } from '../platform/on-demand.ts';
import type { History } from './replay.ts';
import { collectionsOf, type TouchedResources } from './touches.ts';

type IsSameAfter = (path: string, parent: number, merge: number) => boolean;

/** Of many subjects: all that differs is found once for each parent of a merge. */
export function comparedTogether(history: History, numberOf: TouchedResources['numberOf']): IsSameAfter {
  const known = new Map<string, Int32Array>();
  return (path, parent, merge) => {
    const key = `${parent} ${merge}`;
    const differing = known.get(key) ?? Int32Array.from(differingPaths(history, parent, merge), numberOf).sort();
    known.set(key, differing);
    return !isAmong(differing, numberOf(path));
  };
}

/** The paths of the subjects that differ after two revisions. */
function differingPaths({ states, kinds }: History, from: number, to: number): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path, before, after } of stateDifference(itemAt(states, from), itemAt(states, to))) {
    for (const ancestor of selfAndAncestors(path)) paths.add(ancestor);
    if (!before || !after) for (const held of collectionsOf(path, kinds)) paths.add(held);
  }
  return paths;
}

/** Of a single subject: nothing else is looked at. */
export function comparedAlone(history: History): IsSameAfter {
  return (path, parent, merge) => {
    const { states, kinds } = history;
    const subject = subjectAt(path, kinds);
    const { kind, isCollection } = subject;
    const holder = itemPath(subject);
    const [before, after] = [parent, merge].map((index) => resourceAt(itemAt(states, index), holder));
    if (!isCollection || before === after) return before?.digest === after?.digest;
    const name = certain(kind.collection);
    // It comes and goes with the item that holds it, if it is not there by its members alone.
    if (!before || !after) return kind.onlyIfAny && !before?.collections.has(name) && !after?.collections.has(name);
    const [old, now] = [membersOf(before, name), membersOf(after, name)];
    return old.size === now.size && [...now.entries()].every(([uid, { digest }]) => old.get(uid)?.digest === digest);
  };
}

/**
 * Merges of which one side only wrote files anew: states say the same of both, and `git log -- path`, which compares files,
 * follows both. Revisions say what they wrote anew against their first parents.
 */
type Told = Pick<History, 'changes' | 'parents'>;

/** Whether a merge has other files at or below a subject than one of its parents, though they say the same. */
type IsRewritten = (path: string, parent: number, merge: number) => boolean;

/** `numberOf` gives the number of a subject, so that what many merges have is a column for each. */
export function rewrittenFiles(history: Told, numberOf: TouchedResources['numberOf']): IsRewritten {
  const known = new Map<string, Int32Array>();
  const oldest = lazily(() =>
    history.changes.findIndex((changes) => changes.some(({ action }) => action === 'touched')),
  );
  return (path, parent, merge) => {
    if (oldest() < 0) return false;
    const key = `${parent} ${merge}`;
    const paths =
      known.get(key) ?? Int32Array.from(rewrittenPaths({ history, parent, merge, oldest: oldest() }), numberOf).sort();
    known.set(key, paths);
    return isAmong(paths, numberOf(path));
  };
}

interface Side {
  readonly history: Told;
  readonly parent: number;
  readonly merge: number;
  /** The first revision that wrote a file anew: those before it are not looked at. */
  readonly oldest: number;
}

/** What the last revision of one side alone wrote anew, and what is above it, but for what the merge has of the other side. */
function rewrittenPaths({ history, parent, merge, oldest }: Side): ReadonlySet<string> {
  const { changes, parents } = history;
  const paths = new Set<string>();
  const [first = parent] = itemAt(parents, merge);
  const last = { first: new Map<string, string>(), other: new Map<string, string>() };
  for (const { index, side } of revisionsApart(parents, first, parent, oldest)) {
    // Merges bring what other revisions wrote.
    if (itemAt(parents, index).length > 1) continue;
    for (const { path, action } of itemAt(changes, index)) if (!last[side].has(path)) last[side].set(path, action);
  }
  const ofMerge = new Set(itemAt(changes, merge).map(({ path }) => path));
  for (const path of [...last.first.keys(), ...last.other.keys()]) {
    const isSame = (last.first.get(path) === 'touched') === (last.other.get(path) === 'touched');
    if (!isSame && !ofMerge.has(path)) addWithAncestors(path, paths);
  }
  return paths;
}

/** Adds a path and what is above it to those of which all is there that is above them. */
function addWithAncestors(path: string, paths: Set<string>): void {
  for (const above of selfAndAncestors(path)) {
    if (paths.has(above)) return;
    paths.add(above);
  }
}

const [FIRST, OTHER, BOTH] = [1, 2, 3];

/** The revisions from the oldest on that lead to one of two alone, newest first. */
function revisionsApart(parents: Told['parents'], first: number, other: number, oldest: number) {
  const apart: { readonly index: number; readonly side: 'first' | 'other' }[] = [];
  if (first === other) return apart;
  const sides = new Map([
    [first, FIRST],
    [other, OTHER],
  ]);
  let open = sides.size;
  for (let index = Math.max(first, other); open > 0 && index >= oldest; index--) {
    const side = sides.get(index);
    if (side === undefined) continue;
    sides.delete(index);
    if (side !== BOTH) {
      open--;
      apart.push({ index, side: side === FIRST ? 'first' : 'other' });
    }
    for (const parent of itemAt(parents, index)) {
      const before = sides.get(parent);
      const now = before === undefined || before === side ? side : BOTH;
      if (before === undefined && now !== BOTH) open++;
      if (before !== undefined && before !== BOTH && now === BOTH) open--;
      sides.set(parent, now);
    }
  }
  return apart;
}
