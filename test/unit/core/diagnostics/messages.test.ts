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
])('plural formats %i', (count, _, text) => {
  expect(plural(count, 'file')).toBe(text);
});

test('plural accepts an irregular plural', () => {
  expect([plural(1, 'alias', 'aliases'), plural(2, 'alias', 'aliases')]).toEqual(['1 alias', '2 aliases']);
});

test('shortId returns eight digits', () => {
  expect(shortId('0123456789abcdef')).toBe('01234567');
});

test('max-files suggests only remedies that apply', () => {
  const fixOf = (ways: Partial<Parameters<(typeof MESSAGES)['max-files']['text']>[0]>) =>
    MESSAGES['max-files'].text({
      files: 2,
      limit: 1,
      isComplete: true,
      without: 1,
      snapshots: 0,
      fits: 0,
      causes: [['resources', 2]],
      hasHistory: false,
      hasVersionLinks: false,
      hasIndexFiles: false,
      hasTimemaps: false,
      hasVariants: false,
      ...ways,
    }).fix;
  expect(fixOf({})).toBe('Files: 2 for resources. Raise max_files in gridpress.yaml.');
  expect(fixOf({ hasTimemaps: true })).toBe(
    'Files: 2 for resources. In gridpress.yaml, turn off timemaps, or raise max_files.',
  );
  expect(fixOf({ snapshots: 2, fits: 1, hasHistory: true })).toBe(
    'Files: 2 for resources. Without snapshots, the tree has 1 file, and the newest 1 of 2 snapshots would fit. In gridpress.yaml, reduce snapshots, omit older history with history.since, or raise max_files.',
  );
  expect(fixOf({ snapshots: 2 })).toContain(
    ' Without snapshots, the tree has 1 file, and none of 2 snapshots would fit. ',
  );
  expect(fixOf({ snapshots: 2, without: 2 })).toContain(
    ' Without snapshots, the tree has 2 files, which is still too many. ',
  );
  expect(fixOf({ isComplete: false })).toBe(
    'Files counted so far: 2 for resources. Raise max_files in gridpress.yaml.',
  );
});
