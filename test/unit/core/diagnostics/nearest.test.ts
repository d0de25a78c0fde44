import { expect, test } from 'vitest';
import { differAtMost, distance, suggestSimilar } from '../../../../src/core/diagnostics/nearest.ts';

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

test.each([
  ['ram_sise', 'ram_size', 1, true],
  ['ram_sise', 'ram_size', 0, false],
  ['ram_sizes', 'ram_size', 1, true],
  ['x'.repeat(2 ** 26), 'ram_size', 2, false],
])('%.20s and %s differ at most in %i places: %s', (one, other, most, expected) => {
  expect(differAtMost(most, one, other)).toBe(expected);
  expect(differAtMost(most, other, one)).toBe(expected);
});

test('nearestTo suggests a short name only if more than half of its letters match', () => {
  expect(suggestSimilar('nope', ['type', 'note'])).toEqual(['note']);
  expect(suggestSimilar('vv', ['""', 'v1'])).toEqual(['v1']);
  expect(suggestSimilar('v', ['', 'w'])).toEqual(['w']);
});
