import { expect, test } from 'vitest';
import { preferredCoding } from '../../../../src/core/tree/headers.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['BR', 'br'],
  ['gzip, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['gzip, br;q=0', 'gzip'],
  ['br;q=1.0, gzip;q=0', 'br'],
  ['gzip;q=0, br; q=0.0', undefined],
  ['*', 'br'],
  ['*;q=0.5, gzip', 'gzip'],
  ['*;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=nonsense', undefined],
])('Accept-Encoding %j selects %j', (header, coding) => {
  expect(preferredCoding(header)).toBe(coding);
});
