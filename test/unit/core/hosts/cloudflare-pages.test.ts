import { describe, expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { cloudflarePages } from '../../../../src/core/hosts/cloudflare-assets.ts';
import { answeredForms } from '../../../../src/core/tree/url-forms.ts';
import { CASES } from './support/cases.ts';
import { examples, rawExamples } from './support/examples.ts';
import { expectFiles, fixtureRules, REVISION, redirectsOfSites } from './support/fixture.ts';
import { cloudflareHeaders, cloudflareRedirect, readHeaderRules, readRedirectRules } from './support/rule-files.ts';

describe.each(CASES)('Cloudflare Pages, %s dialect, prefix "%s"', (dialect, prefix) => {
  const rules = fixtureRules(dialect, prefix);
  const files = cloudflarePages.files(rules);
  const headerRules = readHeaderRules(files.get('_headers') ?? '');
  const redirectRules = readRedirectRules(files.get('_redirects') ?? '');

  test('writes these files', () => {
    expectFiles(cloudflarePages, dialect, prefix);
  });

  test('gives every form of a path the media type of its class', () => {
    for (const { url, answered } of examples(rules)) {
      const found = answeredForms(url).map((form) => cloudflareHeaders(headerRules, prefix + form)['Content-Type']);
      const wanted = answeredForms(url).map((form) =>
        form.endsWith('.json') ? 'application/json' : answered.mediaType,
      );
      expect([url, found]).toEqual([url, wanted]);
    }
  });

  test('gives every form of a path the cache class of its endpoint, and redirects none', () => {
    const redirected = ['/versions/latest', '/sites/versions/latest', '/sites/jobs/versions/latest'];
    for (const { url, answered } of examples(rules)) {
      const wanted = redirected.includes(url) ? undefined : CACHE_CONTROL[answered.cache];
      const found = answeredForms(url).map((form) => cloudflareHeaders(headerRules, prefix + form)['Cache-Control']);
      expect([url, ...found]).toEqual([url, ...answeredForms(url).map(() => wanted)]);
    }
  });

  test('gives index files a short cache time', () => {
    for (const path of ['/index.json', '/versions/index.json', '/sites/versions/index.json', '/snapshots/index.json']) {
      const { 'Cache-Control': found } = cloudflareHeaders(headerRules, prefix + path);
      expect([path, found]).toEqual([path, CACHE_CONTROL.mutable]);
    }
  });

  test('maps every form of a path to the file of its document', () => {
    for (const { url } of examples(rules)) {
      const file = url === '/' ? '/index.json' : `${url}.json`;
      const found = answeredForms(url).map((form) => cloudflareRedirect(redirectRules, prefix + form));
      const rewritten = found.filter((rule) => rule?.status === '200').map((rule) => rule?.to);
      const isRedirected = url === '/versions/latest' || url === '/sites/versions/latest';
      expect([url, ...rewritten]).toEqual([url, ...(isRedirected ? [] : answeredForms(url).map(() => prefix + file))]);
    }
  });

  test('serves raw documents unchanged, with their media type and a short cache time', () => {
    for (const { url, mediaType } of rawExamples(rules)) {
      const { 'Content-Type': type, 'Cache-Control': cache } = cloudflareHeaders(headerRules, prefix + url);
      const rewritten = cloudflareRedirect(redirectRules, prefix + url);
      expect([url, type, cache, rewritten?.status, rewritten?.to]).toEqual([
        ...[url, mediaType, CACHE_CONTROL.mutable, '200', prefix + url],
      ]);
    }
  });

  test('redirects the latest versions of the root, of sites and of their collection', () => {
    for (const form of ['', '/', '.json']) {
      expect(cloudflareRedirect(redirectRules, `${prefix}/sites/lyra/versions/latest${form}`)).toEqual({
        from: `${prefix}/sites/lyra/versions/latest${form}`,
        to: `${prefix}/sites/lyra/versions/${REVISION}`,
        status: '307',
      });
    }
  });
});

test('the rules stay within the limits of the host for any number of sites', () => {
  const PAGES = 4;
  for (const [sites, redirected] of [
    [658, 660],
    [659, 2],
    [100_000, 2],
  ] as const) {
    const rules = fixtureRules('legacy', '', redirectsOfSites(sites));
    const files = cloudflarePages.files(rules);
    const redirects = readRedirectRules(files.get('_redirects') ?? '');
    expect(redirects.filter(({ status }) => status === '307')).toHaveLength(redirected * 3 + PAGES);
    expect(redirects.filter(({ from }) => !from.includes('*')).length).toBeLessThanOrEqual(2000);
    expect(readHeaderRules(files.get('_headers') ?? '').length).toBeLessThanOrEqual(100);
  }
});
