import { expect, test } from 'vitest';
import { timeLeft } from '../../../../src/system/terminal/time-left.ts';

test('what took time before the first count is none of its time', () => {
  const left = timeLeft();
  expect(left(1, 500_001, 10_000)).toBeUndefined();
  expect(left(10_001, 500_001, 12_000)).toBe('98 s');
});

test('nothing is said before there is a basis', () => {
  const left = timeLeft();
  expect(left(0, 1000, 0)).toBeUndefined();
  expect(left(0, 1000, 5000)).toBeUndefined();
  expect(left(500, 1000, 5000)).toBe('5 s');
  const quick = timeLeft();
  expect([quick(100, 1000, 0), quick(200, 1000, 999)]).toEqual([undefined, undefined]);
  expect(quick(200, 1000, 1000)).toBe('8 s');
});

test.each([
  [2, '1 s'],
  [100, '99 s'],
  [101, '2 min'],
  [3601, '60 min'],
  [7381, '2 h 3 min'],
])('of %i items, one a second', (total, said) => {
  const left = timeLeft();
  left(0, total, 0);
  expect(left(1, total, 1000)).toBe(said);
});
