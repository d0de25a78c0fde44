/**
 * Progress on standard error: what is being done, how far it is, and how long it will take. On a terminal it is one line
 * that is written anew; elsewhere, as in the log of a CI job, a line every some seconds, and none for what is soon over.
 */
import { grouped } from '../../core/diagnostics/words.ts';
import { timeLeft } from './time-left.ts';
import { tellsPhases, tellsWhatWasDone } from './verbosity.ts';

export interface Progress {
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
