/**
 * Trying again what a store could not do just now: after pauses that double, of which a random part is waited, so that
 * publishers do not come back all at once, and never sooner than the store asks for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorOf } from './bucket-errors.ts';

/** A store that has answered once will again; one that never did is likely not there. */
const TRIES = { answered: 10, silent: 3 } as const;
const LONGEST_MS = 20_000;
/** A store that asks for more is told of. */
const LONGEST_ASKED_MS = 120_000;

export interface RetryOptions {
  readonly pauseMs: number;
  /** Whether the store has answered anything yet. */
  readonly hasAnswered: () => boolean;
  readonly signal?: AbortSignal;
}

/** Rejects with the last error. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { pauseMs, hasAnswered, signal }: RetryOptions,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const { name, mayPass, retryAfterMs = 0 } = errorOf(error);
      // The client sets its clock right after the first refusal, if that helps at all.
      const isBrief = !hasAnswered() || name === 'RequestTimeTooSkewed';
      const isLast = tries >= TRIES[isBrief ? 'silent' : 'answered'];
      if (!mayPass || isLast || signal?.aborted || retryAfterMs > LONGEST_ASKED_MS) throw error;
      const pause = Math.random() * Math.min(LONGEST_MS, pauseMs * 2 ** tries);
      await sleep(Math.max(pause, retryAfterMs), undefined, signal ? { signal } : {}).catch(() => {
        throw error;
      });
    }
  }
}
