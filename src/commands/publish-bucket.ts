/** Publishing a tree in a bucket of object storage. */
import { finding } from '../diagnostics/finding.ts';
import { fail } from '../io/failure.ts';
import type { Published, PublishOptions } from './publish-options.ts';

export async function publishBucket({ destination }: PublishOptions): Promise<Published> {
  return fail(finding('publish-destination', { destination }));
}
