/** The limitations of hosts, and the pages that list them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../../src/core/hosts/all.ts';
import type { Capability } from '../../../../src/core/hosts/host.ts';
import { hostsDocument } from '../../../../src/core/hosts/matrix.ts';
import { explains } from '../../../../src/core/hosts/probe/probe.ts';

const PAGES = join(import.meta.dirname, '../../../../docs/hosts');

test('docs/hosts/README.md is the output of `gridpress hosts --markdown`', () => {
  expect(readFileSync(join(PAGES, 'README.md'), 'utf8')).toBe(hostsDocument(HOSTS));
});

test('each host has a page', () => {
  expect(readdirSync(PAGES).sort()).toEqual([...HOSTS.map(({ name }) => `${name}.md`), 'README.md'].sort());
});

describe.each(HOSTS.map((host) => [host.name, host] as const))('docs/hosts/%s.md', (name, { shortcomings, limits }) => {
  const page = readFileSync(join(PAGES, `${name}.md`), 'utf8');

  test('lists the limitations of the host', () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (no|partly) \| \S/gm)].map(([, ...cells]) => cells.join(' '));
    const expected = shortcomings.map(({ capability, extent }) => `${capability} ${extent === 'none' ? 'no' : extent}`);
    expect(rows.sort()).toEqual(expected.sort());
  });

  test('lists the limits of the host', () => {
    const section = page.split('\n## Limits\n')[1] ?? '';
    const numbers = [...section.matchAll(/\| (\d[\d,]*) (?=\|)/g)].map(([, number = '']) => number.replaceAll(',', ''));
    const isPaid = limits.some(({ paid }) => paid !== undefined);
    expect(numbers).toEqual(limits.flatMap(({ most, paid = most }) => (isPaid ? [most, paid] : [most])).map(String));
  });
});

/** Failures of a probe if files are missing or wrong. */
const FAULTS: readonly (readonly [Capability, request: string, message: string])[] = [
  ['url-forms', '/sites/', 'answers 301'],
  ['media-types', '/sites.json', 'is text/html, not application/json'],
  ['cache-classes', '/', 'has Cache-Control: no-store, not public, max-age=60, s-maxage=60'],
  ['etag', '/', 'has no ETag'],
  ['etag', '/ with If-None-Match: "0c5f"', 'answers 200, not 304'],
  ['head', 'HEAD /', 'has another etag than GET'],
  ['not-found', '/nope', 'answers 200, not 404'],
  ['not-found', '/sites/nope', 'answers 500, not 404'],
  ['not-found', '/_pretty/sites', 'answers 200, not 404'],
  ['method-not-allowed', 'POST /', 'answers 200, not 405'],
  ['precompressed', '/ with Accept-Encoding: br', 'holds another document'],
  ['gone', '/sites/lyra', 'answers 404, not 410'],
  ['gone', '/sites/lyra/clusters/main', 'answers 200, not 410'],
  ['gone', '/sites/lyra/clusters/main', 'is not its own tombstone'],
  ['latest', '/versions/latest', 'answers 200, not 307'],
  ['latest', '/versions/latest', 'leads to /versions/0000000000000000000000000000000000000000'],
  ['queries', '/?limit=500&offset=0', 'is not the plain document'],
];

describe.each(HOSTS.map((host) => [host.name, host] as const))('the limitations of %s', (_, { shortcomings }) => {
  test.each(FAULTS)('do not excuse the failure of %s: %s %s', (capability, request, message) => {
    const excuses = shortcomings.filter(
      (shortcoming) =>
        shortcoming.extent === 'partly' &&
        shortcoming.capability === capability &&
        explains(shortcoming, { request, message }),
    );
    expect(excuses).toEqual([]);
  });

  test('include each capability once', () => {
    const capabilities = shortcomings.map(({ capability }) => capability);
    expect(capabilities).toEqual([...new Set(capabilities)]);
  });
});
