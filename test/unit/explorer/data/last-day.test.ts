import { expect, test } from 'vitest';
import { lastDayOf } from '../../../../src/explorer/data/last-day.ts';

test.each([
  ['2023', '2023-12-31'],
  ['2024-02', '2024-02-29'],
  ['2023-5', '2023-05-31'],
  ['May 2023', '2023-05-31'],
  ['february 2023', '2023-02-28'],
  ['Dec. 2023', '2023-12-31'],
  ['2023-05-17', '2023-05-17'],
  ['2023-13', undefined],
  ['2023-00', undefined],
  ['2023-02-30', undefined],
  ['Foo 2023', undefined],
  ['0123', undefined],
  ['62627ee3', undefined],
  ['', undefined],
])('the last day of %j is %s', (text, day) => {
  expect(lastDayOf(text)).toBe(day);
});
