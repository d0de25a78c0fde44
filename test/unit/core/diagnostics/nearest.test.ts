import { expect, test } from 'vitest';
import { distance, nearestTo } from '../../../../src/core/diagnostics/nearest.ts';

test.each([
  ['', '', 0],
  ['nginx', 'nginx', 0],
  ['nginx', '', 5],
  ['ngnix', 'nginx', 1],
  ['serail', 'serial', 1],
  ['ram_sise', 'ram_size', 1],
  ['kitten', 'sitting', 3],
  ['abcd', 'badc', 2],
])('the distance of %s and %s is %i', (one, other, expected) => {
  expect(distance(one, other)).toBe(expected);
  expect(distance(other, one)).toBe(expected);
});

test('a short name is not taken for one that has half of its letters', () => {
  expect(nearestTo('nope', ['type', 'note'])).toEqual(['note']);
  expect(nearestTo('vv', ['""', 'v1'])).toEqual(['v1']);
});
