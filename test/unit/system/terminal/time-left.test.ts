import { expect, test } from 'vitest';
import { timeLeft } from '../../../../src/system/terminal/progress.ts';

test('the time before the first count is ignored', () => {
  const left = timeLeft();
  expect(left(1, 500_001, 10_000)).toBeUndefined();
  expect(left(50_001, 500_001, 20_000)).toBe('90 s');
});

test('there is no estimate before enough items are done', () => {
  const left = timeLeft();
  expect(left(0, 1000, 0)).toBeUndefined();
  expect(left(0, 1000, 5000)).toBeUndefined();
  expect(left(500, 1000, 5000)).toBe('5 s');
  const quick = timeLeft();
  expect([quick(100, 1000, 0), quick(200, 1000, 999), quick(120, 1000, 29_999)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([quick(200, 1000, 1000), quick(120, 1000, 30_000)]).toEqual(['8 s', '22 min']);
});

test.each([
  [20, '18 s'],
  [110, '99 s'],
  [120, '2 min'],
  [4000, '60 min'],
  [8200, '2 h 3 min'],
])('the estimate for %i items at one per second is correct', (total, said) => {
  const left = timeLeft();
  left(0, total, 0);
  expect(left(total / 10, total, 100 * total)).toBe(said);
});
