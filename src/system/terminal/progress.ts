/**
 * Progress on standard error: what is being done, how far it is, and how long it will take. On a terminal it is one line
 * that is written anew; elsewhere, as in the log of a CI job, a line every some seconds, and none for what is soon over.
 */

import { grouped } from '../../core/diagnostics/words.ts';
import { tellsPhases, tellsWhatWasDone } from './verbosity.ts';

interface Progress {
  /** Says that so many of the total are done, and what else there is to say. */
  readonly at: (done: number, note?: string) => void;
  readonly end: () => void;
}

const SILENT: OpenProgress = { at: () => {}, end: () => {} };
const EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;

/** Silent unless it is shown, and the call is not to be quiet. */
export function progress(label: string, total: number, isShown: boolean): Progress {
  const { at, end } = openProgress(label, isShown);
  return { at: (done, note) => at(done, total, note), end };
}

/** Runs something whose total is known only once it has begun, or grows meanwhile. */
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
  if (!isShown || !tellsWhatWasDone()) return SILENT;
  const { isTTY } = process.stderr;
  const every = isTTY ? EVERY_MS : LINE_EVERY_MS;
  const started = performance.now();
  let last = isTTY ? 0 : started;
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
      const line = `${label} ${grouped(done)} of ${grouped(total)}${more}${time}`;
      process.stderr.write(isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end: () => {
      if (isTTY) process.stderr.write('\r\u001b[K');
      if (!tellsPhases()) return;
      process.stderr.write(`${label} ${grouped(most)}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
    },
  };
}

/** In milliseconds: what took less time tells nothing of the rest. */
const SHORT = 1000;
/** After so long, even a small share does: else the first items may be unlike the others. */
const LONG = 30_000;
const SMALL_SHARE = 0.05;

type TimeLeft = (done: number, total: number, now: number) => string | undefined;

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
