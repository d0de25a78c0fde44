/** The longest settings fit in the files of each host. test/e2e/hosts/starting.test.ts tests real servers. */
import { expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { hostNamed } from '../../../../src/core/hosts/all.ts';
import { hostRules } from '../../../../src/core/hosts/rules.ts';
import { configurationSchema, DIALECTS } from '../../../../src/core/model/configuration.ts';
import { LONGEST_BASE_PATH, LONGEST_SETTINGS } from '../../../support/values/longest-settings.ts';

/** The longest line that a host accepts, in characters, without the quotes and names around a pattern. */
const LIMITS = [
  ['nginx', 4095],
  ['htaccess', 8190],
  ['cloudflare-pages', 2000],
  ['cloudflare-workers', 2000],
  ['vercel', 4096],
] as const;

test.each(LIMITS.flatMap((limit) => DIALECTS.map((dialect) => [...limit, dialect] as const)))(
  '%s: every line has at most %i characters (%s)',
  (name, most, dialect) => {
    const host = hostNamed(name);
    const configuration = configurationSchema().parse({
      ...LONGEST_SETTINGS,
      cluster_uid: 'main',
      dialect,
      base_path: LONGEST_BASE_PATH,
    });
    const rules = hostRules({
      configuration,
      cacheControl: CACHE_CONTROL,
      redirects: [],
      lastModified: 'Wed, 25 Feb 2026 08:00:00 GMT',
    });
    const files = host?.files(rules) ?? new Map<string, string>();
    const lines = [...files.values()].flatMap((text) => text.split('\n'));
    expect(lines).not.toEqual([]);
    expect(lines.filter((line) => line.trim().length > most)).toEqual([]);
  },
);
