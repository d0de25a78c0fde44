import { expect, test } from 'vitest';
import { RAW_FORMS, rawContentType } from '../../../../src/core/api/raw-forms.ts';

test('content types of text name their charset', () => {
  expect(rawContentType({ mediaType: 'text/csv' })).toBe('text/csv; charset=utf-8');
  expect(rawContentType(RAW_FORMS.atom)).toBe('application/atom+xml');
});

test('no suffix equals another one or that of JSON', () => {
  const endings = Object.values(RAW_FORMS).map(({ ending }) => ending);
  expect(new Set([...endings, '.json', '.gz', '.br']).size).toBe(endings.length + 3);
});
