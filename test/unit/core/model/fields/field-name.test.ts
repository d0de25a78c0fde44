import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldName, wayOfField } from '../../../../../src/core/model/fields/field-name.ts';
import { text } from '../../../../support/arbitraries.ts';

test('names join what stands on the way, and quote what would be taken for something else', () => {
  expect(fieldName(['main_memory', 'ram_size'])).toBe('main_memory.ram_size');
  expect(fieldName(['network', 'eth0.1', 'a"b', ''])).toBe('network."eth0.1"."a""b".""');
  expect([['site'], ['label', 'gpu'], ['x', 'site']].map(fieldName)).toEqual([
    '"site"',
    '"label".gpu',
    'x.site',
  ]);
});

test('a name says the way that it was made of', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (way) => {
      expect(wayOfField(fieldName(way))).toEqual(way);
    }),
  );
});

test('what is no name says no way', () => {
  expect(['', '.', 'a.', '.a', 'a..b', 'a"b', '"a', '"a"b'].map(wayOfField)).toEqual(
    Array.from({ length: 8 }, () => undefined),
  );
});
