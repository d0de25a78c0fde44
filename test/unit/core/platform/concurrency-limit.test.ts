import { expect, test } from 'vitest';
import { concurrencyLimit } from '../../../../src/core/platform/concurrency-limit.ts';

test('at most the given number of calls run at the same time, also after failures', async () => {
  const inTurn = concurrencyLimit(2);
  let [running, most] = [0, 0];
  const call = async (i: number) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    if (i % 3 === 0) throw new Error('failed');
    return i;
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((i) => inTurn(() => call(i))));
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([false, true, true, false, true, true, false]);
  expect(most).toBe(2);
});
