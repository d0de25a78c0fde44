/**
 * What a bucket says is published in it: known from its manifest alone, and from those of publications that were begun
 * and not finished. No other object is asked for.
 */

import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import { type Claim, isLeaseValid } from '../../../core/tree/manifest/claim.ts';
import type { Manifest } from '../../../core/tree/manifest/read-manifest.ts';
import type { DocumentsByPath } from '../../../core/tree/served-documents.ts';
import { splitClaim } from '../../../system/trees/claimed-manifest.ts';
import { manifestInBytes } from '../../../system/trees/manifest-file.ts';
import type { PublishedState } from '../published-difference.ts';
import { publishedDocuments } from '../tree-to-publish.ts';
import type { Bucket, StoredObject } from './bucket-client.ts';
import { isPastManifestAs, type KeyStyle, manifestKey, pastManifestKey, storageOf } from './bucket-objects.ts';
import type { BucketPlace } from './bucket-place.ts';

/** What a store makes of conditions: it wants ETags in quotes or without, or passes over them. */
export type Conditions = 'quoted' | 'bare' | 'none';

export interface BucketState {
  /** Of what stands there as the manifest; undefined where nothing does. */
  readonly etag: string | undefined;
  /** The manifest, if it is ours, without any claim. */
  readonly bytes: Buffer | undefined;
  /** What it lists; undefined where there is none, or where it is not whole: what is listed in part is worse than nothing. */
  readonly documents: DocumentsByPath | undefined;
  /** Whether there is something else than a manifest of ours. */
  readonly isForeign: boolean;
  readonly serial: number | undefined;
  readonly claim: Claim | undefined;
  /** How the documents are stored; undefined where that is not said. */
  readonly storage: string | undefined;
  /** Undefined where nobody has tried yet. */
  readonly conditions: Conditions | undefined;
}

/** The names of what a manifest's object says besides its bytes. */
const STORAGE = 'storage';
const CONDITIONS = 'conditions';

export async function readState({ bucket, prefix }: BucketPlace): Promise<BucketState> {
  const stored = await bucket.get(manifestKey(prefix));
  const { manifest: bytes, claim } = stored ? splitClaim(stored.bytes) : { manifest: undefined, claim: undefined };
  const manifest = bytes && manifestInBytes(bytes);
  const conditions = stored?.metadata[CONDITIONS];
  return {
    etag: stored?.etag,
    bytes: manifest ? bytes : undefined,
    documents: manifest && wholeDocuments(manifest),
    isForeign: bytes !== undefined && !manifest,
    serial: manifest?.summary.serial,
    claim,
    storage: stored && storageIn(stored),
    conditions: conditions === 'quoted' || conditions === 'bare' || conditions === 'none' ? conditions : undefined,
  };
}

function wholeDocuments(manifest: Manifest): DocumentsByPath | undefined {
  return manifest.findings.length === 0 ? publishedDocuments(manifest) : undefined;
}

/** What the manifest's object is to say of itself. */
export function stateMetadata(storage: string | undefined, conditions: Conditions): Record<string, string> {
  return { ...(storage === undefined ? {} : { [STORAGE]: storage }), [CONDITIONS]: conditions };
}

/** What may stand in the bucket now. */
export async function publishedStateOf(
  { bucket, prefix, keys }: BucketPlace,
  { bytes, documents, storage, claim }: BucketState,
): Promise<PublishedState> {
  const inProgress: (DocumentsByPath | undefined)[] = [];
  for (const name of claim?.begun ?? []) {
    const past = await readPastManifest(bucket, prefix, name);
    inProgress.push(past?.storage === storageOf(keys) ? past.documents : undefined);
  }
  if (!bytes) return { documents: new Map(), inProgress };
  return { documents: storage === storageOf(keys) ? documents : undefined, inProgress };
}

export interface PastManifestDocuments {
  readonly documents: DocumentsByPath;
  readonly storage: string | undefined;
}

/** A manifest of those of all publications; undefined where it is not there, or not whole. */
export async function readPastManifest(
  bucket: Bucket,
  prefix: string,
  name: string,
): Promise<PastManifestDocuments | undefined> {
  const stored = await bucket.get(pastManifestKey(prefix, name));
  if (!stored || !isPastManifestAs(name, sha256(stored.bytes))) return undefined;
  const manifest = manifestInBytes(stored.bytes);
  const documents = manifest && wholeDocuments(manifest);
  return documents && { documents, storage: storageIn(stored) };
}

/** How the documents of a manifest are stored; undefined where its object does not say it. */
function storageIn({ metadata }: StoredObject): string | undefined {
  return metadata[STORAGE];
}

/** The keys that there may be. */
export function keysIn(storage: string | undefined): KeyStyle[] {
  const styles: readonly KeyStyle[] = ['exact', 'index'];
  const known = styles.filter((keys) => storage === storageOf(keys));
  return known.length > 0 ? known : [...styles];
}

/** Fails while somebody else's claim is in force. */
export function refuseClaimed({ bucket, shown }: BucketPlace, { claim }: BucketState): void {
  if (!claim || !isLeaseValid(claim, bucket.now())) return;
  const { since, until, purpose, revision } = claim;
  const what = purpose === 'prune' ? 'pruning' : `publication (revision ${(revision ?? '').slice(0, 8)})`;
  fail(finding('bucket-claimed', { place: shown, what, since, until }));
}
