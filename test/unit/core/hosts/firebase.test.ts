import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { firebase } from '../../../../src/core/hosts/firebase.ts';
import { answeredForms } from '../../../../src/core/tree/url-forms.ts';
import { CASES } from './support/cases.ts';
import { examples, rawExamples } from './support/examples.ts';
import { expectFiles, fixtureRules, REVISION, redirectsOfSites } from './support/fixture.ts';

const configurationSchema = z.object({
  hosting: z.object({
    redirects: z.array(z.object({ regex: z.string(), destination: z.string(), type: z.number() })),
    headers: z.array(
      z.object({ regex: z.string(), headers: z.array(z.object({ key: z.string(), value: z.string() })) }),
    ),
  }),
});

function configured(rules: ReturnType<typeof fixtureRules>) {
  return configurationSchema.parse(JSON.parse(firebase.files(rules).get('firebase.json') ?? '')).hosting;
}

describe.each(CASES)('Firebase, %s dialect, prefix "%s"', (dialect, prefix) => {
  const rules = fixtureRules(dialect, prefix);
  const { headers, redirects } = configured(rules);
  /** The later of two rules for a header applies. */
  const headersOf = (path: string) =>
    Object.fromEntries(
      headers
        .filter(({ regex }) => new RegExp(regex).test(path))
        .flatMap((rule) => rule.headers.map(({ key, value }) => [key, value])),
    );

  test('writes these files', () => {
    expectFiles(firebase, dialect, prefix);
  });

  test('gives every form of a path the media type of its class and a short cache time', () => {
    for (const { url, answered } of examples(rules)) {
      for (const form of answeredForms(url)) {
        const { 'Content-Type': type, 'Cache-Control': cache } = headersOf(prefix + form);
        expect([form, type, cache]).toEqual([
          form,
          form.endsWith('.json') ? 'application/json' : answered.mediaType,
          CACHE_CONTROL.mutable,
        ]);
      }
    }
  });

  test('gives raw documents their media type', () => {
    for (const { url, mediaType } of rawExamples(rules))
      expect([url, headersOf(prefix + url)['Content-Type']]).toEqual([url, mediaType]);
  });

  test('redirects the latest versions of the root, of sites and of their collection', () => {
    for (const form of answeredForms('/sites/lyra/versions/latest')) {
      const found = redirects.filter(({ regex }) => new RegExp(regex).test(prefix + form));
      expect(found.map(({ destination, type }) => [destination, type])).toEqual([
        [`${prefix}/sites/lyra/versions/${REVISION}`, 307],
      ]);
    }
  });
});

test('there are at most 200 redirects for any number of sites', () => {
  const count = (sites: number) => configured(fixtureRules('current', '', redirectsOfSites(sites))).redirects.length;
  expect([count(196), count(197)]).toEqual([200, 4]);
});
