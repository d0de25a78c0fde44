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

test('max-files names the settings that fit', () => {
  const fixOf = (settings: readonly string[], isComplete = true) =>
    MESSAGES['max-files'].text({ files: 2, limit: 1, isComplete, causes: [['resources', 2]], settings }).fix;
  expect(fixOf([])).toBe('Files: 2 for resources. No settings make the tree fit. Raise max_files.');
  expect(fixOf(['snapshots: auto', 'timemaps: false'], false)).toBe(
    'Files counted so far: 2 for resources. The tree fits with these lines in gridpress.yaml, in place of other values and options: snapshots: auto; timemaps: false. Or raise max_files.',
  );
});

test('no-answer tells what to do about a certificate', () => {
  const fixOf = (reason: string) => MESSAGES['no-answer'].text({ url: 'https://api.example.org/', reason }).fix;
  expect(fixOf('no answer in time')).toBe('Check the URL, and that the server is running.');
  const certificates = ['self-signed certificate', 'unable to verify the first certificate'].map(fixOf);
  expect(new Set(certificates)).toEqual(
    new Set([
      'Check the certificate of the server. If your own authority signed it, set NODE_EXTRA_CA_CERTS to the file with the certificate of this authority.',
    ]),
  );
});
