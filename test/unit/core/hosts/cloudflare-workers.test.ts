import { describe, expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { cloudflareWorkers } from '../../../../src/core/hosts/cloudflare-assets.ts';
import { answeredForms } from '../../../../src/core/tree/url-forms.ts';
import { CASES } from './support/cases.ts';
import { examples } from './support/examples.ts';
import { expectFiles, fixtureRules } from './support/fixture.ts';
import { cloudflareHeaders, readHeaderRules } from './support/rule-files.ts';

describe.each(CASES)('Cloudflare Workers, %s dialect, prefix "%s"', (dialect, prefix) => {
  test('writes these files', () => {
    expectFiles(cloudflareWorkers, dialect, prefix);
  });

  test('never caches for a year, because the same rules apply to missing paths, and redirects have no cache class', () => {
    const rules = fixtureRules(dialect, prefix);
    const headerRules = readHeaderRules(cloudflareWorkers.files(rules).get('_headers') ?? '');
    const redirected = ['/versions/latest', '/sites/versions/latest', '/sites/jobs/versions/latest'];
    for (const { url } of examples(rules)) {
      const wanted = redirected.includes(url) ? undefined : CACHE_CONTROL.mutable;
      const found = answeredForms(url).map((form) => cloudflareHeaders(headerRules, prefix + form)['Cache-Control']);
      expect([url, ...found]).toEqual([url, ...answeredForms(url).map(() => wanted)]);
    }
  });
});

test('without redirects, no rule detaches Cache-Control', () => {
  const rules = fixtureRules('current', '', []);
  expect(cloudflareWorkers.files(rules).get('_headers')).not.toContain('! Cache-Control');
});
