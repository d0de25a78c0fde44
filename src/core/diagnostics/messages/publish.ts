import { error, failure, type Nothing, warning } from '../message.ts';
import { grouped, plural, shortId } from '../words.ts';

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

export const BUNDLES_MESSAGES = {
  'install-lacks': failure<{ file: string }>(
    (a) =>
      `${a.file} is neither in what is to be installed nor, with the right bytes, in what is there; nothing was changed.`,
    'Verify both with "gridpress verify"; a bundle of everything mends a damaged tree.',
  ),
  'install-place': failure<{ file: string }>(
    (a) => `The manifest lists ${a.file}, which is no place for a file of a tree; nothing was changed.`,
    'Build the tree anew: gridpress build --force.',
  ),
  'install-older': failure<{ folder: string; standing: number; comes: number }>(
    (a) =>
      `${a.folder} holds a newer tree: its serial is ${a.standing}, that of the one to install ${a.comes}; nothing was changed.`,
    'Give --older if that is what you want.',
  ),
  'install-serial': failure<{ folder: string; standing: number; comes: number }>(
    (a) =>
      `The serial of the tree to install is ${a.comes}, and that of the one in ${a.folder} is ${a.standing}: nobody records so many revisions. Nothing was changed.`,
    'Ask where it comes from. Give --older if it is right all the same.',
  ),
  'install-unsigned': failure<{ folder: string }>(
    (a) => `${a.folder} holds a tree that is signed, and the one to install is not; nothing was changed.`,
    'Ask for a signed one. Give --unsigned if nobody signs them any longer.',
  ),
  'publish-into-itself': failure<{ folder: string; tree: string }>(
    (a) => `The folder ${a.folder} and the tree ${a.tree} lie inside each other.`,
    'Publish to a folder outside, or from another tree with --tree.',
  ),
  'publish-prunes-no-folder': failure<{ folder: string }>(
    (a) => `${a.folder} is a folder: publishing there leaves nothing to prune.`,
    (a) => `What other copying left there, "gridpress prune ${a.folder}" removes.`,
  ),
  'bundle-does-not-fit': failure<{
    folder: string;
    forId: string;
    forDigest: string;
    thereId: string;
    thereDigest: string;
  }>(
    (a) =>
      `The bundle goes onto the tree of revision ${shortId(a.forId)} with the digest ${a.forDigest}; in ${a.folder} there is ${a.thereId === '' ? 'none' : `revision ${shortId(a.thereId)} with the digest ${a.thereDigest}`}. Nothing was changed.`,
    (a) =>
      a.thereId === ''
        ? 'Apply a bundle of everything first: gridpress bundle without --since.'
        : 'Make one that does: give the _manifest.json that is there to "gridpress bundle --since", or make one of everything.',
  ),
  'bundle-damaged': error<{ reason: string }>(
    (a) => `The bundle is damaged: ${a.reason}.`,
    'Copy it once more from where it was made.',
  ),
  'bundle-is-archive': failure<{ file: string }>(
    (a) => `${a.file} is an archive, and no bundle.`,
    (a) =>
      `Unpack it with "tar -xf ${a.file}"; the tree is in its folder data/tree: "gridpress publish" puts it anywhere.`,
  ),
  'bundle-configuration': failure<{ what: string; tree: string; sources: string }>(
    (a) => `The tree was built with ${a.what} ${a.tree}, but the sources give ${a.sources}.`,
    'Build the tree anew with the present configuration, or name its own with --config.',
  ),
  'bundle-not-head': failure<{ tree: string }>(
    (a) => `The registry does not know revision ${shortId(a.tree)}, of which the tree is.`,
    'Name the registry that the tree was built from with --registry.',
  ),
  'bundle-since-itself': failure<{ id: string }>(
    (a) => `The tree is that of revision ${shortId(a.id)} itself: there is nothing new since.`,
    'Name an older revision with --since, or build the tree of a newer one first.',
  ),
  'prune-failed': failure<{ file: string; reason: string }>(
    (a) => `${a.file} cannot be removed: ${a.reason}.`,
    'Mend the cause and run it again: it goes on where it stopped.',
  ),
  'prune-too-many': failure<{ found: number; limit: number }>(
    (a) => `${plural(a.found, 'file')} would be removed, more than ${grouped(a.limit)}; nothing was removed.`,
    'Look at them with --dry-run, then allow more with --max-deletes.',
  ),
} as const;

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
