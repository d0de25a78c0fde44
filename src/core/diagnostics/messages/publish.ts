import { failure, warning } from '../message.ts';

export const PUBLISH_MESSAGES = {
  'publish-destination': failure<{ destination: string }>(
    (a) => `"${a.destination}" is nothing that can be published to.`,
    'Name a bucket, like s3://bucket/prefix, or a folder.',
  ),
  'publish-running': failure<{ place: string; held: string; pid: number }>(
    (a) =>
      `Another gridpress of this machine is publishing in ${a.place}${Number.isNaN(a.pid) ? '' : `: the process ${a.pid}`}.`,
    (a) => `Wait until it is done. If that process is none of gridpress, remove ${a.held}.`,
  ),
  'publish-needs-folder': failure<{ option: string }>(
    (a) => `${a.option} does not apply to a bucket, which readers see whole anyway.`,
    'Leave it out, or publish to a folder.',
  ),
  'publish-needs-bucket': failure<{ option: string }>(
    (a) => `${a.option} does not apply to a folder.`,
    'Leave it out, or name a bucket, like s3://bucket/prefix.',
  ),
  'publish-needs-prune': failure<{ option: string }>(
    (a) => `${a.option} does not apply to publishing, which removes nothing.`,
    'Leave it out, or give it to "gridpress prune".',
  ),
  'publish-prune-moved': warning<{ destination: string }>(
    (a) => `"gridpress publish --prune" is "gridpress prune ${a.destination}" now.`,
    'Use that one: the option may go in a later version.',
  ),
  'publish-idle-in-prune': failure<{ option: string }>(
    (a) => `${a.option} does not apply to --prune, which publishes nothing.`,
    'Leave it out.',
  ),
} as const;
