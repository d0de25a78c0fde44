import { expect, test } from 'vitest';
import { type RetryOptions, withRetries } from '../../../../src/system/client/retry.ts';

/** Fails so many times, then returns the number of attempts. */
function failing(times: number) {
  let tries = 0;
  return async () => {
    tries++;
    if (tries <= times) throw new Error(`try ${tries}`);
    return tries;
  };
}

const atMost =
  (most: number): RetryOptions<number>['nextDelay'] =>
  (tried, tries) =>
    'error' in tried && tries < most ? 0 : undefined;

test('withRetries repeats a failing call until it succeeds', async () => {
  expect(await withRetries(failing(2), { nextDelay: atMost(3), pauseMs: 1 })).toBe(3);
});

test('withRetries throws the last error', async () => {
  await expect(withRetries(failing(3), { nextDelay: atMost(3), pauseMs: 1 })).rejects.toThrow('try 3');
});

test('withRetries can repeat by value, and returns the last one', async () => {
  const nextDelay: RetryOptions<number>['nextDelay'] = (tried, tries) =>
    'value' in tried && tried.value < 5 && tries < 3 ? 0 : undefined;
  expect(await withRetries(failing(0), { nextDelay: nextDelay, pauseMs: 1 })).toBe(3);
});

test('pauses double, and are at least as long as requested', async () => {
  const waits: number[] = [];
  let last = performance.now();
  const work = async () => {
    const now = performance.now();
    waits.push(now - last);
    last = now;
    if (waits.length < 4) throw new Error('not yet');
    return waits.length;
  };
  await withRetries(work, {
    nextDelay: (tried, tries) => ('error' in tried ? [0, 0, 0, 70][tries] : undefined),
    pauseMs: 20,
  });
  const [, first = 0, second = 0, third = 0] = waits;
  expect(first).toBeGreaterThanOrEqual(9);
  expect(second).toBeGreaterThanOrEqual(19);
  expect(third).toBeGreaterThanOrEqual(69);
});

test('an abort signal ends the wait with the last error, without another attempt', async () => {
  const controller = new AbortController();
  let tries = 0;
  const work = async (): Promise<number> => {
    tries++;
    setTimeout(() => controller.abort(), 5);
    throw new Error('busy');
  };
  const waiting = withRetries(work, { nextDelay: () => 60_000, pauseMs: 1, signal: controller.signal });
  await expect(waiting).rejects.toThrow('busy');
  await expect(withRetries(work, { nextDelay: () => 0, pauseMs: 1, signal: controller.signal })).rejects.toThrow(
    'busy',
  );
  expect(tries).toBe(2);
});
