import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIELD_NAME, fieldName, wayOfField } from '../../../../../src/core/model/fields/field-name.ts';
import { text } from '../../../../support/values/arbitraries.ts';

test('names join what stands on the way, and quote what would be taken for something else', () => {
  expect(fieldName(['main_memory', 'ram_size'])).toBe('main_memory.ram_size');
  expect(fieldName(['network', 'eth0.1', 'a"b', ''])).toBe('network."eth0.1"."a""b".""');
  expect([['site'], ['label', 'gpu'], ['x', 'site']].map(fieldName)).toEqual(['"site"', '"label".gpu', 'x.site']);
});

test('a name says the way that it was made of', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (way) => {
      expect(wayOfField(fieldName(way))).toEqual(way);
      expect(fieldName(way)).toMatch(FIELD_NAME);
    }),
  );
});

test('what is no name says no way', () => {
  for (const text of ['', '.', 'a.', '.a', 'a..b', 'a"b', '"a', '"a"b']) {
    expect(wayOfField(text)).toBe(undefined);
    expect(text).not.toMatch(FIELD_NAME);
  }
});
