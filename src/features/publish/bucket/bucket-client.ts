/** Sends S3 requests for publishing. Request bodies are buffers, because some stores reject streams. */

import { createRequire } from 'node:module';
import { pipeline, Readable, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { Failure, fail, finding } from '../../../core/diagnostics/finding.ts';
import { FILE_BYTES, LISTING_BYTES } from '../../../core/platform/limits.ts';
import { lazily } from '../../../core/platform/on-demand.ts';
import { MANIFEST_LIMITS } from '../../../core/tree/manifest/read-manifest.ts';
import { withRetries } from '../../../system/client/retry.ts';
import { codeOf } from '../../../system/files/system-errors.ts';
import type { BucketOptions } from '../publish-options.ts';
import { errorOf, failureOf, property, retryWait, storeName, timeoutError } from './bucket-errors.ts';

export interface BucketAddress extends Omit<BucketOptions, 'keys' | 'state' | 'leaseSeconds'> {
  readonly bucket: string;
  /** The maximum number of parts of a list. A part usually has 1,000 keys. */
  readonly maxParts?: number;
}

export interface BucketObject {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** The hexadecimal digest of `bytes`. Stores that support checksums verify this digest. */
  readonly sha256: string;
  readonly contentType: string;
  readonly cacheControl?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * With `absent`, a write fails if the object exists. With `etag`, a write fails if the object has another ETag. Some
 * stores need quotes in `etag`.
 */
export type PutCondition = 'absent' | { readonly etag: string };

export interface StoredObject {
  readonly bytes: Buffer;
  /** The ETag has no quotes. */
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ListedObject {
  readonly key: string;
  /** The modification time in epoch seconds. */
  readonly modified: number;
}

export interface Bucket {
  readonly get: (key: string) => Promise<StoredObject | undefined>;
  /** Returns the ETag without quotes. Returns `refused` if the condition is false. */
  readonly put: (
    object: BucketObject,
    condition?: PutCondition,
    signal?: AbortSignal,
  ) => Promise<{ readonly etag: string } | 'refused' | 'unsupported'>;
  readonly metadataOf: (key: string) => Promise<Readonly<Record<string, string>> | undefined>;
  /** Whether the store returns the size and the digest of this object. Asks again, because stores can be slow. */
  readonly holds: (object: Pick<BucketObject, 'key' | 'bytes' | 'sha256'>, signal?: AbortSignal) => Promise<boolean>;
  /** Lists each key once, although some stores repeat keys. */
  readonly list: (prefix: string) => AsyncGenerator<ListedObject>;
  readonly remove: (keys: readonly string[], guard?: Guard) => Promise<void>;
  /** Returns the time of the store in epoch seconds. Until the store responds, returns the time of this machine. */
  readonly now: () => number;
  readonly requests: () => number;
  readonly close: () => void;
}

/** Stops changes to the bucket after the publisher has lost its claim. */
export interface Guard {
  readonly signal: AbortSignal;
  readonly check: () => void;
}

export const S3_CLIENT = '@aws-sdk/client-s3@3.1169.0';

const require = createRequire(import.meta.url);

const sdk = lazily((): typeof import('@aws-sdk/client-s3') => {
  try {
    return require('@aws-sdk/client-s3');
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') fail(finding('bucket-no-client', { install: S3_CLIENT }));
    throw error;
  }
});

const MAX_BULK_DELETES = 1000;
/** The maximum number of reads of an uploaded object until the store returns it. */
const READS = 4;
const MAX_PARTS = 20_000;
const MAX_KEYS = MANIFEST_LIMITS.entries;

export function openBucket(address: BucketAddress): Bucket {
  const { bucket: Bucket, pauseMs = 200, maxParts = MAX_PARTS, timeoutMs = REQUEST_MS } = address;
  const where = storeName(address);
  const client = clientOf(address);
  let requests = 0;
  let offset: number | undefined;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        requests++;
        const answer = await next(args);
        offset = clockOffset(answer.response) ?? offset;
        // `get` limits the size of objects.
        const isObject = commandName === 'GetObjectCommand' && property(answer.response, 'statusCode') === 200;
        limitBody(answer.response, { bytes: isObject ? Number.POSITIVE_INFINITY : FILE_BYTES, timeoutMs, where });
        return answer;
      },
    // The last step before the network also sees repeated attempts and error responses.
    { step: 'deserialize', priority: 'low' },
  );
  const tried = <T>(work: () => Promise<T>, signal?: AbortSignal) =>
    withRetries(work, {
      nextDelay: (given, tries) => ('error' in given ? retryWait(given.error, tries, offset !== undefined) : undefined),
      pauseMs,
      signal,
    }).catch((error: unknown) => {
      throw failureOf(error, address);
    });
  const found = <T>(work: () => Promise<T>, signal?: AbortSignal) =>
    tried(
      () => work().catch((error: unknown) => (errorOf(error).isAbsent ? undefined : Promise.reject(error))),
      signal,
    );
  const head = (Key: string, signal?: AbortSignal) =>
    found(async () => {
      const command = new (sdk().HeadObjectCommand)({ Bucket, Key });
      const { Metadata, ContentLength } = await client.send(command, signal ? { abortSignal: signal } : {});
      return { metadata: Metadata ?? {}, size: ContentLength };
    }, signal);
  return {
    get: (Key) =>
      found(async () => {
        const answer = await client.send(new (sdk().GetObjectCommand)({ Bucket, Key }));
        const { Body, ContentLength: size = LISTING_BYTES, ETag = '', Metadata = {} } = answer;
        const bytes = await bytesOf(
          Body as AsyncIterable<Uint8Array> | undefined,
          Math.min(size, MANIFEST_LIMITS.bytes),
        );
        if (!bytes) return fail(finding('bucket-too-large', { key: Key }));
        return { bytes, etag: unquoted(ETag), metadata: Metadata };
      }),
    put: (object, condition, signal) =>
      tried(async () => {
        const command = new (sdk().PutObjectCommand)({ Bucket, ...putInput(object, condition) });
        try {
          const { ETag = '' } = await client.send(command, signal ? { abortSignal: signal } : {});
          return { etag: unquoted(ETag) };
        } catch (error) {
          if (condition !== undefined && errorOf(error).isRefusal) return 'refused';
          if (condition !== undefined && errorOf(error).isUnsupported) return 'unsupported';
          throw error;
        }
      }, signal),
    metadataOf: async (key) => (await head(key))?.metadata,
    holds: ({ key, sha256, bytes }, signal) =>
      withRetries(
        async () => {
          const stored = await head(key, signal);
          if (!stored) return false;
          const { metadata, size } = stored;
          const { sha256: digest } = metadata;
          // Some stores keep no metadata. An answer with neither size nor digest proves nothing.
          const isSame = digest === undefined ? size !== undefined : digest === sha256;
          return isSame && (size ?? bytes.length) === bytes.length;
        },
        {
          nextDelay: (given, tries) => ('value' in given && !given.value && tries < READS ? 0 : undefined),
          pauseMs,
          signal,
        },
      ),
    list: (prefix) => listing({ client, Bucket, where, maxParts, tried }, prefix),
    remove: removal(client, Bucket, tried),
    now: () => (offset === undefined ? Date.now() / 1000 : offset + performance.now() / 1000),
    requests: () => requests,
    close: () => client.destroy(),
  };
}

interface BodyLimits {
  readonly bytes: number;
  /** The maximum time for each part of a body, in milliseconds. A part has `PART_BYTES` bytes. */
  readonly timeoutMs: number;
  readonly where: string;
}

const PART_BYTES = 1_000_000;

/** Fails for long and for slow answers, because the S3 client would read them to their end. */
function limitBody(response: unknown, { bytes, timeoutMs, where }: BodyLimits): void {
  const body = property(response, 'body');
  if (!(body instanceof Readable)) return;
  let size = 0;
  const newTimer = () => setTimeout(() => limited.destroy(timeoutError('no complete answer in time')), timeoutMs);
  const limited = new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      const isNextPart = Math.floor(size / PART_BYTES) < Math.floor((size + chunk.length) / PART_BYTES);
      size += chunk.length;
      if (isNextPart) {
        clearTimeout(timer);
        timer = newTimer();
      }
      done(size > bytes ? new Failure([finding('bucket-no-store', { where })]) : null, chunk);
    },
  });
  let timer = newTimer();
  Reflect.set(
    Object(response),
    'body',
    pipeline(body, limited, () => clearTimeout(timer)),
  );
}

/** Returns undefined, and stops reading, if the body is longer than `most` bytes. */
async function bytesOf(body: AsyncIterable<Uint8Array> | undefined, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

type Tried = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

interface Listed {
  readonly client: S3Client;
  readonly Bucket: string;
  readonly where: string;
  readonly maxParts: number;
  readonly tried: Tried;
}

async function* listing(
  { client, Bucket, where, maxParts, tried }: Listed,
  Prefix: string,
): AsyncGenerator<ListedObject> {
  const known = new Set<string>();
  const keys = new Set<string>();
  let count = 0;
  for (let token: string | undefined; ; ) {
    const input = { Bucket, Prefix, ...(token === undefined ? {} : { ContinuationToken: token }) };
    const page = await tried(() => client.send(new (sdk().ListObjectsV2Command)(input)));
    count += page.Contents?.length ?? 0;
    if (known.size === maxParts || count > MAX_KEYS)
      fail(finding('bucket-long-list', { where, keys: MAX_KEYS, parts: maxParts }));
    for (const { Key: key = '', LastModified } of page.Contents ?? []) {
      if (keys.has(key)) continue;
      keys.add(key);
      yield { key, modified: (LastModified?.getTime() ?? 0) / 1000 };
    }
    token = page.NextContinuationToken;
    // Some stores leave out IsTruncated.
    if ((page.IsTruncated ?? page.Contents) === undefined) return fail(finding('bucket-no-store', { where }));
    if (page.IsTruncated !== true) return;
    if (token === undefined) return fail(finding('bucket-cut-list', { where, lacks: 'the token of its next part' }));
    if (known.has(token)) fail(finding('bucket-endless-list', { where }));
    known.add(token);
  }
}

function removal(client: S3Client, Bucket: string, tried: Tried): Bucket['remove'] {
  let isBulkKnown = true;
  return async (keys, guard) => {
    const options = guard ? { abortSignal: guard.signal } : {};
    const removing = <T>(send: () => Promise<T>) => {
      const work = async () => {
        guard?.check();
        return await send();
      };
      return tried(work, guard?.signal).catch((error: unknown) => {
        guard?.check();
        throw error;
      });
    };
    for (let from = 0; from < keys.length; from += MAX_BULK_DELETES) {
      const some = keys.slice(from, from + MAX_BULK_DELETES);
      const Delete = { Objects: some.map((Key) => ({ Key })) };
      const inBulk = () => client.send(new (sdk().DeleteObjectsCommand)({ Bucket, Delete }), options);
      isBulkKnown &&= await removing(() => deletedInBulk(inBulk, some.length));
      if (isBulkKnown) continue;
      for (const Key of some)
        await removing(() => client.send(new (sdk().DeleteObjectCommand)({ Bucket, Key }), options));
    }
  };
}

/** Returns true only if the store lists every key as deleted. Other servers can also answer with the status 200. */
async function deletedInBulk(
  send: () => Promise<{ readonly Deleted?: readonly unknown[] | undefined }>,
  count: number,
): Promise<boolean> {
  try {
    return (await send()).Deleted?.length === count;
  } catch (error) {
    if ([400, 405, 411, 501].includes(errorOf(error).status)) return false;
    throw error;
  }
}

const CONNECTION_MS = 10_000;
const REQUEST_MS = 60_000;

function clientOf({ endpoint, region, profile, parallel, timeoutMs = REQUEST_MS }: BucketAddress): S3Client {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  // Signatures contain a region, even if the store has no regions.
  const place = region ?? (endpoint === undefined ? undefined : (AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1'));
  const pool = { keepAlive: true, maxSockets: parallel };
  return new (sdk().S3Client)({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(place === undefined ? {} : { region: place }),
    ...(profile === undefined ? {} : { profile }),
    followRegionRedirects: true,
    // Only `withRetries` repeats requests, because the S3 client stops retrying when many requests fail together.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: CONNECTION_MS,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
      httpAgent: pool,
      httpsAgent: pool,
    },
  });
}

function putInput(object: BucketObject, condition: PutCondition | undefined) {
  const { key, bytes, sha256, contentType, cacheControl, metadata } = object;
  return {
    Key: key,
    Body: bytes,
    ContentType: contentType,
    Metadata: { ...metadata, sha256 },
    ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    ...(cacheControl === undefined ? {} : { CacheControl: cacheControl }),
    ...(condition === 'absent' ? { IfNoneMatch: '*' } : {}),
    ...(typeof condition === 'object' ? { IfMatch: condition.etag } : {}),
  };
}

function unquoted(etag: string): string {
  return etag.replace(/^"|"$/g, '');
}

/** Subtracts `performance.now()` from the clock of the store, in epoch seconds. */
function clockOffset(response: unknown): number | undefined {
  const date = Date.parse(String(property(property(response, 'headers'), 'date') ?? ''));
  return Number.isNaN(date) ? undefined : date / 1000 - performance.now() / 1000;
}
