/** Publishing a tree. */
import { failure } from '../message.ts';

export const PUBLISH_MESSAGES = {
  'publish-destination': failure<{ destination: string }>(
    (a) => `"${a.destination}" is nothing that can be published to.`,
    'Name a bucket, like s3://bucket/prefix, or a folder.',
  ),
} as const;
