import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MANY, matchesPattern, ONE, type PatternPart, starPattern } from '../../../../../src/core/model/wildcards.ts';

test.each([
  ['A100 PCIe 80GB', 'A100*', true],
  ['NVIDIA A100', '*A100', true],
  ['GA100 [A100 PCIe]', '*A100*', true],
  ['A100', 'A100', true],
  ['A100X', 'A100', false],
  ['', '*', true],
  ['', '', true],
  ['a', '', false],
  ['abcabd', '*abd', true],
  ['a.c', 'a?c', false],
])('%j is matched against %j', (text, pattern, expected) => {
  expect(matchesPattern(text, starPattern(pattern))).toBe(expected);
});

describe('the wildcard for one character', () => {
  test('matches a code point', () => {
    expect(matchesPattern('a😀b', ['a', ONE, 'b'])).toBe(true);
    expect(matchesPattern('a😀b', ['a', ONE, ONE, 'b'])).toBe(false);
  });

  test('does not match the empty text', () => {
    expect(matchesPattern('', [ONE])).toBe(false);
  });
});

test('patterns match the same texts as equivalent regular expressions', () => {
  const letter = fc.constantFrom('a', 'b');
  const part = fc.oneof(letter, fc.constant(ONE), fc.constant(MANY));
  const source = (parts: readonly PatternPart[]) =>
    parts.map((each) => (each === MANY ? '.*' : each === ONE ? '.' : each)).join('');
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 12 }), fc.array(part, { maxLength: 8 }), (text, parts) => {
      const whole = text.join('');
      expect(matchesPattern(whole, parts)).toBe(new RegExp(`^${source(parts)}$`).test(whole));
    }),
  );
});

test('a pattern that is exponential as a regular expression takes linear time', () => {
  const pattern = starPattern(`${'*a'.repeat(50)}b`);
  expect(matchesPattern('a'.repeat(100_000), pattern)).toBe(false);
});
