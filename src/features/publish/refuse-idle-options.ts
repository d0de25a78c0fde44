/** Which options of `gridpress publish` and `prune` apply to what they are asked to do: none is passed over in silence. */
import type { Command } from 'commander';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';

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
