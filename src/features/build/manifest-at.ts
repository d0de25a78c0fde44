/** The manifest of a tree that `build --at` would make, without the tree: everything is rendered, and nothing kept. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { type ListedTree, listedTree } from '../../system/trees/listed-tree.ts';
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

export async function manifestAt(sources: Sources, options: ManifestOptions): Promise<ListedTree> {
  const planned = planBuild(sources, options);
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  try {
    await writeTree({
      ...{ ...planned, sources: '', reuses: false },
      ...{ stage: { out: folder, next: folder }, spool: digestingWriter() },
      showsProgress: options.showsProgress,
    });
    return listedTree(readFileSync(join(folder, MANIFEST_FILE)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
