/**
 * `gridpress prune`: what no manifest lists any more is removed from where a tree is published, in a folder or in a bucket,
 * if it can be proved to be of this API.
 */
import { grouped, plural } from '../../core/diagnostics/words.ts';
import type { Pruned, PruneOptions } from './prune-options.ts';
import { isBucketAddress } from './refuse-idle-options.ts';

/** Fails when there is no whole tree, when somebody writes there, or when there would be too much to remove. */
export async function prune(options: PruneOptions): Promise<Pruned> {
  const { destination } = options;
  if (isBucketAddress(destination)) {
    const { pruneBucket } = await import('./bucket/prune-bucket.ts');
    return await pruneBucket(options);
  }
  const { pruneFolder } = await import('./folder/prune-folder.ts');
  return pruneFolder(options);
}

export function prunedRecord({ destination, dryRun, removed, left, requests }: Pruned): object {
  return { destination, dry_run: dryRun, removed, left, requests };
}

const NAMED = 20;

export function describePruned({ destination, dryRun, removed, left }: Pruned): string {
  const lines = dryRun ? removed.map(({ name, reason }) => `remove ${name}: ${reason}\n`) : [];
  const kept = left.slice(0, NAMED).map(({ name, reason }) => `leave ${name}: ${reason}\n`);
  const more = left.length - kept.length;
  const rest = more > 0 ? `leave ${grouped(more)} more; --json lists them\n` : '';
  const done = dryRun ? 'would be removed' : 'removed';
  const things = plural(removed.length, isBucketAddress(destination) ? 'object' : 'file');
  return `${lines.join('')}${kept.join('')}${rest}${destination}: ${things} ${done}, ${grouped(left.length)} left that no manifest lists.\n`;
}
