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
])('%j against %j', (text, pattern, expected) => {
  expect(matchesPattern(text, starPattern(pattern))).toBe(expected);
});

describe('one character', () => {
  test('is a code point', () => {
    expect(matchesPattern('a😀b', ['a', ONE, 'b'])).toBe(true);
    expect(matchesPattern('a😀b', ['a', ONE, ONE, 'b'])).toBe(false);
  });

  test('is there', () => {
    expect(matchesPattern('', [ONE])).toBe(false);
  });
});

test('agrees with regular expressions', () => {
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

test('a pattern that makes regular expressions go on for ever takes no time', () => {
  const pattern = starPattern(`${'*a'.repeat(50)}b`);
  expect(matchesPattern('a'.repeat(100_000), pattern)).toBe(false);
});
