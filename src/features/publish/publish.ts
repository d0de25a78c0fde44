import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { parseBase } from '../../core/client/parse-base.ts';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { type Palette, PLAIN } from '../../core/diagnostics/palette.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { checkOutsideTrees } from '../../system/trees/output-place.ts';
import type { Pruned, PruneOptions, Published, PublishOptions } from './publish-options.ts';

/** Publishes a tree. The output begins with the changes of the registry since the published revision. */
export async function publish(options: PublishOptions, palette: Palette = PLAIN): Promise<Published> {
  const published = await publishTree(options);
  const { previous, reloads } = published;
  const { registryChanges } = await import('./registry-changes.ts');
  const { text, counts, findings } = await registryChanges(options.registry, published, palette);
  return {
    ...published,
    record: { ...published.record, previous, reloads, resources: counts },
    text: text + published.text,
    findings: [...published.findings, ...findings],
  };
}

async function publishTree(options: PublishOptions): Promise<Published> {
  const { destination, baseUrl, purgeFile } = options;
  if (baseUrl !== undefined) parseBase(baseUrl);
  const newTree = isBucketAddress(destination) ? undefined : destination;
  if (purgeFile !== undefined) checkOutsideTrees(dirname(resolve(purgeFile)), newTree);
  if (isBucketAddress(destination)) {
    const { publishBucket } = await import('./bucket/publish-bucket.ts');
    return publishBucket(options);
  }
  // Matches URLs and rsync destinations such as user@host:/path. A single letter is a Windows drive.
  if (/^[^/\\]{2,}:/.test(destination)) fail(finding('publish-destination', { destination }));
  const { describeFolder, folderRecord, publishFolder } = await import('./publish-folder.ts');
  const published = publishFolder(options);
  return { ...published, record: folderRecord(published), text: describeFolder(published), findings: [] };
}

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

const MAX_LISTED = 20;

export function describePruned({ destination, dryRun, removed, left }: Pruned): string {
  const lines = dryRun ? removed.map(({ name, reason }) => `remove ${name}: ${reason}\n`) : [];
  const kept = left.slice(0, MAX_LISTED).map(({ name, reason }) => `leave ${name}: ${reason}\n`);
  const more = left.length - kept.length;
  const rest = more > 0 ? `leave ${formatCount(more)} more; --json lists them\n` : '';
  const done = dryRun ? 'would be removed' : 'removed';
  const things = plural(removed.length, isBucketAddress(destination) ? 'object' : 'file');
  return `${lines.join('')}${kept.join('')}${rest}${destination}: ${things} ${done}, ${formatCount(left.length)} left that no manifest lists.\n`;
}

function isBucketAddress(destination: string): boolean {
  return /^s3:\/\//i.test(destination);
}

const BUCKET_OPTIONS = new Set(['endpoint', 'region', 'profile', 'keys', 'parallel', 'state', 'force']);
const FOLDER_OPTIONS = new Set(['link', 'dropHost']);
const PRUNE_OPTIONS = new Set(['keep', 'grace', 'maxDeletes']);
const BUCKET_PRUNE_OPTIONS = new Set(['keep', 'grace']);
const PUBLISH_OPTIONS = new Set(['tree', 'registry', 'older', 'purgeFile', 'baseUrl', 'state']);

type IdleOptionCode = 'publish-needs-bucket' | 'publish-needs-folder' | 'publish-needs-prune' | 'publish-idle-in-prune';

/** Rejects options that do not apply to this destination or to --prune. */
export function rejectIdleOptions(destination: string, defined: Command): void {
  const [isPruning, isBucket] = [defined.getOptionValue('prune') === true, isBucketAddress(destination)];
  if (isPruning && !isBucket) fail(finding('publish-prunes-no-folder', { folder: destination }));
  rejectOptions(defined, (name) => {
    if (!isBucket && BUCKET_OPTIONS.has(name)) return 'publish-needs-bucket';
    if (isBucket && FOLDER_OPTIONS.has(name)) return 'publish-needs-folder';
    if (!isPruning && PRUNE_OPTIONS.has(name)) return 'publish-needs-prune';
    return isPruning && PUBLISH_OPTIONS.has(name) ? 'publish-idle-in-prune' : undefined;
  });
}

export function rejectIdlePruneOptions(destination: string, defined: Command): void {
  const isBucket = isBucketAddress(destination);
  rejectOptions(defined, (name) =>
    !isBucket && (BUCKET_OPTIONS.has(name) || BUCKET_PRUNE_OPTIONS.has(name)) ? 'publish-needs-bucket' : undefined,
  );
}

function rejectOptions(defined: Command, problemOf: (name: string) => IdleOptionCode | undefined): void {
  const given = defined.options.filter((option) => defined.getOptionValueSource(option.attributeName()) === 'cli');
  const findings = given.flatMap((option) => {
    const code = problemOf(option.attributeName());
    return code === undefined ? [] : [finding(code, { option: option.long ?? option.flags })];
  });
  if (findings.length > 0) failAll(findings);
}
