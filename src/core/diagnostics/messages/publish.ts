import { error, failure, joinNames, type NoArguments, warning } from '../message.ts';
import { formatCount, plural, shortId } from '../words.ts';

export const PUBLISH_MESSAGES = {
  'publish-destination': failure<{ destination: string }>(
    (a) => `"${a.destination}" is not a destination for publishing.`,
    'Name a bucket, such as s3://bucket/prefix, or a folder.',
  ),
  'publish-older-than-registry': warning<{ registry: string; revision: string; newer: number }>(
    (a) =>
      `The published tree has revision ${shortId(a.revision)}, but ${a.registry} has ${plural(a.newer, 'newer revision')}.`,
    'Build the tree and publish again: gridpress build.',
  ),
  'publish-running': failure<{ place: string; held: string; pid: number }>(
    (a) =>
      `Another gridpress on this machine is publishing to ${a.place}${Number.isNaN(a.pid) ? '' : ` (process ${a.pid})`}.`,
    (a) => `Wait until it has finished. If that process is not gridpress, remove ${a.held}.`,
  ),
  'publish-needs-folder': failure<{ option: string }>(
    (a) => `${a.option} does not apply to a bucket. Readers of a bucket always see a complete tree.`,
    'Omit the option, or publish to a folder.',
  ),
  'publish-needs-bucket': failure<{ option: string }>(
    (a) => `${a.option} does not apply to a folder.`,
    'Omit the option, or name a bucket, such as s3://bucket/prefix.',
  ),
  'publish-needs-prune': failure<{ option: string }>(
    (a) => `${a.option} does not apply to publishing, which deletes nothing.`,
    'Omit the option, or use it with "gridpress prune".',
  ),
  'publish-prune-moved': warning<{ destination: string }>(
    (a) => `"gridpress publish --prune" is deprecated. The command is "gridpress prune ${a.destination}".`,
    'Use the new command. A later version may remove the option.',
  ),
  'publish-idle-in-prune': failure<{ option: string }>(
    (a) => `${a.option} does not apply to --prune, which publishes nothing.`,
    'Omit the option.',
  ),
} as const;

export const BUNDLES_MESSAGES = {
  'install-lacks': failure<{ file: string }>(
    (a) =>
      `Neither the tree to install nor the existing tree has ${a.file} with the right contents. Nothing was changed.`,
    'Build the tree again, or apply a bundle that was made without --since.',
  ),
  'install-place': failure<{ file: string }>(
    (a) => `The manifest lists ${a.file}, which cannot be a file of a tree. Nothing was changed.`,
    'Rebuild the tree: gridpress build --force.',
  ),
  'install-older': failure<{ folder: string; existing: number; incoming: number }>(
    (a) =>
      `${a.folder} contains a newer tree: it has the serial ${a.existing}, and the tree to install has ${a.incoming}. Nothing was changed.`,
    'To install the older tree, use --older.',
  ),
  'install-serial': failure<{ folder: string; existing: number; incoming: number }>(
    (a) =>
      `The serial of the tree to install is ${a.incoming}, but the tree in ${a.folder} has ${a.existing}. The difference is implausible. Nothing was changed.`,
    'Ask where the tree comes from. If it is right, use --older.',
  ),
  'install-unsigned': failure<{ folder: string }>(
    (a) => `The tree in ${a.folder} is signed, but the tree to install is not. Nothing was changed.`,
    'Ask for a signed tree. If its publisher no longer signs, use --unsigned.',
  ),
  'install-drops-host': failure<{ folder: string; hosts: readonly string[] }>(
    (a) =>
      `${a.folder} has the configuration of ${joinNames(a.hosts)}, but the tree to install does not. A server that includes it would not start again. Nothing was changed.`,
    (a) =>
      `List ${a.hosts.length === 1 ? 'it' : 'them'} in gridpress.yaml (hosts: [${a.hosts.join(', ')}]), and build again. If no server uses the configuration, use --drop-host.`,
  ),
  'publish-into-itself': failure<{ folder: string; tree: string }>(
    (a) => `The folder ${a.folder} and the tree ${a.tree} overlap.`,
    'Publish to a folder outside the tree, or name another tree with --tree.',
  ),
  'publish-prunes-no-folder': failure<{ folder: string }>(
    (a) => `${a.folder} is a folder. Publishing to a folder leaves nothing to prune.`,
    (a) => `If other programs copied files there, prune it with "gridpress prune ${a.folder}".`,
  ),
  'bundle-does-not-fit': failure<{
    folder: string;
    forId: string;
    forDigest: string;
    thereId: string;
    thereDigest: string;
  }>(
    (a) =>
      `The bundle updates the tree of revision ${shortId(a.forId)} with the digest ${a.forDigest}, but ${a.folder} contains ${a.thereId === '' ? 'no tree' : `revision ${shortId(a.thereId)} with the digest ${a.thereDigest}`}. Nothing was changed.`,
    (a) =>
      a.thereId === ''
        ? 'First apply a bundle made without --since.'
        : 'Make a bundle for the existing tree with "gridpress bundle --since" and its _manifest.json, or make one without --since.',
  ),
  'bundle-damaged': error<{ reason: string }>(
    (a) => `The bundle is damaged: ${a.reason}.`,
    'Copy it again from its origin.',
  ),
  'bundle-is-archive': failure<{ file: string }>(
    (a) => `${a.file} is an archive, not a bundle.`,
    (a) =>
      `Unpack it with "tar -xf ${a.file}". Its folder data/tree contains the tree, which "gridpress publish" can publish.`,
  ),
  'bundle-configuration': failure<{ what: string; tree: string; sources: string }>(
    (a) => `The tree was built with ${a.what} ${a.tree}, but the configuration gives ${a.sources}.`,
    'Rebuild the tree with the current configuration, or name the configuration of the tree with --config.',
  ),
  'bundle-not-head': failure<{ tree: string }>(
    (a) => `The registry does not contain revision ${shortId(a.tree)}, which is the revision of the tree.`,
    'Name the registry of the tree with --registry.',
  ),
  'bundle-since-itself': failure<{ id: string }>(
    (a) => `Nothing has changed since revision ${shortId(a.id)}, which is the revision of the tree itself.`,
    'Name an older revision with --since, or first build the tree of a newer one.',
  ),
  'prune-failed': failure<{ file: string; reason: string }>(
    (a) => `${a.file} cannot be deleted: ${a.reason}.`,
    'Correct the cause, and run the command again. It continues where it stopped.',
  ),
  'prune-too-many': failure<{ found: number; limit: number }>(
    (a) =>
      `The command would delete ${plural(a.found, 'file')}, which is more than ${formatCount(a.limit)}. Nothing was deleted.`,
    'List them with --dry-run, then allow more with --max-deletes.',
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
    () => 'Publishing to a bucket needs the S3 client, which is not installed.',
    (a) => `Install it in the same place as gridpress: npm install ${a.install}.`,
  ),
  'bucket-address': failure<{ destination: string }>(
    (a) => `"${a.destination}" is not the address of a bucket.`,
    'Use the form s3://bucket or s3://bucket/prefix.',
  ),
  'bucket-prefix': failure<{ destination: string; segment: string }>(
    (a) => `"${a.segment}" in the prefix of "${a.destination}" cannot be part of an API path.`,
    'Use letters, digits, "-", ".", "_" and "~", but not "." or ".." alone.',
  ),
  'bucket-no-credentials': failure<NoArguments>(
    () => 'There are no credentials for the object store.',
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with --profile.',
  ),
  'bucket-no-region': failure<NoArguments>(
    () => 'The region of the bucket is unknown.',
    'Set it with --region or AWS_REGION. For a store outside AWS, set its URL with --endpoint.',
  ),
  'bucket-absent': failure<AtBucket>(
    (a) => `There is no bucket "${a.bucket}" at ${a.where}.`,
    'Create it, or check its name, --endpoint and --region.',
  ),
  'bucket-skew': failure<AtStore>(
    (a) => `The clocks of this machine and of ${a.where} differ too much for signed requests.`,
    'Correct the clock of this machine.',
  ),
  'bucket-credentials': failure<AtStore & { name: string }>(
    (a) => `${a.where} rejects the credentials: ${a.name}.`,
    'Check that the access key and the secret are correct, have not expired, and are for this endpoint.',
  ),
  'bucket-denied': failure<AtBucket & { name: string }>(
    (a) => `${a.where} denies access to the bucket "${a.bucket}": ${a.name || 'forbidden'}.`,
    'Allow these credentials to use s3:GetObject, s3:PutObject and s3:ListBucket in the bucket, and s3:DeleteObject for "gridpress prune".',
  ),
  'bucket-elsewhere': failure<AtBucket>(
    (a) => `The bucket "${a.bucket}" is in another region than ${a.where}.`,
    'Set its region with --region, or its store with --endpoint.',
  ),
  'bucket-unreachable': failure<AtStore & { reason: string }>(
    (a) => `${a.where} gives no usable answer: ${a.reason}.`,
    'Check --endpoint and the network, and run the command again. It continues where it stopped.',
  ),
  'bucket-answer': failure<AtStore & { status: number; name: string }>(
    (a) => `${a.where} refuses the request with the status ${a.status}: ${a.name}.`,
    'Check that --endpoint is the URL of a store with the S3 interface.',
  ),
  'bucket-no-store': failure<AtStore>(
    (a) => `The server at ${a.where} is not a store with the S3 interface.`,
    'Check --endpoint.',
  ),
  'bucket-too-large': failure<{ key: string }>(
    (a) => `The object ${a.key} is larger than any manifest. It was not read to its end.`,
    'Check --endpoint, the bucket and the prefix.',
  ),
  'bucket-cut-list': failure<AtStore & { lacks: string }>(
    (a) => `${a.where} lists only a part of the objects. The list lacks ${a.lacks}.`,
    'Check --endpoint. If it is right, report the error to the provider of the store.',
  ),
  'bucket-endless-list': failure<AtStore>(
    (a) => `${a.where} lists the objects without end: it repeats a part of the list.`,
    'Check --endpoint. If it is right, report the error to the provider of the store.',
  ),
  'bucket-long-list': failure<AtStore & { keys: number; parts: number }>(
    (a) =>
      `${a.where} lists more than ${formatCount(a.keys)} objects, or lists them in more than ${formatCount(a.parts)} parts. The command stopped reading.`,
    'Check --endpoint and the prefix. If they are right, report the error to the provider of the store.',
  ),
  'bucket-not-stored': failure<AtStore & { key: string }>(
    (a) =>
      `${a.where} accepted the object ${a.key}, but does not return it with the same contents. The tree is not completely published.`,
    'Check that the store accepts writes, and its quota. Then run the command again.',
  ),
  'bucket-tree-damaged': failure<{ folder: string; file: string; reason: string }>(
    (a) => `The tree at ${a.folder} is damaged: ${a.file} ${a.reason}. Its manifest was not published.`,
    'List all damage with "gridpress verify", and rebuild the tree: gridpress build --force.',
  ),
  'bucket-foreign': failure<{ place: string }>(
    (a) => `${a.place} has a _manifest.json that gridpress did not write. Nothing was written.`,
    'Name another prefix, or overwrite it with --force.',
  ),
  'bucket-older': failure<{ place: string; published: number; serial: number }>(
    (a) =>
      `${a.place} contains a newer tree: it has the serial ${a.published}, and the tree to publish has ${a.serial}. Nothing was written.`,
    'Build from the newest revision. To publish the older tree, use --older.',
  ),
  'bucket-claimed': failure<{ place: string; what: string; since: number; until: number }>(
    (a) => `Another ${a.what} of ${a.place} has been running since ${at(a.since)}. Its claim ends at ${at(a.until)}.`,
    'Run the command again after this time. If you are sure that the other command has ended, add --force.',
  ),
  'bucket-lost': failure<{ place: string }>(
    (a) => `Another publisher changed ${a.place} before this tree was published.`,
    'Run the command again to see whether this tree is still newer.',
  ),
  'bucket-taken-over': failure<{ place: string }>(
    (a) => `The manifest of ${a.place} is no longer the one that this command wrote. The command stopped.`,
    'Find out who else publishes there, or whether the store lost the manifest. To publish this tree, run the command again.',
  ),
  'bucket-lease': failure<{ place: string }>(
    (a) =>
      `The claim on ${a.place} could not be renewed in time. The command stopped before another publisher could begin.`,
    'Check the network, and run the command again. It continues where it stopped.',
  ),
  'bucket-unfinished': failure<{ place: string }>(
    (a) => `A publication of ${a.place} was started and not finished.`,
    'Publish first, then prune.',
  ),
  'bucket-unreadable-manifest': failure<{ place: string; key: string }>(
    (a) =>
      `The manifest ${a.key} cannot be read completely, so it is unknown which objects ${a.place} needs. Nothing was deleted.`,
    'A newer gridpress may be able to read it. Otherwise publish again. If the object is below _manifests, you can delete it instead.',
  ),
  'bucket-nothing': failure<{ place: string }>(
    (a) => `Nothing is published at ${a.place}.`,
    'Check the bucket and the prefix.',
  ),
  'bucket-unconditional': failure<{ place: string }>(
    (a) =>
      `The store of ${a.place} does not prevent two publishers from writing at the same time: it ignores the conditions If-Match and If-None-Match.`,
    'Make sure that only one publisher runs at a time, and use --force.',
  ),
  'bucket-unguarded': warning<{ place: string }>(
    (a) => `The store of ${a.place} does not prevent two publishers from writing at the same time.`,
    'Make sure that only one publisher runs at a time.',
  ),
  'bucket-no-journal': warning<{ file: string; reason: string }>(
    (a) =>
      `The journal ${a.file} cannot be written: ${a.reason}. If the command is interrupted, the next one starts again.`,
    'Name another folder for it with --state.',
  ),
  'bucket-max-deletes': failure<{ found: number; limit: number }>(
    (a) =>
      `The command would delete ${plural(a.found, 'object')}, which is more than ${formatCount(a.limit)} (--max-deletes). Nothing was deleted.`,
    'List them with --dry-run, then allow more.',
  ),
} as const;
