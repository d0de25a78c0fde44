import { expect, test } from 'vitest';
import { RAW_FORMS, rawContentType } from '../../../../src/core/api/raw-forms.ts';

test('texts name their characters', () => {
  expect(rawContentType({ mediaType: 'text/csv' })).toBe('text/csv; charset=utf-8');
  expect(rawContentType(RAW_FORMS.atom)).toBe('application/atom+xml');
});

test('no ending is another, nor that of JSON', () => {
  const endings = Object.values(RAW_FORMS).map(({ ending }) => ending);
  expect(new Set([...endings, '.json', '.gz', '.br']).size).toBe(endings.length + 3);
});
