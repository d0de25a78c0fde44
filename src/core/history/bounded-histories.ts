/**
 * The histories of resources from a bound on: of each its revisions that are told, and before these the ones that were in force at
 * the bound. What had gone by then has none, unless a revision that is shown for something above it removed it.
 */
import { selfAndAncestors, subjectAt } from '../model/resource-path.ts';
import { itemAt, mustGet } from '../platform/certain.ts';
import { lazily } from '../platform/on-demand.ts';
import type { HistoryBound } from './history-bound.ts';
import type { History } from './replay.ts';
import type { Histories } from './resource-history.ts';

export function boundedHistories(whole: Histories, history: History, bound: HistoryBound): Histories {
  const older = lazily(() => olderVersions(whole, history, bound));
  const isShown = (path: string, index: number) => bound.isTold(index) || older().isVersion(path, index);
  const known = new Map<string, ReturnType<Histories['of']>>();
  return {
    ...whole,
    subjects: function* () {
      for (const path of whole.subjects()) if (older().isShown(path)) yield path;
    },
    of: (path) => {
      const found = known.get(path);
      if (found) return found;
      const { inForce, revisions } = whole.of(path);
      const bounded = { inForce, revisions: revisions.filter((index) => isShown(path, index)) };
      known.set(path, bounded);
      return bounded;
    },
    revisionsOf: (path) =>
      whole.revisionsOf(path).filter((index) => isShown(path, index) || older().isNamed(path, index)),
    touchedBy: (index) => (bound.isTold(index) ? whole.touchedBy(index) : older().versionsAt(index)),
    predecessor: (path, index) => {
      const before = whole.predecessor(path, index);
      return before !== undefined && isShown(path, before) ? before : undefined;
    },
    isCut: (path, index) =>
      !bound.isTold(index) &&
      itemAt(history.parents, index).some((parent) => {
        const before = whole.of(path).inForce(parent);
        return before >= 0 && !older().isVersion(path, before);
      }),
  };
}

interface OlderVersions {
  /** Whether anything of a subject is shown. */
  readonly isShown: (path: string) => boolean;
  /** Whether a revision that is not told is shown as a version of a subject. */
  readonly isVersion: (path: string, index: number) => boolean;
  /** Whether the changes of one that is shown name the subject, though another revision is in force there. */
  readonly isNamed: (path: string, index: number) => boolean;
  /** The subjects of which a revision that is not told is shown as a version. */
  readonly versionsAt: (index: number) => readonly string[];
}

/** What is shown of the time before the bound. */
function olderVersions(whole: Histories, history: History, bound: HistoryBound): OlderVersions {
  const byPath = new Map<string, Set<number>>();
  const byRevision = new Map<number, Set<string>>();
  const named = new Map<string, Set<number>>();
  /** The revisions of which more is shown since it was last seen to that what they name is. */
  const grown = new Set<number>();
  const show = (path: string, index: number) => {
    if (bound.isTold(index) || byPath.get(path)?.has(index) === true) return;
    byPath.set(path, (byPath.get(path) ?? new Set()).add(index));
    byRevision.set(index, (byRevision.get(index) ?? new Set()).add(path));
    grown.add(index);
  };
  const showAtBases = (path: string) => {
    for (const base of bound.bases) for (const index of inForceAt(path, base)) show(path, index);
  };
  for (const path of whole.subjects()) if (isThere(path)) showAtBases(path);
  // It grows again while it is gone through.
  for (const index of grown) {
    grown.delete(index);
    const shown = mustGet(byRevision, index);
    for (const path of whole.touchedBy(index)) {
      if (shown.has(path) || !someOf(selfAndAncestors(path), (above) => shown.has(above))) continue;
      const { inForce } = whole.of(path);
      const now = inForce(index);
      if (now >= 0 && now !== index) named.set(path, (named.get(path) ?? new Set()).add(index));
      // Where a merge drops what only its first parent had, the history of that is named.
      const [first = index] = itemAt(history.parents, index);
      show(path, now < 0 ? inForce(first) : now);
      showAtBases(path);
    }
  }

  /** Whether a subject was there at the bound, or is touched by what is told. */
  function isThere(path: string): boolean {
    return bound.bases.some((base) => whole.isAlive(path, base)) || whole.revisionsOf(path).some(bound.isTold);
  }

  /** The revision in force at a base; of what has a link to its latest change, all back to that. */
  function* inForceAt(path: string, base: number): Generator<number> {
    let index: number | undefined = whole.of(path).inForce(base);
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
    isShown: (path) => byPath.has(path) || whole.revisionsOf(path).some(bound.isTold),
    isVersion: (path, index) => byPath.get(path)?.has(index) === true,
    isNamed: (path, index) => named.get(path)?.has(index) === true,
    versionsAt: (index) => [...(byRevision.get(index) ?? [])],
  };
}

function someOf<T>(values: Iterable<T>, is: (value: T) => boolean): boolean {
  for (const value of values) if (is(value)) return true;
  return false;
}
