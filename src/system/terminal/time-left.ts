/** How long counted work will still take, in words. */

/** In milliseconds: what took less time tells nothing of the rest. */
const SHORT = 1000;
/** After so long, even a small share does: else the first items may be unlike the others. */
const LONG = 30_000;
const SMALL_SHARE = 0.05;

export type TimeLeft = (done: number, total: number, now: number) => string | undefined;

/**
 * Told of each count with its time in milliseconds; undefined as long as there is no basis. What took time before the first
 * count, such as reading a long list, is no basis for the rest.
 */
export function timeLeft(): TimeLeft {
  let first: { readonly done: number; readonly now: number } | undefined;
  return (done, total, now) => {
    first ??= { done, now };
    const [items, time] = [done - first.done, now - first.now];
    const isSmall = items < SMALL_SHARE * total;
    if (items <= 0 || time < (isSmall ? LONG : SHORT)) return undefined;
    return roughTime(((time / items) * (total - done)) / 1000);
  };
}

/** Seconds as people tell them. */
function roughTime(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
