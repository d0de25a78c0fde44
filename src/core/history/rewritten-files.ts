/**
 * Merges of which one side only wrote files anew: states say the same of both, and `git log -- path`, which compares files,
 * follows both. Revisions say what they wrote anew against their first parents.
 */
import { selfAndAncestors } from '../model/resource-path.ts';
import { itemAt } from '../platform/certain.ts';
import { lazily } from '../platform/on-demand.ts';
import type { History } from './replay.ts';

/** Whether a merge has other files at or below a subject than one of its parents, though they say the same. */
export type IsRewritten = (path: string, parent: number, merge: number) => boolean;

export function rewrittenFiles(history: History): IsRewritten {
  const known = new Map<string, ReadonlySet<string>>();
  const writesAnew = lazily(() =>
    history.changes.map((changes) => changes.some(({ action }) => action === 'touched')),
  );
  return (path, parent, merge) => {
    const key = `${parent} ${merge}`;
    const paths = known.get(key) ?? rewrittenPaths({ history, parent, merge, writesAnew });
    known.set(key, paths);
    return paths.has(path);
  };
}

interface Side {
  readonly history: History;
  readonly parent: number;
  readonly merge: number;
  /** By revision, whether it only wrote some file anew. */
  readonly writesAnew: () => readonly boolean[];
}

/** What the last revision of one side alone wrote anew, and what is above it, but for what the merge has of the other side. */
function rewrittenPaths({ history, parent, merge, writesAnew }: Side): ReadonlySet<string> {
  const { changes, parents } = history;
  const paths = new Set<string>();
  const [first = parent] = itemAt(parents, merge);
  // Merges bring what other revisions wrote.
  const apart = revisionsApart(parents, first, parent).filter(
    ({ index }) => itemAt(parents, index).length < 2,
  );
  if (!apart.some(({ index }) => itemAt(writesAnew(), index))) return paths;
  const last = { first: new Map<string, string>(), other: new Map<string, string>() };
  for (const { index, side } of apart) {
    for (const { path, action } of itemAt(changes, index))
      if (!last[side].has(path)) last[side].set(path, action);
  }
  const ofMerge = new Set(itemAt(changes, merge).map(({ path }) => path));
  for (const path of [...last.first.keys(), ...last.other.keys()]) {
    const isSame = (last.first.get(path) === 'touched') === (last.other.get(path) === 'touched');
    if (!isSame && !ofMerge.has(path)) for (const above of selfAndAncestors(path)) paths.add(above);
  }
  return paths;
}

const [FIRST, OTHER, BOTH] = [1, 2, 3];

/** The revisions that lead to one of two alone, newest first. */
function revisionsApart(parents: History['parents'], first: number, other: number) {
  const apart: { readonly index: number; readonly side: 'first' | 'other' }[] = [];
  if (first === other) return apart;
  const sides = new Map([
    [first, FIRST],
    [other, OTHER],
  ]);
  let open = sides.size;
  for (let index = Math.max(first, other); open > 0; index--) {
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
