/**
 * Publishes a tree to a bucket. Two publishers cannot both succeed. An interrupted publication can be continued.
 *
 *     GET  _manifest.json              reads the published manifest and its ETag, then verifies all changed files
 *     PUT  _manifests/{new}.json       archives the new manifest for publishers that take over, and for pruning
 *     PUT  _manifest.json, If-Match    adds a claim to the published manifest; a second publisher fails here
 *     PUT  changed documents           immutable documents, items, collections, indexes, the root
 *     HEAD each uploaded object        checks that the store returns it
 *     PUT  _manifest.json, If-Match    replaces the manifest and so removes the claim
 *     HEAD _manifest.json              checks that the store returns it
 *
 * After an interruption, the same publisher continues with its journal. Other publishers wait until the claim expires.
 * They then upload the documents that differ from the published manifest or from an unfinished manifest.
 */

import { setMaxListeners } from 'node:events';
import { JSON_MEDIA_TYPE } from '../../../core/api/dialect.ts';
import { type Finding, fail, finding } from '../../../core/diagnostics/finding.ts';
import { megabytes } from '../../../core/diagnostics/words.ts';
import { cacheControlIn } from '../../../core/tree/manifest/manifest-frame.ts';
import { displayPath } from '../../../system/files/display-path.ts';
import { processIdentity } from '../../../system/files/folder-lock.ts';
import { replaceFile } from '../../../system/files/replace-file.ts';
import { reasonOf } from '../../../system/files/system-errors.ts';
import { progress } from '../../../system/terminal/progress.ts';
import type { Published, PublishOptions } from '../publish-options.ts';
import {
  changesText,
  describePublished,
  type PublishedDifference,
  publishedDifference,
  purgeText,
  type Summary,
  UPLOAD_STAGES,
  uploadStageOf,
} from '../published-difference.ts';
import type { BucketObject } from './bucket-client.ts';
import { type Lease, newNonce, storeConditions, takeLease, whileLeased } from './bucket-lease.ts';
import {
  objectsOf,
  type PlannedObject,
  pastManifestKey,
  pastManifestName,
  storageOf,
  type TreeToPublish,
  treeToPublish,
} from './bucket-objects.ts';
import {
  type BucketPlace,
  type BucketState,
  publishedStateOf,
  readState,
  rejectClaimed,
  stateMetadata,
  withBucket,
} from './bucket-state.ts';
import { type Journal, journalFile, publishJournal } from './journal.ts';

export function publishBucket(options: PublishOptions): Promise<Published> {
  return withBucket(options, (place) => publishTree(place, options));
}

async function publishTree(place: BucketPlace, options: PublishOptions): Promise<Published> {
  const folder = displayPath(options.tree);
  const tree = treeToPublish(options.tree, folder);
  const journal = publishJournal(journalFile(options.tree, place.identity, options.bucket.state), place.shown);
  const state = await readState(place);
  const isOurs = journal.interrupted?.head.nonces.includes(state.claim?.nonce ?? '') === true;
  rejectPublication(place, options, { state, tree, isOurs });
  const difference = publishedDifference(tree.documents, await publishedStateOf(place, state));
  const { head, confirmed } = journal.interrupted ?? {};
  const isResumed = isOurs && head?.manifest === tree.sha256 && head.destination === place.identity;
  const missing = stagesOf(difference, tree, place).map((stage) =>
    stage.filter(({ key }) => !isResumed || !confirmed?.has(key)),
  );
  const objects = missing.flat();
  const isPublished = state.bytes?.equals(tree.bytes) === true && !state.claim;
  const summary: Summary = {
    destination: place.shown,
    revision: tree.revision,
    serial: tree.serial,
    digest: tree.digest,
    difference,
    dryRun: options.dryRun,
    isUnchanged: isPublished && objects.length === 0,
    objects: objects.length,
    bytes: objects.reduce((sum, { size }) => sum + size, 0),
  };
  const reported = (findings: readonly Finding[]): Published => {
    const { record, text } = describePublished({ ...summary, requests: place.bucket.requests() });
    const changes = summary.isUnchanged ? '' : changesText(difference, ': gridpress prune removes it later');
    const { revision, serial } = tree;
    return { record, text: changes + text, findings, previous: state.revision, revision, serial, reloads: [] };
  };
  if (options.dryRun || summary.isUnchanged) return reported([]);
  const files = new Map(objects.map(({ file, sha256 }) => [file, sha256]));
  for (const [file, sha256] of files) tree.read(file, sha256);
  return reported(await send(place, options, { tree, state, journal, isResumed, missing, difference }));
}

function rejectPublication(
  place: BucketPlace,
  { force, older, dryRun }: PublishOptions,
  { state, tree, isOurs }: { readonly state: BucketState; readonly tree: TreeToPublish; readonly isOurs: boolean },
): void {
  if (state.isForeign && !force) fail(finding('bucket-foreign', { place: place.shown }));
  if (!older && state.serial !== undefined && state.serial > tree.serial)
    fail(finding('bucket-older', { place: place.shown, published: state.serial, serial: tree.serial }));
  if (!isOurs && !dryRun && !force) rejectClaimed(place, state);
}

interface UploadPlan {
  readonly tree: TreeToPublish;
  readonly state: BucketState;
  readonly journal: Journal;
  readonly isResumed: boolean;
  readonly missing: readonly (readonly PlannedObject[])[];
  readonly difference: PublishedDifference;
}

async function send(
  place: BucketPlace,
  options: PublishOptions,
  { tree, state, journal, isResumed, missing, difference }: UploadPlan,
): Promise<Finding[]> {
  const { keys, shown, prefix } = place;
  const conditions = await storeConditions(place, state.conditions, options.force);
  const findings: Finding[] = conditions === 'none' ? [finding('bucket-unguarded', { place: shown })] : [];
  const name = pastManifestName(tree.serial, tree.sha256);
  const storage = storageOf(keys);
  if (!isResumed) {
    const { bytes, sha256 } = tree;
    const [metadata, cacheable] = [stateMetadata(storage, conditions), cacheControlIn(bytes).immutable];
    const stored = { bytes, sha256, metadata, contentType: JSON_MEDIA_TYPE, cacheControl: cacheable };
    await putAndCheck(place, { key: pastManifestKey(prefix, name), ...stored });
  }
  const nonce = newNonce();
  const nonces = [...(journal.interrupted?.head.nonces ?? []), nonce];
  const head = { destination: place.identity, manifest: tree.sha256, nonces, process: processIdentity() };
  findings.push(...openJournal(journal, head, isResumed));
  try {
    const inProgress = [...new Set([...(state.claim?.begun ?? []), name])];
    const lease = await takeLease({
      place,
      state,
      conditions,
      seconds: options.bucket.leaseSeconds,
      claim: { nonce, purpose: 'publish', revision: tree.revision, begun: inProgress },
    });
    await whileLeased(lease, async () => {
      const { purgeFile, baseUrl, showsProgress } = options;
      const { parallel } = options.bucket;
      await uploadStages(missing, { place, tree, lease, parallel, confirm: journal.confirm, showsProgress });
      if (purgeFile !== undefined) replaceFile('', purgeFile, purgeText(difference.sent, baseUrl));
      await lease.commit(tree.bytes, storage);
    });
    journal.remove();
  } finally {
    journal.close();
  }
  return findings;
}

/** A publication without a journal works, but cannot be continued after an interruption. */
function openJournal(journal: Journal, head: Parameters<Journal['open']>[0], isResumed: boolean): Finding[] {
  try {
    journal.open(head, isResumed);
    return [];
  } catch (error) {
    return [finding('bucket-no-journal', { file: displayPath(journal.file), reason: reasonOf(error) })];
  }
}

function stagesOf({ sent }: PublishedDifference, { documents }: TreeToPublish, place: BucketPlace): PlannedObject[][] {
  const stages = new Map<string, PlannedObject[]>(UPLOAD_STAGES.map((stage) => [stage, []]));
  for (const { path } of sent) {
    const document = documents.get(path);
    if (document) stages.get(uploadStageOf(path))?.push(...objectsOf(path, document, place));
  }
  return [...stages.values()];
}

/** Fails if the store accepts an object without storing it. */
async function putAndCheck({ bucket, shown }: BucketPlace, object: BucketObject, signal?: AbortSignal): Promise<void> {
  await bucket.put(object, undefined, signal);
  if (!(await bucket.holds(object, signal))) fail(finding('bucket-not-stored', { where: shown, key: object.key }));
}

interface UploadOptions {
  readonly place: BucketPlace;
  readonly tree: TreeToPublish;
  readonly lease: Lease;
  readonly parallel: number;
  readonly confirm: (key: string) => void;
  readonly showsProgress: boolean;
}

async function uploadStages(stages: readonly (readonly PlannedObject[])[], options: UploadOptions): Promise<void> {
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
  { place, tree, lease, parallel, confirm }: UploadOptions,
  sent: (object: PlannedObject) => void,
): Promise<void> {
  const waiting = stage[Symbol.iterator]();
  const failed = new AbortController();
  const signal = AbortSignal.any([lease.signal, failed.signal]);
  // Each request adds several listeners.
  setMaxListeners(0, signal);
  const worker = async () => {
    for (const object of { [Symbol.iterator]: () => waiting }) {
      if (failed.signal.aborted) return;
      lease.check();
      const { file, size: _, modified, ...stored } = object;
      const metadata = modified === undefined ? {} : { mtime: String(modified) };
      const bytes = tree.read(file, object.sha256);
      await putAndCheck(place, { ...stored, bytes, metadata }, signal).catch((error: unknown) => {
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
  // The first failure aborts the other uploads. All uploads end before the failure is thrown.
  await Promise.all(working);
  if (first) throw first.error;
}
