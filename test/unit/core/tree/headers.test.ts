import { expect, test } from 'vitest';
import { commonHeaders, preferredCoding } from '../../../../src/core/tree/headers.ts';

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

const PLAIN = {
  dialect: 'current',
  strictTransportSecurity: undefined,
  basePath: '/api',
  license: undefined,
  sunset: undefined,
  hasExplorer: true,
} as const;

// RFC 8594 and RFC 9745. 2026-12-01T00:00:00Z is 1796083200.
test('a planned end is announced with its dates and its page', () => {
  const sunset = { date: '2027-06-30', deprecated: '2026-12-01', link: 'https://example.org/next' };
  const headers = commonHeaders({ ...PLAIN, sunset });
  expect(headers).toMatchObject({ Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT', Deprecation: '@1796083200' });
  expect(headers['Link']).toContain('<https://example.org/next>; rel=sunset');
  expect(headers['Access-Control-Expose-Headers']).toContain('Deprecation, Sunset');
  expect(commonHeaders({ ...PLAIN, sunset: { date: '2027-06-30' } })).not.toHaveProperty('Deprecation');
  expect(commonHeaders(PLAIN)).not.toHaveProperty('Sunset');
});

test('the links name the licence, and the linkset of the explorer', () => {
  const { Link: link } = commonHeaders({ ...PLAIN, license: 'CC-BY-4.0' });
  expect(link).toContain('<https://spdx.org/licenses/CC-BY-4.0>; rel=license');
  expect(link).toContain('</api/explorer/dataset.linkset>; rel=linkset; type="application/linkset+json"');
  expect(commonHeaders({ ...PLAIN, hasExplorer: false })['Link']).not.toContain('linkset');
});
