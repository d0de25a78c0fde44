/**
 * `gridpress publish`: a tree goes to where it is served from. The scheme of the destination says how: a bucket of object
 * storage, or a folder of this machine.
 */

import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { PublishedBucket, PublishOptions } from './publish-options.ts';
import { isBucketAddress } from './refuse-idle-options.ts';

export async function publish(options: PublishOptions): Promise<PublishedBucket> {
  const { destination } = options;
  if (isBucketAddress(destination)) {
    const { publishBucket } = await import('./bucket/publish-bucket.ts');
    return publishBucket(options);
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(destination)) fail(finding('publish-destination', { destination }));
  const { describeFolder, folderRecord, publishFolder } = await import('./folder/publish-folder.ts');
  const published = publishFolder(options);
  return { record: folderRecord(published), text: describeFolder(published), findings: [] };
}
