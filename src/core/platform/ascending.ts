/** Looking things up in ascending numbers, such as the revisions that touched a resource. */
import { itemAt } from './certain.ts';

/** The place of the last of ascending numbers that is at most `bound`; -1 where there is none. */
export function lastAtOrBefore(ascending: ArrayLike<number>, bound: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (itemAt(ascending, middle) <= bound) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Whether a number is one of ascending numbers. */
export function isAmong(ascending: ArrayLike<number>, number: number): boolean {
  return ascending[lastAtOrBefore(ascending, number)] === number;
}
