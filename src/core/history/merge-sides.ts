/** If a subject has the same state in a merge and in one of its parents, its history continues at that parent. */

import { itemPath, selfAndAncestors, subjectAt } from '../model/resource-path.ts';
import { membersOf, type ResourceState, resourceAt, stateDifference } from '../model/state.ts';
import { assertDefined, getOrCreate, includesSorted, itemAt } from '../platform/lookups.ts';
import { lazily } from '../platform/on-demand.ts';
import type { History } from './replay.ts';
import { collectionsOf, type TouchedResources } from './touches.ts';

type IsSameAfter = (path: string, parent: number, merge: number) => boolean;

/** Caches which paths differ between a merge and each of its parents. This is faster for many subjects. */
export function comparedTogether(history: History, numberOf: TouchedResources['numberOf']): IsSameAfter {
  const known = new Map<string, Int32Array>();
  return (path, parent, merge) => {
    const differing = getOrCreate(known, `${parent} ${merge}`, () =>
      Int32Array.from(differingPaths(history, parent, merge), numberOf).sort(),
    );
    return !includesSorted(differing, numberOf(path));
  };
}

function differingPaths({ states, kinds }: History, from: number, to: number): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path, before, after } of stateDifference(itemAt(states, from), itemAt(states, to))) {
    for (const ancestor of selfAndAncestors(path)) paths.add(ancestor);
    if (!before || !after) for (const held of collectionsOf(path, kinds)) paths.add(held);
  }
  return paths;
}

export function comparedAlone(history: History): IsSameAfter {
  return (path, parent, merge) => {
    const { states, kinds } = history;
    const subject = subjectAt(path, kinds);
    const { kind, isCollection } = subject;
    const holder = itemPath(subject);
    const [before, after] = [parent, merge].map((index) => resourceAt(itemAt(states, index), holder));
    if (!isCollection || before === after) return isSame(before, after);
    const name = assertDefined(kind.collection);
    // A collection exists while the item above it exists. An optional collection exists only while it contains items.
    if (!before || !after) return kind.onlyIfAny && !before?.collections.has(name) && !after?.collections.has(name);
    return hasSameMembers(before, after, name);
  };
}

/** Compares only the parts that two states do not share, which is faster than computing both digests. */
function isSame(before: ResourceState | undefined, after: ResourceState | undefined): boolean {
  if (before === after) return true;
  if (before?.body.digest !== after?.body.digest || !before || !after) return false;
  const names = new Set([...before.collections.keys(), ...after.collections.keys()]);
  return [...names].every((name) => hasSameMembers(before, after, name));
}

function hasSameMembers(before: ResourceState, after: ResourceState, name: string): boolean {
  const [old, now] = [membersOf(before, name), membersOf(after, name)];
  return (
    old === now || (old.size === now.size && [...now.entries()].every(([uid, each]) => isSame(old.get(uid), each)))
  );
}

/** Like `git log -- path`, the history of a path follows each side of a merge that rewrote the file. */
type ChangeGraph = Pick<History, 'changes' | 'parents'>;

/** Whether files at or below a path differ between a merge and one of its parents. Both states are equal. */
type IsRewritten = (path: string, parent: number, merge: number) => boolean;

/** `numberOf` returns the number of a subject. The result stores numbers, because paths would take more memory. */
export function rewrittenFiles(history: ChangeGraph, numberOf: TouchedResources['numberOf']): IsRewritten {
  const known = new Map<string, Int32Array>();
  const oldest = lazily(() =>
    history.changes.findIndex((changes) => changes.some(({ action }) => action === 'touched')),
  );
  return (path, parent, merge) => {
    if (oldest() < 0) return false;
    const paths = getOrCreate(known, `${parent} ${merge}`, () =>
      Int32Array.from(rewrittenPaths({ history, parent, merge, oldest: oldest() }), numberOf).sort(),
    );
    return includesSorted(paths, numberOf(path));
  };
}

interface Side {
  readonly history: ChangeGraph;
  readonly parent: number;
  readonly merge: number;
  /** The first revision that rewrote a file. */
  readonly oldest: number;
}

/** Returns the paths that only one side rewrote, and all paths above. Excludes changes of the merge itself. */
function rewrittenPaths({ history, parent, merge, oldest }: Side): ReadonlySet<string> {
  const { changes, parents } = history;
  const paths = new Set<string>();
  const [first = parent] = itemAt(parents, merge);
  const last = { first: new Map<string, string>(), other: new Map<string, string>() };
  for (const { index, side } of revisionsApart(parents, first, parent, oldest)) {
    // A merge only repeats changes of other revisions.
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

function addWithAncestors(path: string, paths: Set<string>): void {
  for (const above of selfAndAncestors(path)) {
    if (paths.has(above)) return;
    paths.add(above);
  }
}

const [FIRST, OTHER, BOTH] = [1, 2, 3];

/** Returns the revisions from `oldest` on that are ancestors of exactly one of two revisions, newest first. */
function revisionsApart(parents: ChangeGraph['parents'], first: number, other: number, oldest: number) {
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
