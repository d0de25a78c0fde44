/**
 * What a bucket says is published in it: known from its manifest alone, and from those of publications that were begun
 * and not finished. No other object is asked for.
 */

import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import type { Claim } from '../../../core/tree/claim.ts';
import { manifestText, splitClaim } from '../../../system/trees/manifest-bytes.ts';
import type { DocumentsByPath, PublishedState } from '../published-difference.ts';
import { wholeDocumentsIn } from '../tree-to-publish.ts';
import type { Bucket, StoredObject } from './bucket-client.ts';
import {
  isPastManifestAs,
  type KeyStyle,
  manifestKey,
  pastManifestKey,
  storageOf,
} from './bucket-objects.ts';
import type { BucketPlace } from './bucket-place.ts';

/** What a store makes of conditions: it wants ETags in quotes or without, or passes over them. */
export type Conditions = 'quoted' | 'bare' | 'none';

export interface BucketState {
  /** Of what stands there as the manifest; undefined where nothing does. */
  readonly etag: string | undefined;
  /** Of ours, without any claim. */
  readonly manifest: Buffer | undefined;
  /** Whether there is something else than a manifest of ours. */
  readonly isForeign: boolean;
  readonly revision: string | undefined;
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
  const { manifest, claim } = stored ? splitClaim(stored.bytes) : { manifest: undefined, claim: undefined };
  const summary = manifest && manifestText(manifest)?.summary;
  const said = stored?.metadata[CONDITIONS];
  return {
    etag: stored?.etag,
    manifest: summary ? manifest : undefined,
    isForeign: manifest !== undefined && !summary,
    revision: summary?.revision,
    serial: summary?.serial,
    claim,
    storage: stored && storageIn(stored),
    conditions: said === 'quoted' || said === 'bare' || said === 'none' ? said : undefined,
  };
}

/** What the manifest's object is to say of itself. */
export function stateMetadata(storage: string | undefined, conditions: Conditions): Record<string, string> {
  return { ...(storage === undefined ? {} : { [STORAGE]: storage }), [CONDITIONS]: conditions };
}

/** What may stand in the bucket now. */
export async function publishedStateOf(
  { bucket, prefix, keys }: BucketPlace,
  { manifest, storage, claim }: BucketState,
): Promise<PublishedState> {
  const inProgress: (DocumentsByPath | undefined)[] = [];
  for (const name of claim?.begun ?? []) {
    const archived = await readPastManifest(bucket, prefix, name);
    inProgress.push(archived?.storage === storageOf(keys) ? archived.documents : undefined);
  }
  if (!manifest) return { documents: new Map(), inProgress };
  return { documents: storage === storageOf(keys) ? wholeDocumentsIn(manifest) : undefined, inProgress };
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
  const documents = wholeDocumentsIn(stored.bytes);
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
  if (!claim || claim.until <= bucket.now()) return;
  const { since, until, purpose, revision } = claim;
  const what = purpose === 'prune' ? 'pruning' : `publication (revision ${(revision ?? '').slice(0, 8)})`;
  fail(finding('bucket-claimed', { place: shown, what, since, until }));
}
