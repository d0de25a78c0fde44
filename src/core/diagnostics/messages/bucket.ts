import { failure, type Nothing, warning } from '../message.ts';
import { plural } from '../words.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

interface AtStore {
  where: string;
}
interface AtBucket extends AtStore {
  bucket: string;
}

export const BUCKET_MESSAGES = {
  'bucket-no-client': failure<{ install: string }>(
    () => 'Publishing in a bucket takes the S3 client, which is not installed.',
    (a) => `Install it beside gridpress: npm install ${a.install}.`,
  ),
  'bucket-address': failure<{ destination: string }>(
    (a) => `"${a.destination}" names no bucket.`,
    'Write it like s3://bucket or s3://bucket/prefix.',
  ),
  'bucket-prefix': failure<{ destination: string; segment: string }>(
    (a) => `"${a.segment}" in the prefix of "${a.destination}" cannot stand in the paths of the API.`,
    'Use letters, digits, "-", ".", "_" and "~" in it, but no "." or ".." alone.',
  ),
  'bucket-no-credentials': failure<Nothing>(
    () => 'There are no credentials for the store.',
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with --profile.',
  ),
  'bucket-no-region': failure<Nothing>(
    () => 'The region of the bucket is not known.',
    'Name it with --region or AWS_REGION; for a store of your own, name its URL with --endpoint.',
  ),
  'bucket-absent': failure<AtBucket>(
    (a) => `There is no bucket ${a.bucket} at ${a.where}.`,
    'Create it, or check its name, --endpoint and --region.',
  ),
  'bucket-skew': failure<AtStore>(
    (a) => `The clock of this machine and that of ${a.where} differ too much for signed requests.`,
    'Set the clock of this machine.',
  ),
  'bucket-credentials': failure<AtStore & { name: string }>(
    (a) => `${a.where} does not accept the credentials: ${a.name}.`,
    'Check the access key and the secret, whether they have expired, and the endpoint that they are for.',
  ),
  'bucket-denied': failure<AtBucket & { name: string }>(
    (a) => `${a.where} denies access to the bucket ${a.bucket}: ${a.name || 'forbidden'}.`,
    'Allow these credentials s3:GetObject, s3:PutObject and s3:ListBucket there, and s3:DeleteObject for gridpress prune.',
  ),
  'bucket-elsewhere': failure<AtBucket>(
    (a) => `The bucket ${a.bucket} is in another region than ${a.where} was asked in.`,
    'Name its region with --region, or its store with --endpoint.',
  ),
  'bucket-unreachable': failure<AtStore & { reason: string }>(
    (a) => `${a.where} gives no useful answer: ${a.reason}.`,
    'Check --endpoint and the network, and run it again: it goes on where it stopped.',
  ),
  'bucket-answer': failure<AtStore & { status: number; name: string }>(
    (a) => `${a.where} refuses with the status ${a.status}: ${a.name}.`,
    'Check that --endpoint is the URL of a store with the S3 interface.',
  ),
  'bucket-no-store': failure<AtStore>(
    (a) => `What answers at ${a.where} is no store with the S3 interface.`,
    'Check --endpoint.',
  ),
  'bucket-tree-damaged': failure<{ folder: string; file: string; reason: string }>(
    (a) => `The tree at ${a.folder} is damaged: ${a.file} ${a.reason}. Its manifest was not published.`,
    '"gridpress verify" says all that is wrong; build it anew: gridpress build --force.',
  ),
  'bucket-foreign': failure<{ place: string }>(
    (a) => `${a.place} has a _manifest.json that gridpress did not write; nothing was written.`,
    'Name another prefix; --force publishes over it.',
  ),
  'bucket-older': failure<{ place: string; published: number; serial: number }>(
    (a) => `${a.place} has the serial ${a.published}, the tree ${a.serial}: it is older; nothing was written.`,
    'Build from the newest revision; --older goes back to the older tree.',
  ),
  'bucket-claimed': failure<{ place: string; what: string; since: number; until: number }>(
    (a) => `Another ${a.what} of ${a.place} is under way since ${at(a.since)}, until ${at(a.until)} at the latest.`,
    'Run it again then; --force takes over now, if the other one has surely ended.',
  ),
  'bucket-lost': failure<{ place: string }>(
    (a) => `Someone else was first: ${a.place} changed before anything of this tree was published.`,
    'Run it again to see whether this tree is still the newer one.',
  ),
  'bucket-taken-over': failure<{ place: string }>(
    (a) => `Someone else took this publication of ${a.place} over; it stopped.`,
    'Look who publishes there. Run it again to publish this tree.',
  ),
  'bucket-lease': failure<{ place: string }>(
    (a) => `The claim on ${a.place} could not be renewed in time; it stopped before anyone else could begin.`,
    'Check the network, and run it again: it goes on where it stopped.',
  ),
  'bucket-unfinished': failure<{ place: string }>(
    (a) => `A publication of ${a.place} was begun and not finished.`,
    'Publish first, then prune.',
  ),
  'bucket-unreadable-manifest': failure<{ place: string; key: string }>(
    (a) => `What ${a.place} needs is not known: the manifest ${a.key} cannot be read in full. Nothing was removed.`,
    'A newer gridpress may read it. Otherwise publish anew or, where it is one of _manifests, remove that object yourself.',
  ),
  'bucket-nothing': failure<{ place: string }>(
    (a) => `Nothing is published at ${a.place}.`,
    'Check the bucket and the prefix.',
  ),
  'bucket-unconditional': failure<{ place: string }>(
    (a) =>
      `The store of ${a.place} does not keep two publishers apart: it writes whatever the condition (If-Match, If-None-Match) says.`,
    'Make sure that only one publisher runs at a time, and give --force.',
  ),
  'bucket-unguarded': warning<{ place: string }>(
    (a) => `The store of ${a.place} does not keep two publishers apart.`,
    'Make sure that only one publisher runs at a time.',
  ),
  'bucket-no-journal': warning<{ file: string; reason: string }>(
    (a) => `The journal ${a.file} cannot be written: ${a.reason}. An interrupted run will begin anew.`,
    'Name a folder for it with --state.',
  ),
  'bucket-max-deletes': failure<{ found: number; limit: number }>(
    (a) => `${plural(a.found, 'object')} would be removed, more than the ${a.limit} of --max-deletes; nothing was.`,
    'Look at them with --dry-run, then allow more.',
  ),
} as const;
