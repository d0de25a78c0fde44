export const MOST_SUGGESTIONS = 3;

/** The maximum difference between the distance of a suggested name and the distance of the nearest name. */
const DISTANCE_MARGIN = 2;
/** The maximum length of compared names. Comparing longer names would take too long. */
const LONGEST_NAME = 200;
const SHORT_NAME = 5;
/** If a list has more names, only names with the first two letters of the wanted name are compared. */
const MANY_NAMES = 2000;

/** Returns the names that are similar to the wanted name, nearest first. */
export function suggestSimilar(wanted: string, names: Iterable<string>): string[] {
  const all = [...names];
  const begin = all.length > MANY_NAMES ? wanted.slice(0, 2) : '';
  const close = all.filter((name) => name.startsWith(begin) && isSimilar(name, wanted));
  return nearestNames(wanted, close);
}

/** Returns at most three names. Omits names that are much less similar than the nearest name. */
export function nearestNames(wanted: string, names: Iterable<string>): string[] {
  const near = [...new Set(names)]
    .filter((name) => name.length <= LONGEST_NAME && wanted.length <= LONGEST_NAME)
    .map((name) => ({ name, away: distance(name, wanted) }))
    .sort((a, b) => a.away - b.away || (a.name < b.name ? -1 : 1));
  const bound = (near[0]?.away ?? 0) + DISTANCE_MARGIN;
  return near
    .filter(({ away }) => away <= bound)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Whether names share the first four letters or differ in at most two places (in short names, one place). */
export function isSimilar(name: string, wanted: string): boolean {
  if (name === '' || name.length > LONGEST_NAME || wanted.length > LONGEST_NAME) return false;
  if (name.startsWith(wanted.slice(0, 4)) && wanted.length >= 4) return true;
  const farthest = wanted.length < SHORT_NAME ? 1 : 2;
  return differAtMost(farthest, name, wanted);
}

/** Whether two names differ in at most `most` places. Names of very different length take no time. */
export function differAtMost(most: number, a: string, b: string): boolean {
  return Math.abs(a.length - b.length) <= most && distance(a, b) <= most;
}

/** Returns the optimal string alignment distance: insertions, deletions, substitutions and adjacent swaps. */
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
