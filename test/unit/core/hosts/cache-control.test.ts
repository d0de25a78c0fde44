import { expect, test } from 'vitest';
import { cacheControlOf } from '../../../../src/core/api/endpoints.ts';
import { HOSTS } from '../../../../src/core/hosts/all.ts';
import type { Host } from '../../../../src/core/hosts/host.ts';
import { fixtureRules } from './support/fixture.ts';

/** The configuration of a host in a tree with this `max_age`. */
function textOf(host: Host, maxAge: number): string {
  const rules = { ...fixtureRules('current', ''), cacheControl: cacheControlOf(maxAge) };
  const lines = [host.listing?.head(rules), host.listing?.lines(rules, { path: '/sites', file: 'sites.json' })];
  return [...host.files(rules)].flat().concat(lines.map(String)).join('\n');
}

test.each(HOSTS)('the configuration of $name states max_age, and is the same otherwise', (host) => {
  const usual = textOf(host, 60);
  expect(textOf(host, 86_400)).toBe(usual.replaceAll('max-age=60, s-maxage=60', 'max-age=86400, s-maxage=86400'));
  if (host.name !== 'github-pages' && host.name !== 'serve-handler') expect(usual).toContain('max-age=60, s-maxage=60');
});
