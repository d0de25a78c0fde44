/** The manifest that a tree would have, without the tree: everything is rendered, and nothing kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { wholeManifest } from '../../system/trees/manifest-file.ts';
import { digestingWriter } from '../../system/trees/tree-writer.ts';
import type { Sources } from '../sources/load-sources.ts';
import type { BuildOptions } from './build-options.ts';
import type { HostingOptions } from './hosting.ts';
import { type PlannedBuild, planBuild } from './plan-build.ts';
import type { PublicationOptions } from './publication-of.ts';
import { type TreeRun, writeTree } from './write-tree.ts';

export type ManifestOptions = Required<PublicationOptions> & HostingOptions & Pick<BuildOptions, 'showsProgress'>;

export async function manifestAt(sources: Sources, options: ManifestOptions): Promise<Manifest> {
  const { showsProgress } = options;
  return manifestWritten(await planBuild(sources, options), { sources: '', showsProgress }, wholeManifest);
}

export interface ManifestRun extends Pick<TreeRun, 'isProvisional' | 'showsProgress' | 'pause'> {
  readonly sources: string;
}

/** What `read` finds in a folder that has the manifest of a planned tree, and nothing else that can be relied on. */
export async function manifestWritten<T>(
  planned: PlannedBuild,
  run: ManifestRun,
  read: (folder: string) => T,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  try {
    const stage = { out: folder, next: folder };
    await writeTree({ ...planned, ...run, stage, reuses: false, spool: digestingWriter() });
    return read(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
