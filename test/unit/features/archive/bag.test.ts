import { expect, test } from 'vitest';
import { bagManifest, readBagManifest } from '../../../../src/features/archive/bag.ts';

const LINES = [
  { sha256: 'a'.repeat(64), file: 'data/a b.txt' },
  { sha256: '0'.repeat(64), file: 'data/c.json' },
];
const TEXT = `${'a'.repeat(64)}  data/a b.txt\n${'0'.repeat(64)}  data/c.json\n`;

test('a manifest is written as sha256sum reads it, and read back', () => {
  expect(bagManifest(LINES)).toBe(TEXT);
  expect(readBagManifest(TEXT)).toEqual(LINES);
  expect(readBagManifest('')).toEqual([]);
});

test.each([
  ['without an end of its last line', TEXT.slice(0, -1)],
  ['with an empty line', `${TEXT}\n`],
  ['with a digest in capitals', TEXT.toUpperCase()],
  ['with one space', TEXT.replace('  data', ' data')],
  ['with the mark of binary files', TEXT.replace('  data', ' *data')],
  ['with a short digest', TEXT.slice(1)],
])('a manifest %s is not read', (_, text) => {
  expect(readBagManifest(text)).toBeUndefined();
});
