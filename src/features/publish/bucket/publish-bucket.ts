/**
 * Publishing a tree in a bucket, so that two publishers never both win and whoever is interrupted can go on:
 *
 *     GET  _manifest.json              what is there, and its ETag
 *          (all files that differ are read and held against the tree's manifest)
 *     PUT  _manifests/{new}.json       what is coming, for those who must take over or prune
 *     PUT  _manifest.json, If-Match    the manifest that is there, and a claim: the loser has touched nothing yet
 *     PUT  what differs                immutable documents, items, collections, indexes, the root
 *     PUT  _manifest.json, If-Match    the new manifest, and with it the end of the claim
 *
 * An interrupted publication leaves its claim, which names what was begun. Its own next run goes on by the journal; any
 * other waits until the claim has run out, and then sends what differs from the manifest that is there or from one begun.
 */

import { setMaxListeners } from 'node:events';
import { JSON_MEDIA_TYPE } from '../../../core/api/dialect.ts';
import { fail } from '../../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../../core/diagnostics/finding.ts';
import { megabytes } from '../../../core/diagnostics/words.ts';
import { cacheControl } from '../../../core/tree/headers.ts';
import { processMark } from '../../../system/files/folder-lock.ts';
import { shownPath } from '../../../system/files/shown-path.ts';
import { reasonOf } from '../../../system/files/system-errors.ts';
import { progress } from '../../../system/terminal/progress.ts';
import { describePublished, plannedText, type Summary } from '../describe-published.ts';
import type { PublishedBucket, PublishOptions } from '../publish-options.ts';
import {
  type PublishedDifference,
  publishedDifference,
  purgeText,
  UPLOAD_STAGES,
  uploadStageOf,
  writePurge,
} from '../published-difference.ts';
import { type TreeToPublish, treeToPublish } from '../tree-to-publish.ts';
import type { Bucket } from './bucket-client.ts';
import { LEASE_SECONDS, type Lease, newNonce, storeConditions, takeLease } from './bucket-lease.ts';
import {
  objectsOf,
  type PlannedObject,
  pastManifestKey,
  pastManifestName,
  type StoredForm,
  storedForm,
} from './bucket-objects.ts';
import {
  type BucketPlace,
  type BucketState,
  bucketPlace,
  publishedStateOf,
  readState,
  refuseClaimed,
  stateMetadata,
} from './bucket-state.ts';
import { type Journal, journalFile, publishJournal } from './journal.ts';

export async function publishBucket(options: PublishOptions): Promise<PublishedBucket> {
  const place = await bucketPlace(options);
  try {
    return await publishTree(place, options);
  } finally {
    place.bucket.close();
  }
}

async function publishTree(place: BucketPlace, options: PublishOptions): Promise<PublishedBucket> {
  const folder = shownPath(options.tree);
  const tree = treeToPublish(options.tree, folder);
  const journal = publishJournal(journalFile(options.tree, place.identity, options.bucket.state), place.shown);
  const state = await readState(place);
  const isOurs = journal.interrupted?.head.nonces.includes(state.claim?.nonce ?? '') === true;
  refuse(place, options, { state, tree, isOurs });
  const difference = publishedDifference(tree.documents, await publishedStateOf(place, state));
  const isGoingOn =
    isOurs &&
    journal.interrupted?.head.manifest === tree.sha256 &&
    journal.interrupted.head.destination === place.identity;
  const confirmed = (isGoingOn ? journal.interrupted?.confirmed : undefined) ?? new Set<string>();
  const objects = stagesOf(difference, tree, place);
  const missing = objects.map((stage) => stage.filter(({ key }) => !confirmed.has(key)));
  const isThere = state.bytes?.equals(tree.bytes) === true && !state.claim;
  const summary: Summary = {
    destination: place.shown,
    revision: tree.revision,
    serial: tree.serial,
    digest: tree.digest,
    difference,
    isDryRun: options.dryRun,
    isUnchanged: isThere && missing.flat().length === 0,
    objects: missing.flat().length,
    bytes: missing.flat().reduce((sum, { size }) => sum + size, 0),
  };
  const reported = (findings: readonly Finding[]): PublishedBucket => ({
    ...describePublished({ ...summary, requests: place.bucket.requests() }),
    findings,
  });
  if (options.dryRun) {
    const { text, ...rest } = reported([]);
    return { ...rest, text: plannedText(difference, ': gridpress prune removes it later') + text };
  }
  if (summary.isUnchanged) return reported([]);
  const files = new Map(missing.flat().map(({ file, sha256 }) => [file, sha256]));
  for (const [file, sha256] of files) tree.read(file, sha256);
  return reported(await send(place, options, { tree, state, journal, isGoingOn, missing, difference }));
}

function refuse(
  place: BucketPlace,
  { force, older, dryRun }: PublishOptions,
  { state, tree, isOurs }: { readonly state: BucketState; readonly tree: TreeToPublish; readonly isOurs: boolean },
): void {
  if (state.isForeign && !force) fail(finding('bucket-foreign', { place: place.shown }));
  if (!older && state.serial !== undefined && state.serial > tree.serial)
    fail(finding('bucket-older', { place: place.shown, published: state.serial, serial: tree.serial }));
  if (!isOurs && !dryRun && !force) refuseClaimed(place, state);
}

interface Sending {
  readonly tree: TreeToPublish;
  readonly state: BucketState;
  readonly journal: Journal;
  readonly isGoingOn: boolean;
  readonly missing: readonly (readonly PlannedObject[])[];
  readonly difference: PublishedDifference;
}

async function send(
  place: BucketPlace,
  options: PublishOptions,
  { tree, state, journal, isGoingOn, missing, difference }: Sending,
): Promise<Finding[]> {
  const { keys, shown } = place;
  const conditions = await storeConditions(place, state.conditions, options.force);
  const findings: Finding[] = conditions === 'none' ? [finding('bucket-unguarded', { place: shown })] : [];
  const name = pastManifestName(tree.serial, tree.sha256);
  const form = storedForm(keys);
  if (!isGoingOn) await archive(place, tree, name, stateMetadata(form, conditions));
  const nonce = newNonce();
  const nonces = [...(journal.interrupted?.head.nonces ?? []), nonce];
  const head = { destination: place.identity, manifest: tree.sha256, nonces, process: processMark() };
  findings.push(...opened(journal, head, isGoingOn));
  try {
    const inProgress = [...new Set([...(state.claim?.begun ?? []), name])];
    const lease = await takeLease({
      place,
      state,
      conditions,
      seconds: options.bucket.leaseSeconds ?? LEASE_SECONDS,
      claim: { nonce, purpose: 'publish', revision: tree.revision, begun: inProgress },
    });
    await sendLeased(place, options, { tree, journal, missing, difference }, lease, form);
    journal.remove();
  } finally {
    journal.close();
  }
  return findings;
}

async function sendLeased(
  { bucket }: BucketPlace,
  { purgeFile, baseUrl, showsProgress, bucket: { parallel } }: PublishOptions,
  { tree, journal, missing, difference }: Pick<Sending, 'tree' | 'journal' | 'missing' | 'difference'>,
  lease: Lease,
  form: StoredForm,
): Promise<void> {
  const { confirm } = journal;
  try {
    await uploadStages(missing, { bucket, tree, lease, parallel, confirm, showsProgress });
    if (purgeFile !== undefined) writePurge(purgeFile, purgeText(difference.sent, baseUrl));
    await lease.commit(tree.bytes, form);
  } catch (error) {
    await lease.abandon();
    throw error;
  }
}

async function archive(
  { bucket, prefix }: BucketPlace,
  { bytes, sha256 }: TreeToPublish,
  name: string,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  await bucket.put({
    key: pastManifestKey(prefix, name),
    bytes,
    sha256,
    metadata,
    contentType: JSON_MEDIA_TYPE,
    cacheControl: cacheControl('immutable'),
  });
}

/** Without a journal it works too; an interrupted run then begins anew. */
function opened(journal: Journal, head: Parameters<Journal['open']>[0], goesOn: boolean): Finding[] {
  try {
    journal.open(head, goesOn);
    return [];
  } catch (error) {
    return [finding('bucket-no-journal', { file: shownPath(journal.file), reason: reasonOf(error) })];
  }
}

function stagesOf({ sent }: PublishedDifference, { documents }: TreeToPublish, place: BucketPlace): PlannedObject[][] {
  const stages = new Map(UPLOAD_STAGES.map((stage) => [stage, [] as PlannedObject[]]));
  for (const { path } of sent) {
    const document = documents.get(path);
    if (document) stages.get(uploadStageOf(path))?.push(...objectsOf(path, document, place));
  }
  return [...stages.values()];
}

export interface UploadOptions {
  readonly bucket: Bucket;
  readonly tree: TreeToPublish;
  readonly lease: Lease;
  readonly parallel: number;
  readonly confirm: (key: string) => void;
  readonly showsProgress: boolean;
}

export async function uploadStages(
  stages: readonly (readonly PlannedObject[])[],
  options: UploadOptions,
): Promise<void> {
  const all = stages.flat();
  const total = all.reduce((sum, { size }) => sum + size, 0);
  const shown = progress('Uploading', all.length, options.showsProgress);
  let [objects, bytes] = [0, 0];
  const sent = ({ size }: PlannedObject) => {
    bytes += size;
    shown.at(++objects, `${megabytes(bytes)} of ${megabytes(total)}`);
  };
  try {
    for (const stage of stages) await uploadAll(stage, options, sent);
  } finally {
    shown.end();
  }
}

async function uploadAll(
  stage: readonly PlannedObject[],
  { bucket, tree, lease, parallel, confirm }: UploadOptions,
  sent: (object: PlannedObject) => void,
): Promise<void> {
  const waiting = stage[Symbol.iterator]();
  const failed = new AbortController();
  const signal = AbortSignal.any([lease.signal, failed.signal]);
  // Each request listens to it several times.
  setMaxListeners(0, signal);
  const worker = async () => {
    for (const object of { [Symbol.iterator]: () => waiting }) {
      if (failed.signal.aborted) return;
      lease.check();
      await upload(bucket, tree, object, signal).catch((error: unknown) => {
        lease.check();
        throw error;
      });
      confirm(object.key);
      sent(object);
    }
  };
  let first: { readonly error: unknown } | undefined;
  const working = Array.from({ length: Math.min(parallel, stage.length) }, () =>
    worker().catch((error: unknown) => {
      first ??= { error };
      failed.abort();
    }),
  );
  // The first failure ends the others; all have ended before it is told.
  await Promise.all(working);
  if (first) throw first.error;
}

async function upload(
  bucket: Bucket,
  tree: TreeToPublish,
  { key, file, sha256, contentType, cacheControl, modified }: PlannedObject,
  signal: AbortSignal,
): Promise<void> {
  const object = {
    key,
    bytes: tree.read(file, sha256),
    sha256,
    contentType,
    ...(cacheControl === undefined ? {} : { cacheControl }),
    metadata: modified === undefined ? {} : { mtime: String(modified) },
  };
  await bucket.put(object, undefined, signal);
}
