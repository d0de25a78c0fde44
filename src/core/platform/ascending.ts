/** Looking things up in ascending numbers, such as the revisions that touched a resource. */
import { itemAt } from './certain.ts';

/**
 * The place of the last of ascending numbers that is at most `bound`; the one before `start` where there is none. Looked at
 * are those from `start` to before `end`.
 */
export function lastAtOrBefore(ascending: ArrayLike<number>, bound: number, start = 0, end = ascending.length): number {
  let [from, to] = [start, end];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (itemAt(ascending, middle) <= bound) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

export function isAmong(ascending: ArrayLike<number>, number: number): boolean {
  return ascending[lastAtOrBefore(ascending, number)] === number;
}
