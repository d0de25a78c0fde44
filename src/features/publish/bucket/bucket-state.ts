/** Reads the state of a bucket from the current manifest and the manifests of unfinished publications. */

import { parseBase } from '../../../core/client/parse-base.ts';
import { fail, finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import { type Claim, isLeaseValid } from '../../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../../core/tree/manifest/read-manifest.ts';
import type { DocumentsByPath } from '../../../core/tree/served-documents.ts';
import { splitClaim } from '../../../system/trees/claimed-manifest.ts';
import { manifestInBytes } from '../../../system/trees/manifest-file.ts';
import type { PublishOptions } from '../publish-options.ts';
import type { PublishedState } from '../published-difference.ts';
import type { Bucket, BucketAddress } from './bucket-client.ts';
import {
  isPastManifestAs,
  type KeyStyle,
  manifestKey,
  pastManifestKey,
  publishedDocuments,
  storageOf,
} from './bucket-objects.ts';

/** The form of ETags that the store accepts in `If-Match`. `none` means that the store has no conditional writes. */
export type Conditions = 'quoted' | 'bare' | 'none';

export interface BucketState {
  /** The ETag of the manifest. Undefined if no manifest exists. */
  readonly etag: string | undefined;
  /** The manifest without its claim. Undefined if another program wrote the object at the manifest's key. */
  readonly bytes: Buffer | undefined;
  /** The documents in the manifest. Undefined if the manifest is missing or incomplete. */
  readonly documents: DocumentsByPath | undefined;
  /** True if another program wrote the object at the manifest's key. */
  readonly isForeign: boolean;
  readonly serial: number | undefined;
  readonly revision: string | undefined;
  readonly claim: Claim | undefined;
  readonly storage: string | undefined;
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
    documents: wholeDocuments(manifest),
    isForeign: bytes !== undefined && !manifest,
    serial: manifest?.summary.serial,
    revision: manifest?.summary.revision,
    claim,
    storage: metadata['storage'],
    conditions: conditions === 'quoted' || conditions === 'bare' || conditions === 'none' ? conditions : undefined,
  };
}

function wholeDocuments(manifest: Manifest | undefined): DocumentsByPath | undefined {
  return manifest?.findings.length === 0 ? publishedDocuments(manifest) : undefined;
}

export function stateMetadata(storage: string | undefined, conditions: Conditions): Record<string, string> {
  return storage === undefined ? { conditions } : { storage, conditions };
}

export async function publishedStateOf(
  { bucket, prefix, keys }: BucketPlace,
  { bytes, documents, storage, claim }: BucketState,
): Promise<PublishedState> {
  const comparable = (past: StoredDocuments | undefined) =>
    past?.storage === storageOf(keys) ? past.documents : undefined;
  const begun = (claim?.begun ?? []).map((name) => readPastManifest(bucket, prefix, name));
  const inProgress = (await Promise.all(begun)).map(comparable);
  if (!bytes) return { published: new Map(), inProgress };
  return { published: comparable(documents && { documents, storage }), inProgress };
}

export interface StoredDocuments {
  readonly documents: DocumentsByPath;
  readonly storage: string | undefined;
}

/** Returns undefined if the manifest is missing or incomplete. */
export async function readPastManifest(
  bucket: Bucket,
  prefix: string,
  name: string,
): Promise<StoredDocuments | undefined> {
  const stored = await bucket.get(pastManifestKey(prefix, name));
  if (!stored || !isPastManifestAs(name, sha256(stored.bytes))) return undefined;
  const documents = wholeDocuments(manifestInBytes(stored.bytes));
  return documents && { documents, storage: stored.metadata['storage'] };
}

export function rejectClaimed({ bucket, shown }: BucketPlace, { claim }: BucketState): void {
  if (!claim || !isLeaseValid(claim, bucket.now())) return;
  const { since, until, purpose, revision } = claim;
  const what = purpose === 'prune' ? 'pruning' : `publication (revision ${(revision ?? '').slice(0, 8)})`;
  fail(finding('bucket-claimed', { place: shown, what, since, until }));
}

export interface BucketPlace {
  readonly bucket: Bucket;
  readonly prefix: string;
  readonly keys: KeyStyle;
  /** The name of the bucket in messages: `s3://bucket/prefix`. */
  readonly shown: string;
  readonly identity: string;
}

export async function withBucket<T>(
  options: Pick<PublishOptions, 'destination' | 'bucket'>,
  work: (place: BucketPlace) => Promise<T>,
): Promise<T> {
  const place = await bucketPlace(options);
  try {
    return await work(place);
  } finally {
    place.bucket.close();
  }
}

/** Only this function loads the S3 client, because loading it takes time. */
async function bucketPlace({
  destination,
  bucket: options,
}: Pick<PublishOptions, 'destination' | 'bucket'>): Promise<BucketPlace> {
  const [, name = '', below = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]+)(?:\/(.*))?$/i.exec(destination) ?? [];
  const segments = below.split('/').filter((segment) => segment !== '');
  if (name === '') fail(finding('bucket-address', { destination }));
  const segment = segments.find((each) => !/^[A-Za-z0-9._~-]+$/.test(each) || /^\.+$/.test(each));
  if (segment !== undefined) fail(finding('bucket-prefix', { destination, segment }));
  const { endpoint, keys } = options;
  if (endpoint !== undefined) parseBase(endpoint);
  const prefix = segments.map((segment) => `/${segment}`).join('');
  const address: BucketAddress = { ...options, bucket: name };
  // Hides the S3 client's warning about Node 20, which gridpress still supports.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { openBucket } = await import('./bucket-client.ts');
  const shown = `s3://${name}${prefix}`;
  const identity = JSON.stringify([endpoint ?? '', shown, keys]);
  return { bucket: openBucket(address), prefix, keys, shown, identity };
}
