export const MOST_SUGGESTIONS = 3;

/** By how many letters more than the first another suggestion may differ. */
const FARTHER = 2;
/** Longer than any name: what is longer is compared with nothing. */
const LONGEST_NAME = 200;
/** Two places of a shorter one are half of it. */
const SHORT_NAME = 5;
/** Among more names than these, only those are compared that begin alike. */
const MANY_NAMES = 2000;

/** Those of the names that are much like one, the nearest first. */
export function nearestTo(wanted: string, names: Iterable<string>): string[] {
  const all = [...names];
  const begin = all.length > MANY_NAMES ? wanted.slice(0, 2) : '';
  const close = all.filter((name) => name.startsWith(begin) && isClose(name, wanted));
  return nearestOf(wanted, close);
}

/** The nearest of names that are all like one in some way, without those that are much farther than the first. */
export function nearestOf(wanted: string, names: Iterable<string>): string[] {
  const near = [...new Set(names)]
    .filter((name) => name.length <= LONGEST_NAME && wanted.length <= LONGEST_NAME)
    .map((name) => ({ name, away: distance(name, wanted) }))
    .sort((a, b) => a.away - b.away || (a.name < b.name ? -1 : 1));
  const bound = (near[0]?.away ?? 0) + FARTHER;
  return near
    .filter(({ away }) => away <= bound)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Whether two names begin alike, or differ in at most two places, short ones in one. */
export function isClose(name: string, wanted: string): boolean {
  if (name.length > LONGEST_NAME || wanted.length > LONGEST_NAME) return false;
  if (name.startsWith(wanted.slice(0, 4)) && wanted.length >= 4) return true;
  const farthest = wanted.length < SHORT_NAME ? 1 : 2;
  return Math.abs(name.length - wanted.length) <= farthest && distance(name, wanted) <= farthest;
}

/** How many letters come, go, are others, or change places with the next one (optimal string alignment). */
export function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const same = a[i] === b[j] ? 0 : 1;
      const swaps = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = swaps ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + same, swapped));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
