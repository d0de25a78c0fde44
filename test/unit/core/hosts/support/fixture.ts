/** Rules to configure hosts from, and the comparison with expected files. */

import { join } from 'node:path';
import { CACHE_CONTROL } from '../../../../../src/core/api/endpoints.ts';
import { latestVersionUrl, versionUrl } from '../../../../../src/core/api/urls.ts';
import type { Host } from '../../../../../src/core/hosts/host.ts';
import { type HostRules, hostRules, type Redirect } from '../../../../../src/core/hosts/rules.ts';
import { type Configuration, configurationSchema } from '../../../../../src/core/model/configuration.ts';
import { expectFiles as expectFolder } from '../../../../support/trees/expected-files.ts';

export const REVISION = '91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1';
const OLDER = '46455c8c54dfd2b3e3f9a1a6c6f0e0b1c2d3e4f5';

/** Resources of a small testbed, each with the revision that changed it last. */
const TOUCHED: readonly (readonly [path: string, revision: string])[] = [
  ['', REVISION],
  ['sites', REVISION],
  ['sites/lyra', REVISION],
  ['sites/lyra/clusters', REVISION],
  ['sites/lyra/clusters/main', REVISION],
  ['sites/lyra/clusters/main/nodes', REVISION],
  ['sites/lyra/clusters/main/nodes/7c9e6679-7425-40de-944b-e07fc1f90ae7', OLDER],
  ['sites/vega', OLDER],
  ['sites/vega/clusters', OLDER],
];

/** Paths of removed items. */
export const GONE = [
  '/sites/dune',
  '/sites/lyra/clusters/main/nodes/0b6d9e4c-1f3a-4c52-8d7e-9a1b2c3d4e5f',
  '/sites/lyra/clusters/main/nodes/m1.spare',
];

export function fixtureRules(
  dialect: Configuration['dialect'],
  prefix: string,
  redirects: readonly Redirect[] = fixtureRedirects(),
  tombstones: readonly string[] = GONE,
): HostRules {
  const configuration = configurationSchema().parse({
    cluster_uid: 'main',
    vendor: 'example',
    dialect,
    base_path: prefix,
    headers: { strict_transport_security: 'max-age=31536000' },
  });
  return hostRules({
    configuration,
    cacheControl: CACHE_CONTROL,
    redirects,
    tombstones,
    lastModified: 'Wed, 25 Feb 2026 08:00:00 GMT',
  });
}

function fixtureRedirects(): Redirect[] {
  return TOUCHED.map(([path, revision]) => ({ from: latestVersionUrl(path), to: versionUrl(path, revision) }));
}

/** The redirects of a testbed with many sites. */
export function redirectsOfSites(count: number): Redirect[] {
  const paths = ['', 'sites', ...Array.from({ length: count }, (_, i) => `sites/site-${i}`)];
  return paths.map((path) => ({ from: latestVersionUrl(path), to: versionUrl(path, REVISION) }));
}

/** Compares complete files with `expected/{host}/{case}`. */
export function expectFiles(host: Host, dialect: Configuration['dialect'], prefix: string): void {
  const name = prefix === '' ? dialect : `${dialect}-prefixed`;
  expectFolder(join(import.meta.dirname, '..', 'expected', host.name, name), host.files(fixtureRules(dialect, prefix)));
}
