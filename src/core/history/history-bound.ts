/**
 * Where a history that is told begins: at a date, and not with the first revision. Told are the revisions of that date or a
 * later one, and all that descend from them, whatever their dates. What they stand on, their bases, are not told
 * themselves: they say what there was at the bound.
 */
import { epochSeconds } from '../model/revision.ts';
import { itemAt } from '../platform/certain.ts';
import type { Graph } from './graph.ts';

export interface HistoryBound {
  /** Epoch seconds. */
  readonly since: number;
  /** Whether a revision is told. */
  readonly isTold: (index: number) => boolean;
  /**
   * The revisions of which the states are known and the changes are not: the parents of what is told, or the head where
   * nothing is; and others that were asked for. In ascending order.
   */
  readonly bases: readonly number[];
}

/** `wanted` are revisions whose states are to be known, too. Undefined where the whole history is told. */
export function historyBound(
  { revisions, parents }: Pick<Graph, 'revisions' | 'parents'>,
  since: number,
  wanted: Iterable<number> = [],
): HistoryBound | undefined {
  const told: boolean[] = [];
  const bases = new Set<number>();
  for (const [index, { date }] of revisions.entries()) {
    const before = itemAt(parents, index);
    const isTold = epochSeconds(date) >= since || before.some((parent) => told[parent] === true);
    told.push(isTold);
    if (isTold) for (const parent of before) bases.add(parent);
  }
  if (told.every((is) => is)) return undefined;
  if (!told.includes(true)) bases.add(revisions.length - 1);
  for (const index of wanted) bases.add(index);
  return {
    since,
    isTold: (index) => itemAt(told, index),
    bases: [...bases].filter((index) => told[index] === false).sort((a, b) => a - b),
  };
}

/** The revisions that are told and their bases, in ascending order. */
export function revisionsTold({ isTold, bases }: HistoryBound, { revisions }: Pick<Graph, 'revisions'>): number[] {
  const known = new Set(bases);
  return [...revisions.keys()].filter((index) => isTold(index) || known.has(index));
}
