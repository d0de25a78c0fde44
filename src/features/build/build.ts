/** `gridpress build`: sources -> publication -> plan -> tree, staged and swapped. */
import { idAt } from '../../core/api/publication.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { readManifestSummary } from '../../system/trees/manifest-file.ts';
import { checkOutput } from '../../system/trees/output-place.ts';
import { isSignedWith, signTree } from '../../system/trees/signed-tree.ts';
import { dropStage, openStage, recover, stageOf, swap } from '../../system/trees/staging.ts';
import { digestOfSources } from '../sources/load-sources.ts';
import { type BuildOptions, choicesOf, sourcesOfBuild } from './build-options.ts';
import { planBuild } from './plan-build.ts';
import { writeTree } from './write-tree.ts';

export interface BuildResult extends TreeCounts {
  readonly out: string;
  readonly revision: string;
  readonly digest: string;
  /** False when the tree was already what the sources give. */
  readonly isWritten: boolean;
}

export async function build(options: BuildOptions): Promise<BuildResult> {
  const { out, force = false, sign } = options;
  checkOutput(out, options.registry);
  recover(stageOf(out));
  const extras = choicesOf(options);
  const known = readManifestSummary(out);
  const isKnown = !force && known?.sources === digestOfSources(options, extras);
  if (known && isKnown && (sign === undefined || isSignedWith(out, sign)))
    return { ...known.counts, out, revision: known.revision, digest: known.digest, isWritten: false };

  const sources = sourcesOfBuild(options);
  const planned = planBuild(sources, options);
  const { publication, counts } = planned;
  const stage = openStage(out);
  try {
    const digest = await writeTree({
      ...planned,
      ...{ stage, sources: sources.digest(extras) },
      reuses: !force,
      showsProgress: options.showsProgress,
    });
    if (sign !== undefined) signTree(stage.next, sign);
    swap(stage, options.fsync);
    return { ...counts, out, revision: idAt(publication, publication.head), digest, isWritten: true };
  } finally {
    dropStage(stage);
  }
}
