/** The manifest of a tree that `build --at` would make, without the tree: everything is rendered, and nothing kept. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { planTree } from '../../core/tree/plan/plan-tree.ts';
import { type ListedTree, listedTree } from '../../system/trees/listed-tree.ts';
import { digestingWriter } from '../../system/trees/tree-writer.ts';
import type { Sources } from '../sources/load-sources.ts';
import type { BuildOptions } from './build-options.ts';
import { type HostingOptions, hostingOf } from './hosting.ts';
import { type PublicationOptions, publicationOf } from './publication-of.ts';
import { measurePlan } from './tree-size.ts';
import { writeTree } from './write-tree.ts';

export type ManifestOptions = Required<PublicationOptions> &
  HostingOptions &
  Pick<BuildOptions, 'showsProgress'>;

export async function manifestAt(sources: Sources, options: ManifestOptions): Promise<ListedTree> {
  const { configuration } = sources;
  const publication = publicationOf(sources, options);
  const plan = planTree(publication);
  const hosting = hostingOf(configuration, publication, options);
  const counts = measurePlan(plan, publication, hosting, configuration);
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  try {
    await writeTree({
      ...{ publication, plan, hosting, counts, sources: '', reuses: false },
      ...{ stage: { out: folder, next: folder, old: folder }, spool: digestingWriter() },
      showsProgress: options.showsProgress,
    });
    return listedTree(readFileSync(join(folder, MANIFEST_FILE)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
