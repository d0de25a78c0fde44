/**
 * What a bucket says is published in it: known from its manifest alone, and from those of publications that were begun
 * and not finished. No other object is asked for.
 */

import type { CacheClass } from '../../../core/api/endpoints.ts';
import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import { type Claim, isLeaseValid } from '../../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../../core/tree/manifest/read-manifest.ts';
import type { DocumentsByPath } from '../../../core/tree/served-documents.ts';
import { splitClaim } from '../../../system/trees/claimed-manifest.ts';
import { manifestInBytes } from '../../../system/trees/manifest-file.ts';
import type { PublishOptions } from '../publish-options.ts';
import type { PublishedDocuments, PublishedState } from '../published-difference.ts';
import { publishedDocuments } from '../tree-to-publish.ts';
import type { Bucket, BucketAddress } from './bucket-client.ts';
import {
  isPastManifestAs,
  type KeyStyle,
  manifestKey,
  pastManifestKey,
  type StoredForm,
  storedForm,
  storedFormIn,
} from './bucket-objects.ts';

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
  readonly form: StoredForm;
  /** Undefined where nobody has tried yet. */
  readonly conditions: Conditions | undefined;
}

export async function readState({ bucket, prefix }: BucketPlace): Promise<BucketState> {
  const stored = await bucket.get(manifestKey(prefix));
  const { manifest: bytes, claim } = stored ? splitClaim(stored.bytes) : { manifest: undefined, claim: undefined };
  const manifest = bytes && manifestInBytes(bytes);
  const metadata = stored?.metadata ?? {};
  const { conditions } = metadata;
  return {
    etag: stored?.etag,
    bytes: manifest ? bytes : undefined,
    documents: manifest && wholeDocuments(manifest),
    isForeign: bytes !== undefined && !manifest,
    serial: manifest?.summary.serial,
    claim,
    form: storedFormIn(metadata),
    conditions: conditions === 'quoted' || conditions === 'bare' || conditions === 'none' ? conditions : undefined,
  };
}

function wholeDocuments(manifest: Manifest): DocumentsByPath | undefined {
  return manifest.findings.length === 0 ? publishedDocuments(manifest) : undefined;
}

export function stateMetadata(form: StoredForm, conditions: Conditions): Record<string, string> {
  return { ...form, conditions };
}

export async function publishedStateOf(
  { bucket, prefix, keys }: BucketPlace,
  { bytes, documents, form, claim }: BucketState,
): Promise<PublishedState> {
  const current = storedForm(keys);
  const comparable = (past: StoredDocuments | undefined): PublishedDocuments | undefined => {
    if (!past || past.form.storage !== current.storage) return undefined;
    const hasSameHeaders = (cache: CacheClass) => past.form[`headers-${cache}`] === current[`headers-${cache}`];
    return { documents: past.documents, hasSameHeaders };
  };
  const inProgress: PublishedState['inProgress'][number][] = [];
  for (const name of claim?.begun ?? []) inProgress.push(comparable(await readPastManifest(bucket, prefix, name)));
  if (!bytes) return { published: { documents: new Map(), hasSameHeaders: () => true }, inProgress };
  return { published: comparable(documents && { documents, form }), inProgress };
}

export interface StoredDocuments {
  readonly documents: DocumentsByPath;
  readonly form: StoredForm;
}

/** A manifest of those of all publications; undefined where it is not there, or not whole. */
export async function readPastManifest(
  bucket: Bucket,
  prefix: string,
  name: string,
): Promise<StoredDocuments | undefined> {
  const stored = await bucket.get(pastManifestKey(prefix, name));
  if (!stored || !isPastManifestAs(name, sha256(stored.bytes))) return undefined;
  const manifest = manifestInBytes(stored.bytes);
  const documents = manifest && wholeDocuments(manifest);
  return documents && { documents, form: storedFormIn(stored.metadata) };
}

/** Fails while somebody else's claim is in force. */
export function refuseClaimed({ bucket, shown }: BucketPlace, { claim }: BucketState): void {
  if (!claim || !isLeaseValid(claim, bucket.now())) return;
  const { since, until, purpose, revision } = claim;
  const what = purpose === 'prune' ? 'pruning' : `publication (revision ${(revision ?? '').slice(0, 8)})`;
  fail(finding('bucket-claimed', { place: shown, what, since, until }));
}

export interface BucketPlace {
  readonly bucket: Bucket;
  readonly prefix: string;
  readonly keys: KeyStyle;
  /** As messages name it: `s3://bucket/prefix`. */
  readonly shown: string;
  readonly identity: string;
}

/** The client is loaded on demand: no other command takes so long to load. */
export async function bucketPlace({
  destination,
  bucket: options,
}: Pick<PublishOptions, 'destination' | 'bucket'>): Promise<BucketPlace> {
  const [, name = '', below = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]+)(?:\/(.*))?$/i.exec(destination) ?? [];
  const segments = below.split('/').filter((segment) => segment !== '');
  if (name === '') fail(finding('bucket-address', { destination }));
  const segment = segments.find((each) => !/^[A-Za-z0-9._~-]+$/.test(each) || /^\.+$/.test(each));
  if (segment !== undefined) fail(finding('bucket-prefix', { destination, segment }));
  const { endpoint, keys } = options;
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) fail(finding('bad-url', { url: endpoint }));
  const prefix = segments.map((segment) => `/${segment}`).join('');
  const address: BucketAddress = { ...options, bucket: name };
  // Node 20 is supported here for longer than by the client, which would say so each time.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { openBucket } = await import('./bucket-client.ts');
  const shown = `s3://${name}${prefix}`;
  const identity = JSON.stringify([endpoint ?? '', shown, keys]);
  return { bucket: openBucket(address), prefix, keys, shown, identity };
}
