/** A lease is a claim in the manifest. Publishers create, renew and end the claim with compare-and-swap writes. */

import { randomBytes } from 'node:crypto';
import { JSON_MEDIA_TYPE } from '../../../core/api/dialect.ts';
import { fail, finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import type { Claim } from '../../../core/tree/manifest/manifest.ts';
import { cacheControlIn } from '../../../core/tree/manifest/manifest-frame.ts';
import { splitClaim, withClaim } from '../../../system/trees/claimed-manifest.ts';
import { manifestInBytes } from '../../../system/trees/manifest-file.ts';
import type { Bucket, PutCondition } from './bucket-client.ts';
import { manifestKey, probeKey } from './bucket-objects.ts';
import { type BucketPlace, type BucketState, type Conditions, stateMetadata } from './bucket-state.ts';

interface LeaseOptions {
  readonly place: BucketPlace;
  readonly state: BucketState;
  readonly conditions: Conditions;
  readonly claim: Pick<Claim, 'nonce' | 'purpose' | 'revision' | 'begun'>;
  readonly seconds: number | undefined;
}

export interface Lease {
  /** Aborted when the lease ends unexpectedly. The publisher must not write afterwards. */
  readonly signal: AbortSignal;
  /** Replaces the manifest. This also ends the lease. */
  readonly commit: (manifest: Buffer, storage: string | undefined) => Promise<void>;
  /** Ends the lease early, so that other publishers do not wait. */
  readonly abandon: () => Promise<void>;
  readonly check: () => void;
}

export async function whileLeased<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await lease.abandon();
    throw error;
  }
}

export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/** The duration of a lease in seconds. The lease is renewed after half of this time. */
const LEASE_SECONDS = 300;

/** The last fraction of a lease's duration, in which the publisher sends no requests. */
const MARGIN = 0.2;
const ABANDON_MS = 5_000;
const MAX_SWAPS = 3;

export async function takeLease(options: LeaseOptions): Promise<Lease> {
  const { place, state, conditions, claim, seconds = LEASE_SECONDS } = options;
  const since = Math.floor(place.bucket.now());
  const swap = manifestSwapper(options);
  const lost = new AbortController();
  let lostBy: 'bucket-taken-over' | 'bucket-lease' | undefined;
  const lose = (by: 'bucket-taken-over' | 'bucket-lease') => {
    lostBy ??= by;
    lost.abort();
  };
  const claimed = (until: number) => withClaim(state.bytes, { ...claim, since, until });
  const metadata = stateMetadata(state.storage, conditions);
  const until = () => Math.ceil(place.bucket.now() + seconds);
  let started = clockReading();
  let etag = await swap(claimed(until()), metadata, state.etag);
  if (etag === undefined) return fail(finding('bucket-lost', { place: place.shown }));
  let renewing: Promise<void> | undefined;
  const renew = async () => {
    const renewedAt = clockReading();
    // A renewal without a response must not block `commit`.
    const next = await swap(claimed(until()), metadata, etag, lost.signal).catch(() => etag);
    if (lostBy) return;
    if (next === undefined) return lose('bucket-taken-over');
    if (next !== etag) started = renewedAt;
    etag = next;
    watch();
  };
  let timers: NodeJS.Timeout[] = [];
  const stop = () => timers.forEach(clearTimeout);
  const watch = () => {
    stop();
    const left = started.monotonic + seconds * 1000 - performance.now();
    timers = [
      setTimeout(() => (renewing = renew()), Math.max(left - (seconds * 1000) / 2, seconds * 50)),
      setTimeout(() => lose('bucket-lease'), left - MARGIN * seconds * 1000),
    ];
  };
  watch();
  const end = async () => {
    stop();
    await renewing;
    stop();
  };
  const check = () => {
    if (elapsedMs(started) > (1 - MARGIN) * seconds * 1000) lose('bucket-lease');
    if (lostBy) fail(finding(lostBy, { place: place.shown }));
  };
  return {
    signal: lost.signal,
    check,
    commit: async (manifest, storage) => {
      await end();
      const written = await swap(manifest, stateMetadata(storage, conditions), etag);
      if (written === undefined) fail(finding('bucket-taken-over', { place: place.shown }));
      await checkCommitted(options, manifest);
    },
    abandon: async () => {
      await end();
      if (lostBy) return;
      const timeout = AbortSignal.timeout(ABANDON_MS);
      await swap(claimed(since), metadata, etag, timeout).catch(() => undefined);
    },
  };
}

/** Fails if the store accepted the manifest without storing it. Another publisher may already have replaced it. */
async function checkCommitted({ place, state, claim }: LeaseOptions, manifest: Buffer): Promise<void> {
  const { bucket, prefix, shown } = place;
  const key = manifestKey(prefix);
  if (await bucket.holds({ key, bytes: manifest, sha256: sha256(manifest) })) return;
  const stored = await bucket.get(key);
  const other = stored && stored.etag !== state.etag ? splitClaim(stored.bytes) : undefined;
  const isWhole = other?.manifest !== undefined && manifestInBytes(other.manifest)?.findings.length === 0;
  if (!isWhole || other.claim?.nonce === claim.nonce) fail(finding('bucket-not-stored', { where: shown, key }));
}

/** Reads two clocks, because one clock stops while the machine sleeps. */
function clockReading() {
  return { monotonic: performance.now(), wall: Date.now() };
}

function elapsedMs({ monotonic, wall }: ReturnType<typeof clockReading>): number {
  return Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Returns the new ETag, or undefined if another publisher won. Reads the manifest if a response was lost. */
function manifestSwapper({ place, conditions, claim }: LeaseOptions) {
  const { bucket, prefix } = place;
  const key = manifestKey(prefix);
  return async (
    bytes: Buffer,
    metadata: Readonly<Record<string, string>>,
    etag: string | undefined,
    signal?: AbortSignal,
  ): Promise<string | undefined> => {
    const object = {
      key,
      bytes,
      metadata,
      sha256: sha256(bytes),
      contentType: JSON_MEDIA_TYPE,
      cacheControl: cacheControlIn(bytes).mutable,
    };
    for (let known = etag, tries = 0; tries < MAX_SWAPS; tries++) {
      const put = await bucket.put(object, conditionFor(known, conditions), signal);
      if (typeof put === 'object') return put.etag;
      const now = await bucket.get(key);
      if (now?.bytes.equals(bytes)) return now.etag;
      if (!now || splitClaim(now.bytes).claim?.nonce !== claim.nonce) return undefined;
      known = now.etag;
    }
    return undefined;
  };
}

/** Fails if the store has no conditional writes and `force` is not set. */
export async function storeConditions(
  { bucket, prefix, shown }: BucketPlace,
  known: Conditions | undefined,
  force: boolean,
): Promise<Conditions> {
  const conditions = known ?? (await detectConditions(bucket, probeKey(prefix, randomBytes(8).toString('hex'))));
  if (conditions === 'none' && !force) fail(finding('bucket-unconditional', { place: shown }));
  return conditions;
}

function conditionFor(etag: string | undefined, conditions: Conditions): PutCondition | undefined {
  if (conditions === 'none') return undefined;
  if (etag === undefined) return 'absent';
  return { etag: conditions === 'quoted' ? `"${etag}"` : etag };
}

async function detectConditions(bucket: Bucket, key: string): Promise<Conditions> {
  let count = 0;
  // Each body is different, so each ETag is different.
  const put = (condition?: PutCondition) => {
    const bytes = Buffer.from(`${key} ${count++}\n`);
    return bucket.put({ key, bytes, sha256: sha256(bytes), contentType: 'text/plain', metadata: {} }, condition);
  };
  const isKept = async (condition: PutCondition) => (await put(condition)) === 'refused';
  const first = await put();
  const etag = typeof first === 'object' ? first.etag : '';
  const other = { etag: `"${'0'.repeat(32)}"` };
  const isChecked = (await isKept('absent')) && (await isKept(other)) && (await isKept({ etag: '0'.repeat(32) }));
  let conditions: Conditions = 'none';
  if (isChecked && typeof (await put({ etag: `"${etag}"` })) === 'object') conditions = 'quoted';
  else if (isChecked && typeof (await put({ etag })) === 'object') conditions = 'bare';
  await bucket.remove([key]);
  return conditions;
}
