/**
 * Removing from a bucket what no manifest needs any more: under the same claim as a publication, so that the two never
 * run side by side.
 *
 *     GET    _manifest.json            what is there
 *     PUT    _manifest.json, If-Match  the same with a claim
 *     LIST   everything; GET the manifests in _manifests; HEAD what none of them lists
 *     DELETE what is needed by none of the last ones, is old enough and proves to be ours
 *     PUT    _manifest.json, If-Match  the same without the claim
 */

import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { grouped, plural } from '../../../core/diagnostics/words.ts';
import type { DocumentsByPath } from '../../../core/tree/served-documents.ts';
import { progress } from '../../../system/terminal/progress.ts';
import type { BucketPruneOptions, PublishedBucket, PublishOptions } from '../publish-options.ts';
import { conditionsOf } from './bucket-conditions.ts';
import { LEASE_SECONDS, type Lease, newNonce, takeLease } from './bucket-lease.ts';
import { keysOf, manifestKey, pastManifestKey } from './bucket-objects.ts';
import type { BucketPlace } from './bucket-place.ts';
import { type BucketState, keysIn, readPastManifest, readState, refuseClaimed } from './bucket-state.ts';
import {
  type Candidate,
  type PastManifest,
  type PruneReason,
  pastManifestsIn,
  pruneCandidates,
  type StoredKey,
} from './prune-plan.ts';

export async function pruneBucket(
  place: BucketPlace,
  options: PublishOptions,
  prune: BucketPruneOptions,
): Promise<PublishedBucket> {
  const state = await readState(place);
  const { bytes } = state;
  if (!options.force && !options.dryRun) refuseClaimed(place, state);
  if ((state.claim?.begun ?? []).length > 0) fail(finding('bucket-unfinished', { place: place.shown }));
  if (state.isForeign) unreadable(place, manifestKey(place.prefix));
  if (!bytes) return fail(finding('bucket-nothing', { place: place.shown }));
  if (options.dryRun) {
    const found = await proven(place, state, prune);
    return told(place, found, true);
  }
  const conditions = await conditionsOf(place, state.conditions, options.force);
  const lease = await takeLease({
    ...{ place, state, conditions, seconds: options.bucket.leaseSeconds ?? LEASE_SECONDS },
    claim: { nonce: newNonce(), purpose: 'prune', begun: [] },
  });
  try {
    const found = await proven(place, state, prune);
    const { length } = found;
    const limit = prune.maxDeletes;
    if (length > limit) fail(finding('bucket-max-deletes', { found: length, limit }));
    await removeAll(place, found, lease, options.showsProgress);
    await lease.commit(bytes, state.storage);
    return told(place, found, false);
  } catch (error) {
    await lease.abandon();
    throw error;
  }
}

const AT_ONCE = 1000;

async function removeAll(
  { bucket }: BucketPlace,
  found: readonly Candidate[],
  lease: Lease,
  showsProgress: boolean,
): Promise<void> {
  const shown = progress('Removing', found.length, showsProgress);
  try {
    for (let from = 0; from < found.length; from += AT_ONCE) {
      const some = found.slice(from, from + AT_ONCE).map(({ key }) => key);
      await bucket.remove(some, lease);
      shown.at(from);
    }
  } finally {
    shown.end();
  }
}

/** What is to be removed, each proved to be ours. */
async function proven(
  place: BucketPlace,
  state: BucketState,
  { keep, grace }: BucketPruneOptions,
): Promise<Candidate[]> {
  const { bucket, prefix } = place;
  const listed: StoredKey[] = [];
  for await (const object of bucket.list(`${prefix}/`.slice(1))) listed.push(object);
  const archived = pastManifestsIn(listed, prefix);
  const kept = archived.slice(0, keep);
  const needed = await neededKeys(place, state, kept);
  // Stores tell whole seconds: what was written in this one is past too.
  const before = Math.floor(bucket.now()) + 1 - grace * 3600;
  const candidates = pruneCandidates({ prefix, listed, before, isNeeded: (key) => needed.has(key) });
  return provenOf(place, candidates, archived);
}

/**
 * The manifest that is there counts whether or not it is among the last. Fails where one of them cannot be read in full:
 * what it needs is not known then.
 */
async function neededKeys(
  place: BucketPlace,
  state: BucketState,
  kept: readonly PastManifest[],
): Promise<Set<string>> {
  const { bucket, prefix } = place;
  const needed = new Set([manifestKey(prefix)]);
  const need = (key: string, documents: DocumentsByPath | undefined, storage: string | undefined) => {
    if (!documents) return unreadable(place, key);
    for (const path of documents.keys())
      for (const keys of keysIn(storage)) for (const key of keysOf(path, { prefix, keys })) needed.add(key);
  };
  need(manifestKey(prefix), state.documents, state.storage);
  for (const { name } of kept) {
    const key = pastManifestKey(prefix, name);
    const archived = await readPastManifest(bucket, prefix, name);
    needed.add(key);
    need(key, archived?.documents, archived?.storage);
  }
  return needed;
}

function unreadable({ shown }: BucketPlace, key: string): never {
  return fail(finding('bucket-unreadable-manifest', { place: shown, key }));
}

async function provenOf(
  { bucket, prefix }: BucketPlace,
  candidates: readonly Candidate[],
  archived: readonly PastManifest[],
): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const unproven = new Set(candidates);
  const prove = (isProven: (candidate: Candidate) => boolean) => {
    for (const candidate of unproven) if (isProven(candidate)) unproven.delete(candidate);
  };
  for (const { name } of archived) {
    const listed = await readPastManifest(bucket, prefix, name);
    prove(({ document }) => document !== undefined && listed?.documents.has(document) === true);
  }
  for (const candidate of [...unproven]) {
    const metadata = await bucket.metadataOf(candidate.key);
    if (metadata?.['sha256'] !== undefined) unproven.delete(candidate);
  }
  return candidates.filter((candidate) => !unproven.has(candidate));
}

const REASONS: Readonly<Record<PruneReason, string>> = {
  unneeded: 'none of the last manifests has it',
  'old-manifest': 'it is none of the last manifests',
  probe: 'it was written to try the store',
};

function told(
  { bucket, shown }: BucketPlace,
  found: readonly Candidate[],
  isDryRun: boolean,
): PublishedBucket {
  const removed = found.map(({ key, reason }) => ({ key, reason: REASONS[reason] }));
  const requests = bucket.requests();
  const record = { destination: shown, dry_run: isDryRun, objects: found.length, requests };
  const lines = removed.map(({ key, reason }) => `delete ${key}: ${reason}\n`).join('');
  const text = isDryRun
    ? `${lines}It would remove ${plural(found.length, 'object')}.\n`
    : `Removed ${plural(found.length, 'object')} from ${shown}, ${grouped(requests)} requests.\n`;
  return { record: isDryRun ? { ...record, removed } : record, text, findings: [] };
}
