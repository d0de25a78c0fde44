import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { readIntactManifest } from '../../system/trees/manifest-file.ts';
import { digestingWriter } from '../../system/trees/tree-writer.ts';
import type { PublicSources } from '../sources/public-sources.ts';
import type { BuildOptions, PlanOptions } from './build-options.ts';
import { type PlannedBuild, planBuild } from './plan-build.ts';
import { type TreeRun, writeTree } from './write-tree.ts';

type ManifestOptions = Required<PlanOptions> & Pick<BuildOptions, 'showsProgress'>;

export async function manifestAt(sources: PublicSources, options: ManifestOptions): Promise<Manifest> {
  const { showsProgress } = options;
  return withManifestFolder(await planBuild(sources, options), { sources: '', showsProgress }, readIntactManifest);
}

interface ManifestRun extends Pick<TreeRun, 'isProvisional' | 'showsProgress' | 'pause'> {
  readonly sources: string;
}

/** The temporary folder contains only the manifest, not the documents of the tree. */
export async function withManifestFolder<T>(
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
