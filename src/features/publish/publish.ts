/**
 * `gridpress publish`: a tree goes to where it is served from. The scheme of the destination says how: a bucket of object
 * storage, or a folder of this machine.
 */

import type { Command } from 'commander';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { grouped, plural } from '../../core/diagnostics/words.ts';
import type { Pruned, PruneOptions, PublishedBucket, PublishOptions } from './publish-options.ts';

export async function publish(options: PublishOptions): Promise<PublishedBucket> {
  const { destination } = options;
  if (isBucketAddress(destination)) {
    const { publishBucket } = await import('./bucket/publish-bucket.ts');
    return publishBucket(options);
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(destination)) fail(finding('publish-destination', { destination }));
  const { describeFolder, folderRecord, publishFolder } = await import('./publish-folder.ts');
  const published = publishFolder(options);
  return { record: folderRecord(published), text: describeFolder(published), findings: [] };
}

/** Fails when there is no whole tree, when somebody writes there, or when there would be too much to remove. */
export async function prune(options: PruneOptions): Promise<Pruned> {
  const { destination } = options;
  if (isBucketAddress(destination)) {
    const { pruneBucket } = await import('./bucket/prune-bucket.ts');
    return await pruneBucket(options);
  }
  const { pruneFolder } = await import('./prune-folder.ts');
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

/** Which options of `gridpress publish` and `prune` apply to what they are asked to do: none is passed over in silence. */
export function isBucketAddress(destination: string): boolean {
  return /^s3:\/\//i.test(destination);
}

const BUCKET = new Set(['endpoint', 'region', 'profile', 'keys', 'parallel', 'state', 'force']);
const FOLDER = new Set(['link']);
const PRUNING = new Set(['keep', 'grace', 'maxDeletes']);
const BUCKET_PRUNING = new Set(['keep', 'grace']);
const PUBLISHING = new Set(['tree', 'older', 'purgeFile', 'baseUrl', 'state']);

type Code = 'publish-needs-bucket' | 'publish-needs-folder' | 'publish-needs-prune' | 'publish-idle-in-prune';

/** Fails where an option of `publish` is given that would do nothing. */
export function refuseIdleOptions(destination: string, defined: Command): void {
  const [isPruning, isBucket] = [defined.getOptionValue('prune') === true, isBucketAddress(destination)];
  if (isPruning && !isBucket) fail(finding('publish-prunes-no-folder', { folder: destination }));
  refuse(defined, (name) => {
    if (!isBucket && BUCKET.has(name)) return 'publish-needs-bucket';
    if (isBucket && FOLDER.has(name)) return 'publish-needs-folder';
    if (!isPruning && PRUNING.has(name)) return 'publish-needs-prune';
    return isPruning && PUBLISHING.has(name) ? 'publish-idle-in-prune' : undefined;
  });
}

export function refuseIdlePruneOptions(destination: string, defined: Command): void {
  const isBucket = isBucketAddress(destination);
  refuse(defined, (name) =>
    !isBucket && (BUCKET.has(name) || BUCKET_PRUNING.has(name)) ? 'publish-needs-bucket' : undefined,
  );
}

function refuse(defined: Command, problemOf: (name: string) => Code | undefined): void {
  const given = defined.options.filter((option) => defined.getOptionValueSource(option.attributeName()) === 'cli');
  const findings = given.flatMap((option) => {
    const code = problemOf(option.attributeName());
    return code === undefined ? [] : [finding(code, { option: option.long ?? option.flags })];
  });
  if (findings.length > 0) failAll(findings);
}
