import { describe, expect, test } from 'vitest';
import { azure } from '../../../../src/core/hosts/azure.ts';
import { CASES } from './support/cases.ts';
import { expectFiles, fixtureRules, redirectsOfSites } from './support/fixture.ts';

describe.each(CASES)('Azure Static Web Apps, %s dialect, prefix "%s"', (dialect, prefix) => {
  test('writes these files', () => {
    expectFiles(azure, dialect, prefix);
  });
});

test('the configuration stays within 20 KB for any number of sites', () => {
  const lines = (sites: number) => {
    const rules = fixtureRules('legacy', '/api/v1', redirectsOfSites(sites));
    const text = azure.files(rules).get('staticwebapp.config.json') ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    return text.match(/"redirect"/g)?.length;
  };
  expect([lines(20), lines(1000)]).toEqual([70, 10]);
});
