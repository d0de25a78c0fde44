/** The sizes of caches from the rounded texts of lscpu. */
import { expect, test } from 'vitest';
import { cacheSize } from '../../../../src/core/observe/caches.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

test.each<[string, 'l1d' | 'l2' | 'l3', number | undefined]>([
  ['3.8 MiB (80 instances)', 'l1d', 48 * KIB],
  ['2.5 MiB (80 instances)', 'l1d', 32 * KIB],
  ['1.3 MiB (40 instances)', 'l1d', 32 * KIB],
  ['768 KiB (24 instances)', 'l1d', 32 * KIB],
  ['1 MiB (32 instances)', 'l1d', 32 * KIB],
  ['4 MiB (128 instances)', 'l1d', 32 * KIB],
  ['100 MiB (80 instances)', 'l2', 1.25 * MIB],
  ['24 MiB (24 instances)', 'l2', MIB],
  ['38.5 MiB (2 instances)', 'l3', 19.25 * MIB],
  ['71.5 MiB (2 instances)', 'l3', 35.75 * MIB],
  ['120 MiB (2 instances)', 'l3', 60 * MIB],
  ['32K', 'l1d', 32 * KIB],
  ['1 GiB (1 instance)', 'l2', undefined],
  ['1.1 KiB (3 instances)', 'l1d', undefined],
  ['1 MiB (0 instances)', 'l1d', undefined],
  ['large', 'l1d', undefined],
])('%s of %s is %s', (text, level, expected) => {
  expect(cacheSize(text, level)).toBe(expected);
});
