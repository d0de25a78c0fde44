import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, type FindingCode } from '../../core/diagnostics/finding.ts';
import { asText } from '../../core/model/json.ts';

export type Tried<T> = { readonly value: T } | { readonly error: unknown };

export interface RetryOptions<T> {
  /** Returns the minimum pause in milliseconds, or undefined to stop retrying. An exception also stops the retries. */
  readonly nextDelay: (tried: Tried<T>, tries: number) => number | undefined;
  /** The approximate pause before the first retry, in milliseconds. The pause doubles for each further retry. */
  readonly pauseMs: number;
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_PAUSE_MS = 20_000;

export async function withRetries<T>(
  work: () => Promise<T>,
  { nextDelay, pauseMs, signal }: RetryOptions<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const tried = await work().then(
      (value): Tried<T> => ({ value }),
      (error: unknown): Tried<T> => ({ error }),
    );
    const least = signal?.aborted ? undefined : nextDelay(tried, tries);
    // Shortens the pause by a random part, so that clients do not all retry at the same time.
    const pause = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
    const isLast =
      least === undefined || (await sleep(Math.max(pause, least), false, signal ? { signal } : {}).catch(() => true));
    if (!isLast) continue;
    if ('error' in tried) throw tried.error;
    return tried.value;
  }
}

const MOST_SECONDS = 1_000_000_000;

/** Parses a Retry-After header with seconds or a date (RFC 9110, section 10.2.3). Returns 0 for a missing header. */
export function retryAfterMs(header: unknown, now: number): number {
  const value = asText(header);
  if (/^\d+$/.test(value)) return Math.min(Number(value), MOST_SECONDS) * 1000;
  const date = Date.parse(value);
  return Number.isFinite(date) ? Math.max(0, date - now) : 0;
}

/** Findings that occur if a new version is published during a read. */
const REPLACED_CODES: readonly FindingCode[] = ['place-moved', 'site-moved', 'site-dead-link'];

/** Reads again once if a new version is published during the first read. `again` must disable caches. */
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
