import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { HOSTS } from '../../../core/hosts/all.ts';
import { INDEX_NAME } from '../../../core/tree/layout.ts';
import { progress } from '../../../system/terminal/progress.ts';
import { wholeManifest } from '../../../system/trees/manifest-file.ts';
import { readManifestSummary } from '../../../system/trees/manifest-summary.ts';
import { dropStage, openStage } from '../../../system/trees/staging.ts';
import { MAX_DELETES, type Pruned, type PruneOptions } from '../prune-options.ts';
import { removeFiles, unlistedFiles } from './prune-tree.ts';

/** Fails when there is no whole tree, when somebody writes there, or when there would be too much to remove. */
export function pruneFolder(
  options: Pick<PruneOptions, 'destination' | 'dryRun' | 'maxDeletes' | 'showsProgress'>,
): Pruned {
  const { destination: folder, maxDeletes = MAX_DELETES.folder, dryRun, showsProgress } = options;
  // What is no tree is refused before anything is made beside it.
  if (!readManifestSummary(folder)) wholeManifest(folder);
  // Nobody swaps the tree while its stage is taken.
  const stage = dryRun ? undefined : openStage(folder);
  try {
    const names = [...new Set([INDEX_NAME, ...HOSTS.flatMap(({ variants }) => variants.names)])];
    const { own, foreign } = unlistedFiles(folder, wholeManifest(folder), names);
    if (!dryRun && own.length > maxDeletes) fail(finding('prune-too-many', { found: own.length, limit: maxDeletes }));
    const shown = progress('Removing', own.length, showsProgress);
    try {
      if (!dryRun) removeFiles(folder, own, shown.at);
    } finally {
      shown.end();
    }
    const removed = own.map((name) => ({ name, reason: 'the manifest does not list it' }));
    return { destination: folder, dryRun, removed, left: foreign, requests: 0 };
  } finally {
    if (stage) dropStage(stage);
  }
}
