/** Rules to configure hosts from, and the comparison of a host's files with those that are expected of it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { latestVersionUrl, versionUrl } from '../../../src/api/endpoints.ts';
import type { Host } from '../../../src/hosts/host.ts';
import { type HostRules, hostRules, type Redirect, type Variants } from '../../../src/hosts/rules.ts';
import type { Dialect } from '../../../src/model/configuration.ts';

export const REVISION = '5da059049fb24a6d76435e52538ee1cb47a0545f';
const OLDER = '8f0a710554dfd2b3e3f9a1a6c6f0e0b1c2d3e4f5';

/** Resources of a small testbed, with the revision that touched each last. */
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

export function fixtureRules(
  dialect: Dialect,
  prefix: string,
  variants: Variants,
  redirects: readonly Redirect[] = fixtureRedirects(),
): HostRules {
  return hostRules({
    configuration: {
      cluster_uid: 'main',
      node_uid: 'uuid',
      dialect,
      vendor: 'example',
      release: '1.0.0',
      snapshots: 'all',
      max_files: 1_000_000,
      index_files: false,
      headers: { strict_transport_security: 'max-age=31536000' },
    },
    dialect,
    prefix,
    variants,
    redirects,
  });
}

function fixtureRedirects(): Redirect[] {
  return TOUCHED.map(([path, revision]) => ({
    from: latestVersionUrl(path),
    to: versionUrl(path, revision),
  }));
}

/** The redirects of a testbed with many sites. */
export function redirectsOfSites(count: number): Redirect[] {
  const paths = ['', 'sites', ...Array.from({ length: count }, (_, i) => `sites/site-${i}`)];
  return paths.map((path) => ({ from: latestVersionUrl(path), to: versionUrl(path, REVISION) }));
}

const EXPECTED = join(import.meta.dirname, 'expected');

/** Compares whole files with those in `expected/{host}/{case}`; GRIDPRESS_BLESS=1 writes these anew. */
export function expectFiles(host: Host, dialect: Dialect, prefix: string): void {
  const folder = join(EXPECTED, host.name, prefix === '' ? dialect : `${dialect}-prefixed`);
  const files = Object.fromEntries(host.files(fixtureRules(dialect, prefix, host.variants)));
  if (process.env['GRIDPRESS_BLESS'] === '1') bless(folder, files);
  expect(files).toEqual(filesIn(folder));
}

function bless(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}
