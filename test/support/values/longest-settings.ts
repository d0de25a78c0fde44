/** The longest values of all settings that host configurations contain. */
import type { Configuration } from '../../../src/core/model/configuration.ts';
import { LONGEST_IN_HOSTS, MOST_KINDS } from '../../../src/core/model/configuration-parts.ts';

const { base_path, vendor, license, sunset_link, kind } = LONGEST_IN_HOSTS;

export const LONGEST_BASE_PATH = `/${'a.'.repeat(base_path)}`.slice(0, base_path - 1).concat('z');

export const LONGEST_SETTINGS = {
  vendor: 'v'.repeat(vendor),
  citation: { license: 'L'.repeat(license) },
  headers: { strict_transport_security: 'max-age=9999999999; includeSubDomains; preload' },
  sunset: { date: '2027-06-30', deprecated: '2026-06-30', link: 'https://example.org/'.padEnd(sunset_link, 'x') },
  explorer: { redirect_browsers: true },
  kinds: Array.from({ length: MOST_KINDS }, (_, i) => ({
    name: `k${i}`.padEnd(kind, '_'),
    collection: `c${i}`.padEnd(kind, '_'),
    parent: i % 2 === 0 ? ('site' as const) : ('cluster' as const),
  })),
} satisfies Partial<Configuration>;
