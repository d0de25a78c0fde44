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
import { byCodeUnit } from '../../../core/model/json.ts';
import { progress } from '../../../system/terminal/progress.ts';
import { MAX_DELETES, type Pruned, type PruneOptions } from '../publish-options.ts';
import { LEASE_SECONDS, type Lease, newNonce, storeConditions, takeLease } from './bucket-lease.ts';
import { keyStylesIn, keysOf, kindOfKey, manifestKey, pastManifestKey } from './bucket-objects.ts';
import {
  type BucketPlace,
  type BucketState,
  bucketPlace,
  readPastManifest,
  readState,
  refuseClaimed,
  type StoredDocuments,
} from './bucket-state.ts';

export async function pruneBucket(options: PruneOptions): Promise<Pruned> {
  const place = await bucketPlace(options);
  try {
    return await pruneAt(place, options);
  } finally {
    place.bucket.close();
  }
}

async function pruneAt(place: BucketPlace, options: PruneOptions): Promise<Pruned> {
  const { force, dryRun, maxDeletes: limit = MAX_DELETES.bucket } = options;
  const state = await readState(place);
  const { bytes } = state;
  if (!force && !dryRun) refuseClaimed(place, state);
  if ((state.claim?.begun ?? []).length > 0) fail(finding('bucket-unfinished', { place: place.shown }));
  if (state.isForeign) unreadable(place, manifestKey(place.prefix));
  if (!bytes) return fail(finding('bucket-nothing', { place: place.shown }));
  if (dryRun) return prunedOf(place, await obsoleteObjects(place, state, options), true);
  const conditions = await storeConditions(place, state.conditions, force);
  const lease = await takeLease({
    place,
    state,
    conditions,
    seconds: options.bucket.leaseSeconds ?? LEASE_SECONDS,
    claim: { nonce: newNonce(), purpose: 'prune', begun: [] },
  });
  try {
    const found = await obsoleteObjects(place, state, options);
    const { length } = found.own;
    if (length > limit) fail(finding('bucket-max-deletes', { found: length, limit }));
    await removeAll(place, found.own, lease, options.showsProgress);
    await lease.commit(bytes, state.form);
    return prunedOf(place, found, false);
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

interface ObsoleteObjects {
  readonly own: readonly Candidate[];
  readonly unproven: readonly Candidate[];
}

async function obsoleteObjects(
  place: BucketPlace,
  state: BucketState,
  { keep, grace }: PruneOptions,
): Promise<ObsoleteObjects> {
  const { bucket, prefix } = place;
  const listed: StoredKey[] = [];
  for await (const object of bucket.list(`${prefix}/`.slice(1))) listed.push(object);
  const archived = pastManifestsIn(listed, prefix);
  const kept = archived.slice(0, keep);
  const needed = await neededKeys(place, state, kept);
  // Stores tell whole seconds: what was written in this one is past too.
  const before = Math.floor(bucket.now()) + 1 - grace * 3600;
  const candidates = pruneCandidates({ prefix, listed, before, isNeeded: (key) => needed.has(key) });
  const unproven = await unprovenAmong(place, candidates, archived);
  return { own: candidates.filter((each) => !unproven.has(each)), unproven: [...unproven] };
}

/**
 * The manifest that is there counts whether or not it is among the last. Fails where one of them cannot be read in full:
 * what it needs is not known then.
 */
async function neededKeys(place: BucketPlace, state: BucketState, kept: readonly PastManifest[]): Promise<Set<string>> {
  const { bucket, prefix } = place;
  const needed = new Set([manifestKey(prefix)]);
  const need = (key: string, stored: StoredDocuments | undefined) => {
    if (!stored) return unreadable(place, key);
    for (const path of stored.documents.keys())
      for (const keys of keyStylesIn(stored.form)) for (const key of keysOf(path, { prefix, keys })) needed.add(key);
  };
  need(manifestKey(prefix), state.documents && { documents: state.documents, form: state.form });
  for (const { name } of kept) {
    const key = pastManifestKey(prefix, name);
    needed.add(key);
    need(key, await readPastManifest(bucket, prefix, name));
  }
  return needed;
}

function unreadable({ shown }: BucketPlace, key: string): never {
  return fail(finding('bucket-unreadable-manifest', { place: shown, key }));
}

async function unprovenAmong(
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

const REASONS: Readonly<Record<PruneReason, string>> = {
  unneeded: 'none of the last manifests has it',
  'old-manifest': 'it is none of the last manifests',
  probe: 'it was written to try the store',
};

const UNPROVEN = 'no manifest lists it, and it does not carry the digest that gridpress leaves';

function prunedOf({ bucket, shown }: BucketPlace, found: ObsoleteObjects, dryRun: boolean): Pruned {
  const removed = found.own.map(({ key, reason }) => ({ name: key, reason: REASONS[reason] }));
  const left = found.unproven.map(({ key }) => ({ name: key, reason: UNPROVEN }));
  return { destination: shown, dryRun, removed, left, requests: bucket.requests() };
}

/**
 * Which objects of a bucket no manifest needs any more. Only objects of our kind that prove to be ours are removed: those
 * that one of the manifests of all publications lists, and those that carry the digest which every upload leaves.
 */
export interface StoredKey {
  readonly key: string;
  /** Epoch seconds. */
  readonly modified: number;
}

export interface PruneInput {
  readonly prefix: string;
  readonly listed: readonly StoredKey[];
  readonly isNeeded: (key: string) => boolean;
  /** Objects stay that were written at or after it, in epoch seconds. */
  readonly before: number;
}

export interface PastManifest {
  readonly name: string;
  readonly modified: number;
}

/** The manifests of all publications that were begun, the newest first, as they were last published. */
export function pastManifestsIn(listed: readonly StoredKey[], prefix: string): PastManifest[] {
  const found = listed.flatMap(({ key, modified }) => {
    const kind = kindOfKey(key, prefix);
    return typeof kind === 'object' && 'archived' in kind ? [{ name: kind.archived, modified }] : [];
  });
  return found.sort((a, b) => b.modified - a.modified || byCodeUnit(b.name, a.name));
}

export type PruneReason = 'unneeded' | 'old-manifest' | 'probe';

export interface Candidate {
  readonly key: string;
  readonly reason: PruneReason;
  readonly document?: string;
}

export function pruneCandidates({ prefix, listed, isNeeded, before }: PruneInput): Candidate[] {
  return listed
    .filter(({ key, modified }) => modified < before && !isNeeded(key))
    .flatMap(({ key }) => candidate(key, prefix))
    .sort((a, b) => byCodeUnit(a.key, b.key));
}

function candidate(key: string, prefix: string): Candidate[] {
  const kind = kindOfKey(key, prefix);
  if (!kind) return [];
  if (kind === 'probe') return [{ key, reason: 'probe' }];
  if ('archived' in kind) return [{ key, reason: 'old-manifest' }];
  return [{ key, reason: 'unneeded', document: kind.document }];
}
