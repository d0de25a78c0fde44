/** Which options of `gridpress publish` apply to what it is asked to do: none is passed over in silence. */
import type { Command } from 'commander';
import { failAll } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';

/** Whether a destination is a bucket of object storage. */
export function isBucketAddress(destination: string): boolean {
  return /^s3:\/\//i.test(destination);
}

const BUCKET = new Set(['endpoint', 'region', 'profile', 'keys', 'parallel', 'state', 'force']);
const FOLDER = new Set(['link']);
const PRUNING = new Set(['keep', 'grace', 'maxDeletes']);
const PUBLISHING = new Set(['tree', 'older', 'purgeFile', 'baseUrl', 'state']);

/** Fails where an option is given that would do nothing. */
export function refuseIdleOptions(destination: string, defined: Command): void {
  const isPruning = defined.getOptionValue('prune') === true;
  // It has an answer of its own.
  if (isPruning && !isBucketAddress(destination)) return;
  const given = defined.options.filter(
    (option) => defined.getOptionValueSource(option.attributeName()) === 'cli',
  );
  const findings = given.flatMap((option): Finding[] => {
    const [name, args] = [option.attributeName(), { option: option.long ?? option.flags }];
    if (!isBucketAddress(destination) && BUCKET.has(name)) return [finding('publish-needs-bucket', args)];
    if (isBucketAddress(destination) && FOLDER.has(name)) return [finding('publish-needs-folder', args)];
    if (!isPruning && PRUNING.has(name)) return [finding('publish-needs-prune', args)];
    if (isPruning && PUBLISHING.has(name)) return [finding('publish-idle-in-prune', args)];
    return [];
  });
  if (findings.length > 0) failAll(findings);
}
