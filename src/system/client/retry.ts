/**
 * Trying again what failed just now: after pauses that double, of which a random part is left out, so that clients that
 * failed together do not come back together. What is worth another try, and how often, the caller says.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { FindingCode } from '../../core/diagnostics/finding.ts';

export type Tried<T> = { readonly value: T } | { readonly error: unknown };

export interface RetryOptions<T> {
  /**
   * How many milliseconds the next try must wait at least, after so many of them; undefined where there is to be none.
   * What it throws ends the tries.
   */
  readonly again: (tried: Tried<T>, tries: number) => number | undefined;
  /** Milliseconds: about how long the first pause is; each next one is twice as long. */
  readonly pauseMs: number;
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_PAUSE_MS = 20_000;

export async function withRetries<T>(work: () => Promise<T>, { again, pauseMs, signal }: RetryOptions<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const tried = await attempt(work);
    const least = signal?.aborted ? undefined : again(tried, tries);
    if (least === undefined) return outcomeOf(tried);
    const pause = jittered(Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** (tries - 1)));
    const isOver = await sleep(Math.max(pause, least), false, signal ? { signal } : {}).catch(() => true);
    if (isOver) return outcomeOf(tried);
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

function outcomeOf<T>(tried: Tried<T>): T {
  if ('error' in tried) throw tried.error;
  return tried.value;
}

/** Between half of it and all. */
function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}

/** What says that something new was published while it was read. */
const REPLACED_CODES: readonly FindingCode[] = ['place-moved', 'site-moved', 'site-dead-link'];

/**
 * Reads a place, and all of it anew, once, when it was replaced meanwhile. That it was replaced again is told by the
 * failure of the second reading. `again` is called in between: from then on, caches must not answer.
 */
export async function rereadOnce<T>(read: () => Promise<T>, again: () => void): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isUnsteady = error instanceof Failure && error.findings.some(({ code }) => REPLACED_CODES.includes(code));
    if (!isUnsteady) throw error;
  }
  again();
  return await read();
}
