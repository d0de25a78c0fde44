/**
 * A bucket of object storage: the few operations that publishing needs, on the S3 client. Failures that pass are tried
 * again; the others end the command with a finding. Bodies are buffers: some stores take no streams. The client is as
 * large as all else together, and most publish elsewhere: it is installed, and loaded, by those who need it.
 */

import { createRequire } from 'node:module';
import type { S3Client } from '@aws-sdk/client-s3';
import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { isJsonObject } from '../../../core/model/json.ts';
import { lazily } from '../../../core/platform/on-demand.ts';
import { withRetries } from '../../../system/client/retry.ts';
import { codeOf } from '../../../system/files/system-errors.ts';
import type { BucketOptions } from '../publish-options.ts';
import { deletedInBulk, errorOf, failureOf, retryWait } from './retryable-errors.ts';

export interface BucketAddress extends Omit<BucketOptions, 'keys' | 'state' | 'leaseSeconds'> {
  readonly bucket: string;
}

export interface BucketObject {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** Hexadecimal; the store checks it where it can. */
  readonly sha256: string;
  readonly contentType: string;
  readonly cacheControl?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What must be there for a write to happen: nothing, or what has this ETag, in the form that the store understands. */
export type PutCondition = 'absent' | { readonly etag: string };

export interface StoredObject {
  readonly bytes: Buffer;
  /** Without quotes. */
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ListedObject {
  readonly key: string;
  /** Epoch seconds. */
  readonly modified: number;
}

/** Its ETag without quotes; or that the condition does not hold, or that the store knows no conditions. */
export type Put = { readonly etag: string } | 'refused' | 'unsupported';

export interface Bucket {
  readonly get: (key: string) => Promise<StoredObject | undefined>;
  readonly put: (object: BucketObject, condition?: PutCondition, signal?: AbortSignal) => Promise<Put>;
  readonly metadataOf: (key: string) => Promise<Readonly<Record<string, string>> | undefined>;
  readonly list: (prefix: string) => AsyncGenerator<ListedObject>;
  readonly remove: (keys: readonly string[], guard?: Guard) => Promise<void>;
  /** Epoch seconds by the store's clock, as far as it is known: after the first answer. */
  readonly now: () => number;
  readonly requests: () => number;
  readonly close: () => void;
}

/** The right to change things, which may be lost at any time. */
export interface Guard {
  /** Aborted when it is lost. */
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

const IN_BULK = 1000;

export function openBucket(address: BucketAddress): Bucket {
  const { bucket: Bucket, pauseMs = 200 } = address;
  const client = clientOf(address);
  const clock = storeClock();
  client.middlewareStack.add(
    (next) => async (args) => {
      clock.asked();
      const answer = await next(args);
      clock.answered(answer.response);
      return answer;
    },
    // The last before the network: it sees each try, and what is no success too.
    { step: 'deserialize', priority: 'low' },
  );
  const tried = <T>(work: () => Promise<T>, signal?: AbortSignal) =>
    withRetries(work, {
      again: (given, tries) => ('error' in given ? retryWait(given.error, tries, clock.hasAnswered()) : undefined),
      pauseMs,
      signal,
    }).catch((error: unknown) => {
      throw failureOf(error, address);
    });
  const found = <T>(work: () => Promise<T>) =>
    tried(() => work().catch((error: unknown) => (errorOf(error).isAbsent ? undefined : Promise.reject(error))));
  return {
    get: (Key) =>
      found(async () => {
        const { Body, ETag = '', Metadata = {} } = await client.send(new (sdk().GetObjectCommand)({ Bucket, Key }));
        const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
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
    metadataOf: (Key) =>
      found(async () => (await client.send(new (sdk().HeadObjectCommand)({ Bucket, Key }))).Metadata ?? {}),
    async *list(Prefix) {
      for (let token: string | undefined, more = true; more; ) {
        const input = { Bucket, Prefix, ...(token === undefined ? {} : { ContinuationToken: token }) };
        const page = await tried(() => client.send(new (sdk().ListObjectsV2Command)(input)));
        for (const { Key = '', LastModified } of page.Contents ?? [])
          yield { key: Key, modified: (LastModified?.getTime() ?? 0) / 1000 };
        token = page.NextContinuationToken;
        more = page.IsTruncated === true && token !== undefined;
      }
    },
    remove: removal(client, Bucket, tried),
    now: clock.now,
    requests: clock.requests,
    close: () => client.destroy(),
  };
}

type Tried = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

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
    for (let from = 0; from < keys.length; from += IN_BULK) {
      const some = keys.slice(from, from + IN_BULK);
      const Delete = { Objects: some.map((Key) => ({ Key })), Quiet: true };
      const inBulk = () => client.send(new (sdk().DeleteObjectsCommand)({ Bucket, Delete }), options);
      isBulkKnown &&= await removing(() => deletedInBulk(inBulk));
      if (isBulkKnown) continue;
      for (const Key of some)
        await removing(() => client.send(new (sdk().DeleteObjectCommand)({ Bucket, Key }), options));
    }
  };
}

const CONNECTION_MS = 10_000;
const REQUEST_MS = 60_000;

function clientOf({ endpoint, region, profile, parallel, timeoutMs = REQUEST_MS }: BucketAddress): S3Client {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  // A store of one's own has no regions, but signatures name one.
  const place = region ?? (endpoint === undefined ? undefined : (AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1'));
  const pool = { keepAlive: true, maxSockets: parallel };
  return new (sdk().S3Client)({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(place === undefined ? {} : { region: place }),
    ...(profile === undefined ? {} : { profile }),
    followRegionRedirects: true,
    // What is tried again, and when, is decided in one place: the client's own way gives up when many fail at once.
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

export interface StoreClock {
  readonly asked: () => void;
  readonly answered: (response: unknown) => void;
  readonly hasAnswered: () => boolean;
  /** Epoch seconds; the own clock's until there is an answer. */
  readonly now: () => number;
  readonly requests: () => number;
}

export function storeClock(): StoreClock {
  let requests = 0;
  let ahead: number | undefined;
  return {
    asked: () => {
      requests++;
    },
    answered: (response) => {
      const headers = objectOf(objectOf(response)['headers']);
      const date = Date.parse(String(headers['date'] ?? ''));
      if (!Number.isNaN(date)) ahead = date / 1000 - performance.now() / 1000;
    },
    hasAnswered: () => ahead !== undefined,
    now: () => (ahead === undefined ? Date.now() / 1000 : ahead + performance.now() / 1000),
    requests: () => requests,
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
