/** Progress on a terminal's standard error: what is being done, how far it is, and how long it will take. */
import { grouped } from '../../core/diagnostics/words.ts';

export interface Progress {
  /** Says that so many of the total are done, and what else there is to say. */
  readonly at: (done: number, note?: string) => void;
  readonly end: () => void;
}

const SILENT: OpenProgress = { at: () => {}, end: () => {} };
const EVERY_MS = 100;

/** Silent unless standard error is a terminal. */
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
  if (!isShown || !process.stderr.isTTY) return SILENT;
  const started = performance.now();
  let last = 0;
  return {
    at: (done, total, note) => {
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      const left = done > 0 ? Math.ceil(((now - started) / done) * ((total - done) / 1000)) : undefined;
      const time = left === undefined ? '' : `, ${left} s left`;
      const more = note === undefined ? '' : ` (${note})`;
      process.stderr.write(`\r\u001b[K${label} ${grouped(done)} of ${grouped(total)}${more}${time}`);
    },
    end: () => process.stderr.write('\r\u001b[K'),
  };
}
