/** Publishing a tree. */
import { failure } from '../message.ts';

export const PUBLISH_MESSAGES = {
  'publish-destination': failure<{ destination: string }>(
    (a) => `"${a.destination}" is nothing that can be published to.`,
    'Name a bucket, like s3://bucket/prefix, or a folder.',
  ),
  'publish-needs-bucket': failure<{ option: string }>(
    (a) => `${a.option} does not apply to a folder.`,
    'Leave it out, or publish to a bucket, like s3://bucket/prefix.',
  ),
  'publish-needs-prune': failure<{ option: string }>(
    (a) => `${a.option} does not apply without --prune.`,
    (a) => `Leave it out, or give --prune with ${a.option}.`,
  ),
  'publish-idle-in-prune': failure<{ option: string }>(
    (a) => `${a.option} does not apply to --prune, which publishes nothing.`,
    'Leave it out.',
  ),
} as const;
