/** Reports progress. Outputs that are not terminals, such as CI logs, get a line every few seconds. */

import { formatCount } from '../../core/diagnostics/words.ts';
import { isTerminal, reportsPhases, reportsResults } from './terminal.ts';

const SILENT: OpenProgress = { at: () => {}, end: () => {} };
const EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;

/** Prints nothing in quiet mode, or if `isShown` is false. */
export function progress(label: string, total: number, isShown: boolean) {
  const { at, end } = openProgress(label, isShown);
  return { at: (done: number, note?: string) => at(done, total, note), end };
}

/** Shows progress while `work` runs. `work` can increase the total. */
export async function whileShown<T>(
  label: string,
  isShown: boolean,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const { at, end } = openProgress(label, isShown);
  try {
    return await work(at);
  } finally {
    end();
  }
}

interface OpenProgress {
  readonly at: (done: number, total: number, note?: string) => void;
  readonly end: () => void;
}

function openProgress(label: string, isShown: boolean): OpenProgress {
  if (!isShown || !reportsResults()) return SILENT;
  const isShownInPlace = isTerminal(process.stderr);
  const every = isShownInPlace ? EVERY_MS : LINE_EVERY_MS;
  const started = performance.now();
  let last = isShownInPlace ? 0 : started;
  let most = 0;
  const leftAt = timeLeft();
  return {
    at: (done, total, note) => {
      most = done;
      const now = performance.now();
      const left = leftAt(done, total, now);
      if (now - last < every) return;
      last = now;
      const time = left === undefined ? '' : `, ${left} left`;
      const more = note === undefined ? '' : ` (${note})`;
      const line = `${label} ${formatCount(done)} of ${formatCount(total)}${more}${time}`;
      process.stderr.write(isShownInPlace ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end: () => {
      if (isShownInPlace) process.stderr.write('\r\u001b[K');
      if (!reportsPhases()) return;
      process.stderr.write(`${label} ${formatCount(most)}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
    },
  };
}

/** The minimum elapsed time before the remaining time is estimated. */
const SHORT_SAMPLE_MS = 1000;
/** The minimum elapsed time while few items are done. The first items can be unusually fast or slow. */
const LONG_SAMPLE_MS = 30_000;
const SMALL_SHARE = 0.05;

/** Estimates the remaining time. The first call starts the clock, and early calls return undefined. */
export function timeLeft() {
  let first: { readonly done: number; readonly now: number } | undefined;
  return (done: number, total: number, now: number): string | undefined => {
    first ??= { done, now };
    const [items, time] = [done - first.done, now - first.now];
    const isSmall = items < SMALL_SHARE * total;
    if (items <= 0 || time < (isSmall ? LONG_SAMPLE_MS : SHORT_SAMPLE_MS)) return undefined;
    return roughTime(((time / items) * (total - done)) / 1000);
  };
}

function roughTime(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
