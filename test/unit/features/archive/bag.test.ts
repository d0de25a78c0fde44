import { expect, test } from 'vitest';
import { bagManifest, readBagManifest } from '../../../../src/features/archive/bag.ts';

const LINES = [
  { sha256: 'a'.repeat(64), file: 'data/a b.txt' },
  { sha256: '0'.repeat(64), file: 'data/c.json' },
];
const TEXT = `${'a'.repeat(64)}  data/a b.txt\n${'0'.repeat(64)}  data/c.json\n`;

test('a manifest is written in the format of sha256sum, and read back', () => {
  expect(bagManifest(LINES)).toBe(TEXT);
  expect(readBagManifest(TEXT)).toEqual(LINES);
  expect(readBagManifest('')).toEqual([]);
});

test.each([
  ['without a final line break', TEXT.slice(0, -1)],
  ['with an empty line', `${TEXT}\n`],
  ['with an uppercase digest', TEXT.toUpperCase()],
  ['with one space', TEXT.replace('  data', ' data')],
  ['with the marker of binary files', TEXT.replace('  data', ' *data')],
  ['with a short digest', TEXT.slice(1)],
])('a manifest %s is rejected', (_, text) => {
  expect(readBagManifest(text)).toBeUndefined();
});
