/** `gridpress prune`: what no manifest lists goes, if it can be proved to be of this API. */

import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { grouped, plural } from '../../../core/diagnostics/words.ts';
import { HOSTS } from '../../../core/hosts/all.ts';
import { INDEX_NAME } from '../../../core/tree/layout.ts';
import { progress } from '../../../system/terminal/progress.ts';
import { readManifestSummary, wholeManifest } from '../../../system/trees/manifest-file.ts';
import { dropStage, openStage } from '../../../system/trees/staging.ts';
import { type LeftFile, removeFiles, unlistedFiles } from './prune-tree.ts';

export interface FolderPruneOptions {
  readonly folder: string;
  /** Where there would be more to remove, nothing is. */
  readonly maxDeletes: number;
  readonly dryRun: boolean;
  readonly showsProgress: boolean;
}

export interface Pruned {
  readonly folder: string;
  readonly dryRun: boolean;
  /** The files that were removed, or would be in a dry run. */
  readonly removed: readonly string[];
  /** What no manifest lists and nothing proves to be ours. */
  readonly left: readonly LeftFile[];
}

/** Fails when there is no whole tree, when somebody writes there, or when there would be too much to remove. */
export function prune(options: FolderPruneOptions): Pruned {
  const { folder, maxDeletes, dryRun, showsProgress } = options;
  // What is no tree is refused before anything is made beside it.
  if (!readManifestSummary(folder)) wholeManifest(folder);
  // Nobody swaps the tree while its stage is taken.
  const stage = dryRun ? undefined : openStage(folder);
  try {
    const names = [...new Set([INDEX_NAME, ...HOSTS.flatMap(({ variants }) => variants.names)])];
    const { own, left } = unlistedFiles(folder, wholeManifest(folder), names);
    if (!dryRun && own.length > maxDeletes)
      fail(finding('prune-too-many', { found: own.length, limit: maxDeletes }));
    const shown = progress('Removing', own.length, showsProgress);
    try {
      if (!dryRun) removeFiles(folder, own, shown.at);
    } finally {
      shown.end();
    }
    return { folder, dryRun, removed: own, left };
  } finally {
    if (stage) dropStage(stage);
  }
}

/** How many files are named that are left. */
const NAMED = 20;

export function prunedRecord({ folder, dryRun, removed, left }: Pruned): object {
  return { folder, dry_run: dryRun, removed, left };
}

export function describePruned({ folder, dryRun, removed, left }: Pruned): string {
  const lines = dryRun ? removed.map((file) => `remove ${file}\n`) : [];
  const kept = left.slice(0, NAMED).map(({ file, reason }) => `leave ${file}: it ${reason}\n`);
  const more = left.length - kept.length;
  const rest = more > 0 ? `leave ${grouped(more)} more; --json lists them\n` : '';
  const done = dryRun ? 'would be removed' : 'removed';
  return `${lines.join('')}${kept.join('')}${rest}${folder}: ${plural(removed.length, 'file')} ${done}, ${grouped(left.length)} left that the manifest does not list.\n`;
}
