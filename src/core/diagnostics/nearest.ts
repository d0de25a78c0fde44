/** Which name was meant by one that nothing has. */

/** How many names are suggested. */
export const MOST_SUGGESTIONS = 3;

/** Whether two names begin alike, or differ in at most two places. */
export function isClose(name: string, wanted: string): boolean {
  if (name.startsWith(wanted.slice(0, 4)) && wanted.length >= 4) return true;
  return Math.abs(name.length - wanted.length) <= 2 && distance(name, wanted) <= 2;
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
