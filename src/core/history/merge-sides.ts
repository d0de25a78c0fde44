/** Whether a merge left a subject as one of its parents had it: then it is no version of the subject, and that parent is followed. */

import { itemPath, selfAndAncestors, subjectAt } from '../model/resource-path.ts';
import { membersOf, resourceAt, stateDifference } from '../model/state.ts';
import { isAmong } from '../platform/ascending.ts';
import { certain, itemAt } from '../platform/certain.ts';
import type { History } from './replay.ts';
import { collectionsOf, type TouchedResources } from './touches.ts';

export type IsSameAfter = (path: string, parent: number, merge: number) => boolean;

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
