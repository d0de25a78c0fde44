import { expect, test } from 'vitest';
import { byNaturalOrder } from '../../../../src/core/model/json.ts';

test('byNaturalOrder compares numbers by value and texts by code unit', () => {
  const sorted = ['a', 'c', 'c1', 'c2', 'c02', 'c10', 'c10-2', 'c10-11', 'd'];
  expect(sorted.toReversed().sort(byNaturalOrder)).toEqual([
    'a',
    'c',
    'c1',
    'c02',
    'c2',
    'c10',
    'c10-2',
    'c10-11',
    'd',
  ]);
});
