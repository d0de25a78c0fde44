import { expect, test } from 'vitest';
import { MESSAGES } from '../../../../src/core/diagnostics/messages.ts';
import { plural, shortId } from '../../../../src/core/diagnostics/words.ts';

test('codes are in kebab-case', () => {
  expect(Object.keys(MESSAGES).filter((code) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(code))).toEqual([]);
});

test.each([
  [0, 'files', '0 files'],
  [1, 'files', '1 file'],
  [2, 'files', '2 files'],
  [1_000_000, 'files', '1,000,000 files'],
])('plural(%i)', (count, _, text) => {
  expect(plural(count, 'file')).toBe(text);
});

test('plural of a word that is not regular', () => {
  expect([plural(1, 'alias', 'aliases'), plural(2, 'alias', 'aliases')]).toEqual(['1 alias', '2 aliases']);
});

test('shortId is eight digits', () => {
  expect(shortId('0123456789abcdef')).toBe('01234567');
});
