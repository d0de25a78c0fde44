/** The manifest of a tree that `build --at` would make, without the tree: everything is rendered, and nothing kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { wholeManifest } from '../../system/trees/manifest-file.ts';
import { digestingWriter } from '../../system/trees/tree-writer.ts';
import type { Sources } from '../sources/load-sources.ts';
import type { BuildOptions } from './build-options.ts';
import type { HostingOptions } from './hosting.ts';
import { planBuild } from './plan-build.ts';
import type { PublicationOptions } from './publication-of.ts';
import { writeTree } from './write-tree.ts';

export type ManifestOptions = Required<PublicationOptions> &
  HostingOptions &
  Pick<BuildOptions, 'showsProgress'>;

export async function manifestAt(sources: Sources, options: ManifestOptions): Promise<Manifest> {
  const planned = planBuild(sources, options);
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  try {
    await writeTree({
      ...{ ...planned, sources: '', reuses: false },
      ...{ stage: { out: folder, next: folder }, spool: digestingWriter() },
      showsProgress: options.showsProgress,
    });
    return wholeManifest(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
