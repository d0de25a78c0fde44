/** Buckets of a started object store, and small trees to publish there. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { vi } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { prune, publish } from '../../../src/features/publish/publish.ts';
import type {
  BucketOptions,
  Pruned,
  PruneOptions,
  Published,
  PublishOptions,
} from '../../../src/features/publish/publish-options.ts';
import { newFolder } from '../folders.ts';
import { type Commit, checkout, commit, type Edits, REGISTRY, writeFiles } from '../registries/revisions.ts';
import { clusterFile, nodeFile, nodeText, siteFile, siteText } from '../registries/testbed.ts';
import { closeAtEnd, manifestOf } from '../trees/served.ts';
import { CREDENTIALS, startCeph } from './ceph.ts';

export interface TestObject {
  readonly body: Buffer;
  readonly type: string | undefined;
  readonly cache: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface TestBucket {
  readonly name: string;
  /** The MD5 of each object by key, as reported by the store. */
  readonly digests: () => Promise<Map<string, string>>;
  readonly keys: () => Promise<string[]>;
  readonly get: (key: string) => Promise<TestObject>;
  readonly put: (key: string, body: string, metadata?: Readonly<Record<string, string>>) => Promise<void>;
}

export interface StoreWithTrees {
  readonly store: string;
  readonly trees: Awaited<ReturnType<typeof smallTrees>>;
}

/** An object store with credentials in the environment, until the tests of the file end. */
export async function storeWithTrees(): Promise<StoreWithTrees> {
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
  closeAtEnd(() => {
    vi.unstubAllEnvs();
  });
  const [store, trees] = await Promise.all([startCeph(), smallTrees()]);
  return { store, trees };
}

let made = 0;

/** A bucket with public read access. */
export async function newBucket(store: string): Promise<TestBucket> {
  const name = `bucket-${made++}`;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = CREDENTIALS;
  const client = new S3Client({
    endpoint: store,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  closeAtEnd(() => client.destroy());
  const Bucket = name;
  await client.send(new CreateBucketCommand({ Bucket }));
  const Resource = `arn:aws:s3:::${name}/*`;
  const Statement = [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource }];
  await client.send(
    new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) }),
  );
  const get = async (Key: string): Promise<TestObject> => {
    const { Body, ContentType, CacheControl, Metadata = {} } = await client.send(new GetObjectCommand({ Bucket, Key }));
    const body = Buffer.from((await Body?.transformToByteArray()) ?? []);
    return { body, type: ContentType, cache: CacheControl, metadata: Metadata };
  };
  const digests = async () => {
    const found = new Map<string, string>();
    for (let token: string | undefined, more = true; more; more = token !== undefined) {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, ...(token === undefined ? {} : { ContinuationToken: token }) }),
      );
      for (const { Key = '', ETag = '' } of page.Contents ?? []) found.set(Key, ETag.replaceAll('"', ''));
      token = page.NextContinuationToken;
    }
    return found;
  };
  return {
    name,
    get,
    digests,
    keys: async () => [...(await digests()).keys()].sort(),
    put: async (Key, Body, Metadata = {}) => {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(Body), Metadata }));
    },
  };
}

/** The expected MD5 of each key of a published tree, from the contract with all path forms spelled out. */
export function expectedDigests(tree: string, prefix: string, keys: 'exact' | 'index'): Map<string, string> {
  const expected = new Map<string, string>();
  const below = prefix === '' ? '' : `${prefix}/`;
  const digest = (file: string) =>
    createHash('md5')
      .update(readFileSync(join(tree, file)))
      .digest('hex');
  for (const { path, file } of manifestOf(tree).documents) {
    const name = path.slice(1);
    const raw = /\.(link|atom|csv|ndjson|yaml|htm|css|js|svg|jsonld|linkset|md|txt)$|^\.well-known\/api-catalog$/.test(
      name,
    );
    const folder = /^(?:docs|explorer)\/(?=index\.htm$)/.exec(name)?.[0];
    const index = [
      ...(name === '' ? [] : [`${below}${name}.json`]),
      `${below}${name === '' ? '' : `${name}/`}index.json`,
    ];
    const root = prefix === '' ? [] : [prefix, below];
    const exact = name === '' ? root : [`${below}${name}`, `${below}${name}/`];
    // The folder of a page has an object too.
    const folderKeys = folder === undefined ? [] : [...(keys === 'exact' ? [''] : []), 'index.json'];
    const page = folderKeys.map((end) => `${below}${folder}${end}`);
    const all = raw ? [`${below}${name}`, ...page] : keys === 'exact' ? [...exact, ...index] : index;
    for (const key of all) expected.set(key, digest(file));
  }
  expected.set(`${below}404.json`, digest('404.json'));
  expected.set(`${below}_manifest.json`, digest('_manifest.json'));
  return expected;
}

/** The MD5 of each stored object, without old manifests. */
export async function storedDigests(bucket: TestBucket): Promise<Map<string, string>> {
  return new Map([...(await bucket.digests())].filter(([key]) => !key.includes('_manifests/')));
}

const START: Edits = {
  'grid.yaml': 'type: grid\nuid: testgrid\n',
  [siteFile('lyra')]: siteText('lyra', 'baremetal'),
  [clusterFile('lyra')]: 'type: cluster\nuid: main\n',
  [nodeFile('lyra', 1)]: nodeText(1),
  [nodeFile('lyra', 2)]: nodeText(2),
};
const changed = (n: number, version: string): Edits => ({
  [nodeFile('lyra', n)]: nodeText(n, `bios:\n  version: "${version}"\n`),
});

/** Trees of a small registry: `second` and `other` each change one node of `first`; `third` follows `second`. */
export async function smallTrees(): Promise<Record<'first' | 'second' | 'other' | 'third', string>> {
  const folder = newFolder();
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\nsnapshots: none\nversion_links: none\n']]);
  const step = (day: number, parents: readonly Commit[], edits: Edits) =>
    commit(folder, { parents, edits, message: `Day ${day}`, date: `2026-01-0${day}T00:00:00Z` });
  const first = step(1, [], START);
  const second = step(2, [first], changed(1, '1.1'));
  const other = step(3, [first], changed(2, '2.1'));
  const third = step(4, [second], changed(1, '1.2'));
  const registry = join(folder, REGISTRY);
  const treeOf = async (name: string, head: Commit) => {
    checkout(folder, head);
    const out = join(folder, name);
    await build({ registry, out, showsProgress: false });
    return out;
  };
  return {
    first: await treeOf('first', first),
    second: await treeOf('second', second),
    other: await treeOf('other', other),
    third: await treeOf('third', third),
  };
}

export type Publishing = Partial<Omit<PublishOptions, 'bucket'>> & Partial<BucketOptions>;

type Given = { readonly [K in keyof BucketOptions]?: BucketOptions[K] | undefined };

/** Options for the store, with short pauses. */
function bucketOptions(endpoint: string, options: Given): BucketOptions {
  const { keys = 'exact', parallel = 8, leaseSeconds, state, timeoutMs } = options;
  return {
    endpoint,
    keys,
    parallel,
    pauseMs: 2,
    ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
    ...(state === undefined ? {} : { state }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** Publishes like the command. */
export function publishTo(
  endpoint: string,
  destination: string,
  tree: string,
  { keys, parallel, leaseSeconds, state, timeoutMs, ...options }: Publishing = {},
): Promise<Published> {
  return publish({
    destination,
    tree,
    dryRun: false,
    force: false,
    older: false,
    showsProgress: false,
    purgeFile: join(tree, '..', 'purge.txt'),
    ...options,
    bucket: bucketOptions(endpoint, { keys, parallel, leaseSeconds, state, timeoutMs }),
  });
}

export type Pruning = Partial<Omit<PruneOptions, 'bucket'>> & Partial<BucketOptions>;

/** Prunes like the command; by default everything that the current manifest does not list. */
export function pruneAt(
  endpoint: string,
  destination: string,
  { leaseSeconds, ...options }: Pruning = {},
): Promise<Pruned> {
  return prune({
    destination,
    dryRun: false,
    force: false,
    showsProgress: false,
    keep: 1,
    grace: 0,
    ...options,
    bucket: bucketOptions(endpoint, { leaseSeconds }),
  });
}
