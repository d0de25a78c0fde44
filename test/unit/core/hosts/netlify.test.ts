import { describe, expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { netlify } from '../../../../src/core/hosts/netlify.ts';
import { CASES } from './support/cases.ts';
import { examples, rawExamples } from './support/examples.ts';
import { expectFiles, fixtureRules, GONE, redirectsOfSites } from './support/fixture.ts';
import { netlifyHeaders, readHeaderRules, readRedirectRules } from './support/rule-files.ts';

describe.each(CASES)('Netlify, %s dialect, prefix "%s"', (dialect, prefix) => {
  test('writes these files', () => {
    expectFiles(netlify, dialect, prefix);
  });

  test('gives paths and their index files the media type of their class and a short cache time', () => {
    const rules = fixtureRules(dialect, prefix);
    const headerRules = readHeaderRules(netlify.files(rules).get('_headers') ?? '');
    for (const { url, answered } of examples(rules)) {
      const forms = url === '/' ? ['/', '/index.json'] : [url, `${url}/`, `${url}/index.json`];
      for (const form of forms) {
        const headers = netlifyHeaders(headerRules, prefix + form);
        expect([form, headers['Content-Type'], headers['Cache-Control'], headers['Allow']]).toEqual([
          form,
          answered.mediaType,
          CACHE_CONTROL.mutable,
          undefined,
        ]);
      }
    }
    for (const { url, mediaType } of rawExamples(rules))
      expect([url, netlifyHeaders(headerRules, prefix + url)['Content-Type']]).toEqual([url, mediaType]);
  });

  test('answers removed resources with 410 and their tombstone, before any document', () => {
    const rules = fixtureRules(dialect, prefix);
    const files = netlify.files(rules);
    const redirects = readRedirectRules(files.get('_redirects') ?? '');
    for (const path of GONE) {
      for (const from of [path, `${path}.json`]) {
        const found = redirects.find((rule) => rule.from === prefix + from || rule.from.endsWith('*'));
        const to = `${prefix}/_gone${path}.json`;
        expect(found).toEqual({ from: prefix + from, to, status: '410' });
      }
    }
    const headers = netlifyHeaders(readHeaderRules(files.get('_headers') ?? ''), `${prefix}/_gone/sites/dune.json`);
    expect(headers['Content-Type']).toBe('application/problem+json');
  });
});

test('removed resources have redirect rules as long as all of a level fit', () => {
  const count = (nodes: number) => {
    const uids = Array.from({ length: nodes }, (_, i) => `node-${i}`);
    const gone = ['/sites/dune', ...uids.map((uid) => `/sites/lyra/clusters/main/nodes/${uid}`)];
    const rules = fixtureRules('current', '', redirectsOfSites(8), gone);
    const redirects = readRedirectRules(netlify.files(rules).get('_redirects') ?? '');
    return redirects.filter(({ status }) => status === '410').length;
  };
  expect([count(488), count(489)]).toEqual([978, 2]);
});

test('there are at most 1,000 redirects for any number of sites', () => {
  const count = (sites: number) => {
    const rules = fixtureRules('current', '', redirectsOfSites(sites));
    const redirects = readRedirectRules(netlify.files(rules).get('_redirects') ?? '');
    return redirects.filter(({ status }) => status === '307!').length;
  };
  expect([count(497), count(498)]).toEqual([1000, 6]);
});
