/**
 * Removes objects that no manifest needs. Pruning takes the claim of a publication, so both never run at once.
 *
 *     GET    _manifest.json            reads the current manifest
 *     PUT    _manifest.json, If-Match  adds a claim to the manifest
 *     LIST   all keys; GET archived manifests; HEAD unlisted objects
 *     DELETE objects that no recent manifest needs, that are old enough and that belong to this API
 *     PUT    _manifest.json, If-Match  removes the claim
 */

import { fail, finding } from '../../../core/diagnostics/finding.ts';
import { byCodeUnit } from '../../../core/model/json.ts';
import { progress } from '../../../system/terminal/progress.ts';
import { MAX_DELETES, type Pruned, type PruneOptions } from '../publish-options.ts';
import type { ListedObject } from './bucket-client.ts';
import { type Lease, newNonce, storeConditions, takeLease, whileLeased } from './bucket-lease.ts';
import { classifyKey, keyStylesIn, keysOf, manifestKey, pastManifestKey } from './bucket-objects.ts';
import {
  type BucketPlace,
  type BucketState,
  readPastManifest,
  readState,
  rejectClaimed,
  type StoredDocuments,
  withBucket,
} from './bucket-state.ts';

export function pruneBucket(options: PruneOptions): Promise<Pruned> {
  return withBucket(options, (place) => pruneAt(place, options));
}

async function pruneAt(place: BucketPlace, options: PruneOptions): Promise<Pruned> {
  const { force, dryRun, maxDeletes: limit = MAX_DELETES.bucket } = options;
  const state = await readState(place);
  const { bytes } = state;
  if (!force && !dryRun) rejectClaimed(place, state);
  if ((state.claim?.begun ?? []).length > 0) fail(finding('bucket-unfinished', { place: place.shown }));
  if (state.isForeign) throwUnreadableManifest(place, manifestKey(place.prefix));
  if (!bytes) return fail(finding('bucket-nothing', { place: place.shown }));
  if (dryRun) return prunedOf(place, await obsoleteObjects(place, state, options), true);
  const conditions = await storeConditions(place, state.conditions, force);
  const lease = await takeLease({
    place,
    state,
    conditions,
    seconds: options.bucket.leaseSeconds,
    claim: { nonce: newNonce(), purpose: 'prune', begun: [] },
  });
  return await whileLeased(lease, async () => {
    const found = await obsoleteObjects(place, state, options);
    const { length } = found.own;
    if (length > limit) fail(finding('bucket-max-deletes', { found: length, limit }));
    await removeAll(place, found.own, lease, options.showsProgress);
    await lease.commit(bytes, state.storage);
    return prunedOf(place, found, false);
  });
}

const DELETE_BATCH = 1000;

async function removeAll(
  { bucket }: BucketPlace,
  found: readonly Candidate[],
  lease: Lease,
  showsProgress: boolean,
): Promise<void> {
  const shown = progress('Removing', found.length, showsProgress);
  try {
    for (let from = 0; from < found.length; from += DELETE_BATCH) {
      const some = found.slice(from, from + DELETE_BATCH).map(({ key }) => key);
      await bucket.remove(some, lease);
      shown.at(from);
    }
  } finally {
    shown.end();
  }
}

interface ObsoleteObjects {
  readonly own: readonly Candidate[];
  readonly unproven: readonly Candidate[];
}

async function obsoleteObjects(
  place: BucketPlace,
  state: BucketState,
  { keep, grace }: PruneOptions,
): Promise<ObsoleteObjects> {
  const { bucket, prefix, shown } = place;
  const listed: ListedObject[] = [];
  for await (const object of bucket.list(`${prefix}/`.slice(1))) listed.push(object);
  const key = manifestKey(prefix);
  if (!listed.some((object) => object.key === key)) fail(finding('bucket-cut-list', { where: shown, lacks: key }));
  const archived = pastManifestsIn(listed, prefix);
  const kept = archived.slice(0, keep);
  const needed = await neededKeys(place, state, kept);
  // Object times are whole seconds, so objects of the current second count as older.
  const before = Math.floor(bucket.now()) + 1 - grace * 3600;
  const candidates = pruneCandidates({ prefix, listed, before, isNeeded: (key) => needed.has(key) });
  const unproven = await unprovenObjects(place, candidates, archived);
  return { own: candidates.filter((each) => !unproven.has(each)), unproven: [...unproven] };
}

/** Fails if a manifest cannot be read, because its keys may still be needed. */
async function neededKeys(place: BucketPlace, state: BucketState, kept: readonly PastManifest[]): Promise<Set<string>> {
  const { bucket, prefix } = place;
  const needed = new Set([manifestKey(prefix)]);
  const need = (key: string, stored: StoredDocuments | undefined) => {
    if (!stored) return throwUnreadableManifest(place, key);
    for (const path of stored.documents.keys())
      for (const keys of keyStylesIn(stored.storage)) for (const key of keysOf(path, { prefix, keys })) needed.add(key);
  };
  need(manifestKey(prefix), state.documents && { documents: state.documents, storage: state.storage });
  for (const { name } of kept) {
    const key = pastManifestKey(prefix, name);
    needed.add(key);
    need(key, await readPastManifest(bucket, prefix, name));
  }
  return needed;
}

function throwUnreadableManifest({ shown }: BucketPlace, key: string): never {
  return fail(finding('bucket-unreadable-manifest', { place: shown, key }));
}

/** An object belongs to this API if an archived manifest lists the object, or if an upload set its metadata. */
async function unprovenObjects(
  { bucket, prefix }: BucketPlace,
  candidates: readonly Candidate[],
  archived: readonly PastManifest[],
): Promise<ReadonlySet<Candidate>> {
  const unproven = new Set(candidates);
  for (const { name } of unproven.size > 0 ? archived : []) {
    const listed = await readPastManifest(bucket, prefix, name);
    for (const candidate of unproven) {
      const { document } = candidate;
      if (document !== undefined && listed?.documents.has(document) === true) unproven.delete(candidate);
    }
  }
  for (const candidate of [...unproven]) {
    const metadata = await bucket.metadataOf(candidate.key);
    if (metadata?.['sha256'] !== undefined) unproven.delete(candidate);
  }
  return unproven;
}

const REASONS = {
  unneeded: 'no recent manifest lists it',
  'old-manifest': 'it is not a recent manifest',
  probe: 'it was written to test the store',
} as const;

const UNPROVEN_REASON = 'no manifest lists it, and it lacks the digest that gridpress stores';

function prunedOf({ bucket, shown }: BucketPlace, found: ObsoleteObjects, dryRun: boolean): Pruned {
  const removed = found.own.map(({ key, reason }) => ({ name: key, reason: REASONS[reason] }));
  const left = found.unproven.map(({ key }) => ({ name: key, reason: UNPROVEN_REASON }));
  return { destination: shown, dryRun, removed, left, requests: bucket.requests() };
}

interface PruneInput {
  readonly prefix: string;
  readonly listed: readonly ListedObject[];
  readonly isNeeded: (key: string) => boolean;
  /** The time in epoch seconds. Only objects that were written before this time are removed. */
  readonly before: number;
}

interface PastManifest {
  readonly name: string;
  readonly modified: number;
}

/** Returns the archived manifests of a bucket, latest first. */
export function pastManifestsIn(listed: readonly ListedObject[], prefix: string): PastManifest[] {
  const found = listed.flatMap(({ key, modified }) => {
    const kind = classifyKey(key, prefix);
    return typeof kind === 'object' && 'archived' in kind ? [{ name: kind.archived, modified }] : [];
  });
  return found.sort((a, b) => b.modified - a.modified || byCodeUnit(b.name, a.name));
}

interface Candidate {
  readonly key: string;
  readonly reason: keyof typeof REASONS;
  readonly document?: string;
}

export function pruneCandidates({ prefix, listed, isNeeded, before }: PruneInput): Candidate[] {
  return listed
    .filter(({ key, modified }) => modified < before && !isNeeded(key))
    .flatMap(({ key }) => candidate(key, prefix))
    .sort((a, b) => byCodeUnit(a.key, b.key));
}

function candidate(key: string, prefix: string): Candidate[] {
  const kind = classifyKey(key, prefix);
  if (!kind) return [];
  if (kind === 'probe') return [{ key, reason: 'probe' }];
  if ('archived' in kind) return [{ key, reason: 'old-manifest' }];
  return [{ key, reason: 'unneeded', document: kind.document }];
}
