import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIELD_NAME, fieldName, pathOfField } from '../../../../../src/core/model/fields/field-name.ts';
import { text } from '../../../../support/values/arbitraries.ts';

test('a name joins the steps of a path, and quotes special characters', () => {
  expect(fieldName(['main_memory', 'ram_size'])).toBe('main_memory.ram_size');
  expect(fieldName(['network', 'eth0.1', 'a"b', ''])).toBe('network."eth0.1"."a""b".""');
  expect([['site'], ['label', 'gpu'], ['x', 'site']].map(fieldName)).toEqual(['"site"', '"label".gpu', 'x.site']);
});

test('a name is parsed back to its path', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (way) => {
      expect(pathOfField(fieldName(way))).toEqual(way);
      expect(fieldName(way)).toMatch(FIELD_NAME);
    }),
  );
});

test('an invalid name has no path', () => {
  for (const text of ['', '.', 'a.', '.a', 'a..b', 'a"b', '"a', '"a"b']) {
    expect(pathOfField(text)).toBe(undefined);
    expect(text).not.toMatch(FIELD_NAME);
  }
});
