import { expect, test } from 'vitest';
import { type RetryOptions, withRetries } from '../../../../src/system/client/retry.ts';

/** Fails so many times, then gives how often it was tried. */
function failing(times: number) {
  let tries = 0;
  return async () => {
    tries++;
    if (tries <= times) throw new Error(`try ${tries}`);
    return tries;
  };
}

const atMost =
  (most: number): RetryOptions<number>['again'] =>
  (tried, tries) =>
    'error' in tried && tries < most ? 0 : undefined;

test('a failure is tried again until it passes', async () => {
  expect(await withRetries(failing(2), { again: atMost(3), pauseMs: 1 })).toBe(3);
});

test('what the last try threw is thrown', async () => {
  await expect(withRetries(failing(3), { again: atMost(3), pauseMs: 1 })).rejects.toThrow('try 3');
});

test('a value may be worth another try, and the last one stands', async () => {
  const again: RetryOptions<number>['again'] = (tried, tries) =>
    'value' in tried && tried.value < 5 && tries < 3 ? 0 : undefined;
  expect(await withRetries(failing(0), { again, pauseMs: 1 })).toBe(3);
});

test('pauses double, and are no shorter than what is asked for', async () => {
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
    again: (tried, tries) => ('error' in tried ? [0, 0, 0, 70][tries] : undefined),
    pauseMs: 20,
  });
  const [, first = 0, second = 0, third = 0] = waits;
  expect(first).toBeGreaterThanOrEqual(9);
  expect(second).toBeGreaterThanOrEqual(19);
  expect(third).toBeGreaterThanOrEqual(69);
});

test('a signal ends the wait with what the last try threw, and nothing is tried after it', async () => {
  const controller = new AbortController();
  let tries = 0;
  const work = async (): Promise<number> => {
    tries++;
    setTimeout(() => controller.abort(), 5);
    throw new Error('busy');
  };
  const waiting = withRetries(work, { again: () => 60_000, pauseMs: 1, signal: controller.signal });
  await expect(waiting).rejects.toThrow('busy');
  await expect(withRetries(work, { again: () => 0, pauseMs: 1, signal: controller.signal })).rejects.toThrow('busy');
  expect(tries).toBe(2);
});
