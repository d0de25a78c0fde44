/** The sample registry's tree with one snapshot, built for a host. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../../../src/core/hosts/host.ts';
import { type Configuration, configurationSchema } from '../../../src/core/model/configuration.ts';
import { build } from '../../../src/features/build/build.ts';
import type { BuildOptions } from '../../../src/features/build/build-options.ts';
import { newFolder } from '../folders.ts';

const REGISTRY = join(import.meta.dirname, '../../../registry-data');

const CONFIGURATION: Partial<Configuration> = {
  cluster_uid: 'main',
  vendor: 'meridian',
  release: '3.2',
  headers: { strict_transport_security: 'max-age=63072000; includeSubDomains' },
  citation: { license: 'CC-BY-4.0' },
  sunset: { date: '2027-06-30', deprecated: '2026-12-01', link: 'https://example.org/next?a=b&c=d' },
};

export interface HostTree {
  /** The document root. It contains the tree, below the prefix if there is one. */
  readonly root: string;
  readonly tree: string;
  readonly prefix: string;
}

export async function hostTree(
  host: Host | readonly Host[],
  dialect: Configuration['dialect'],
  prefix: string,
  options: Pick<BuildOptions, 'precompressed'> = {},
  configuration: Partial<Configuration> = {},
): Promise<HostTree> {
  const folder = newFolder();
  // Servers started by root switch to another user.
  chmodSync(folder, 0o755);
  const config = join(folder, 'gridpress.yaml');
  writeFileSync(config, JSON.stringify({ ...CONFIGURATION, ...configuration, base_path: prefix }));
  const root = join(folder, 'root');
  const tree = join(root, prefix);
  const snapshots = [middleRevision()];
  await build({
    registry: REGISTRY,
    config,
    dialect,
    snapshots,
    hosts: [host].flat().map(({ name }) => name),
    out: tree,
    showsProgress: false,
    ...options,
  });
  return { root, tree, prefix };
}

/** A revision from the middle of the history, with a snapshot that differs from the head. */
function middleRevision(): string {
  const files = readdirSync(join(REGISTRY, 'history')).sort();
  const [, id] = /-([0-9a-f]+)\.yaml$/.exec(files[Math.floor(files.length / 2)] ?? '') ?? [];
  return configurationSchema().shape.snapshots.parse([id])[0] ?? '';
}
