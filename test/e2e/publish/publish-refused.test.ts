/** Errors of publishing to a store: each cause with its remedy. */

import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sha256 } from '../../../src/core/model/digest.ts';
import { openBucket } from '../../../src/features/publish/bucket/bucket-client.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { pruneAt, publishTo, smallTrees } from '../../support/services/bucket.ts';
import { carelessStore } from '../../support/services/careless-store.ts';
import { CREDENTIALS } from '../../support/services/ceph.ts';
import { listening } from '../../support/services/listening.ts';
import { storeProxy } from '../../support/services/store-proxy.ts';

let trees: Awaited<ReturnType<typeof smallTrees>>;
let tree = '';
beforeAll(async () => {
  trees = await smallTrees();
  tree = trees.first;
});
beforeEach(() => {
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Starts a server that answers every request with this status and body. */
async function serverAnswering(status: number, body: string): Promise<string> {
  const server = createServer((_, answer) => {
    answer.writeHead(status, { 'Content-Type': 'application/xml' }).end(body);
  });
  return await listening(server);
}

function xml(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
}

test.each([
  [
    404,
    'NoSuchBucket',
    'There is no bucket "bucket" at STORE. [bucket-absent]\n  Create it, or check its name, --endpoint and --region.',
  ],
  [
    403,
    'AccessDenied',
    'STORE denies access to the bucket "bucket": AccessDenied. [bucket-denied]\n  Allow these credentials to use s3:GetObject, s3:PutObject and s3:ListBucket in the bucket, and s3:DeleteObject for "gridpress prune".',
  ],
  [
    403,
    'SignatureDoesNotMatch',
    'STORE rejects the credentials: SignatureDoesNotMatch. [bucket-credentials]\n  Check that the access key and the secret are correct, have not expired, and are for this endpoint.',
  ],
  [
    403,
    'RequestTimeTooSkewed',
    'The clocks of this machine and of STORE differ too much for signed requests. [bucket-skew]\n  Correct the clock of this machine.',
  ],
  [
    503,
    'SlowDown',
    'STORE gives no usable answer: it answers with the status 503 (SlowDown) again and again. [bucket-unreachable]\n  Check --endpoint and the network, and run the command again. It continues where it stopped.',
  ],
  [
    400,
    'InvalidRequest',
    'STORE refuses the request with the status 400: InvalidRequest. [bucket-answer]\n  Check that --endpoint is the URL of a store with the S3 interface.',
  ],
  [
    400,
    'Long'.repeat(25_000),
    `STORE refuses the request with the status 400: ${'Long'.repeat(24)}Lon…. [bucket-answer]\n  Check that --endpoint is the URL of a store with the S3 interface.`,
  ],
])('publish reports a store that answers %i %.30s', async (status, code, said) => {
  const store = await serverAnswering(status, xml(code));
  const told = await failureOf(() => publishTo(store, 's3://bucket/api', tree));
  expect(told).toBe(`error: ${said.replaceAll('STORE', store)}\n`);
});

test('publish prints no part of its credentials that a store returns', async () => {
  const server = createServer(({ headers }, answer) => {
    answer.writeHead(400, { 'Content-Type': 'application/xml' }).end(xml(headers.authorization ?? ''));
  });
  const store = await listening(server);
  expect(await failureOf(() => publishTo(store, 's3://bucket/api', tree))).toBe(
    `error: ${store} refuses the request with the status 400: Unknown. [bucket-answer]\n  Check that --endpoint is the URL of a store with the S3 interface.\n`,
  );
});

test('publish does not report missing credentials if the store only mentions credentials', async () => {
  const message = 'a non-empty Access Key (AKID) must be provided in the credential.';
  const store = await serverAnswering(400, xml('AuthorizationHeaderMalformed').replace('>no<', `>${message}<`));
  expect(await failureOf(() => publishTo(store, 's3://bucket/api', tree))).toBe(
    `error: ${store} refuses the request with the status 400: AuthorizationHeaderMalformed. [bucket-answer]\n  Check that --endpoint is the URL of a store with the S3 interface.\n`,
  );
});

test('publish reports a server that is not an object store', async () => {
  const store = await serverAnswering(200, '<html><body>Welcome</body></html>');
  expect(await failureOf(() => publishTo(store, 's3://bucket/api', tree))).toBe(
    'error: s3://bucket/api has a _manifest.json that gridpress did not write. Nothing was written. [bucket-foreign]\n  Name another prefix, or overwrite it with --force.\n',
  );
});

test('publish stops reading an object that never ends', async () => {
  const server = createServer((_, answer) => {
    const more = () => {
      while (!answer.destroyed && answer.write(Buffer.alloc(1 << 20)));
      if (!answer.destroyed) answer.once('drain', more);
    };
    more();
  });
  expect(await failureOf(async () => publishTo(await listening(server), 's3://bucket/api', tree))).toBe(
    'error: The object api/_manifest.json is larger than any manifest. It was not read to its end. [bucket-too-large]\n  Check --endpoint, the bucket and the prefix.\n',
  );
});

test.each([200, 403, 503])(
  'publish stops reading a list or an error with the status %i that never ends',
  async (status) => {
    const server = createServer((_, answer) => {
      answer.writeHead(status, { 'Content-Type': 'application/xml' });
      answer.write('<Error><Code>');
      const more = () => {
        while (!answer.destroyed && answer.write(Buffer.alloc(1 << 20, 'a')));
        if (!answer.destroyed) answer.once('drain', more);
      };
      more();
    });
    const store = await listening(server);
    const bucket = openBucket({ bucket: 'bucket', endpoint: store, parallel: 1 });
    expect(await failureOf(() => bucket.list('api/').next())).toBe(
      `error: The server at ${store} is not a store with the S3 interface. [bucket-no-store]\n  Check --endpoint.\n`,
    );
    expect(bucket.requests()).toBe(1);
    bucket.close();
  },
);

test.each([
  [200, 'no complete answer in time'],
  [503, 'it answers with the status 503 (TimeoutError) again and again'],
])('publish stops reading an answer with the status %i that arrives byte by byte', async (status, reason) => {
  const server = createServer((_, answer) => {
    answer.writeHead(status);
    const timer = setInterval(() => answer.write(' '), 5);
    answer.on('close', () => clearInterval(timer));
  });
  const store = await listening(server);
  const bucket = openBucket({ bucket: 'bucket', endpoint: store, parallel: 1, pauseMs: 1, timeoutMs: 100 });
  for (const read of [() => bucket.get('api/_manifest.json'), () => bucket.list('api/').next()])
    expect(await failureOf(read)).toBe(
      `error: ${store} gives no usable answer: ${reason}. [bucket-unreachable]\n  Check --endpoint and the network, and run the command again. It continues where it stopped.\n`,
    );
  bucket.close();
});

test('a journal that cannot grow does not stop a publication', async () => {
  const store = await carelessStore('ignores');
  const place = ['--endpoint', store.url, '--tree', tree, '--state', newFolder(), '--force'];
  expect(await gridpress(['-q', 'publish', 's3://bucket/api', ...place], { largestFile: 1 })).toMatchObject({
    status: 0,
  });
  expect(store.objects.has('api/_manifest.json')).toBe(true);
});

test.each([
  ['sites/lyra.json', (key: string) => key === 'api/sites/lyra.json'],
  ['index.json', (key: string) => key === 'api/index.json'],
  ['_manifest.json', (key: string, body: Buffer) => key === 'api/_manifest.json' && !body.includes('"claim"')],
  [
    '_manifest.json',
    (key: string, body: Buffer) => key === 'api/_manifest.json' && !body.includes('"claim"') && ('half' as const),
  ],
])('publish reports a store that accepts %s and does not store it whole', async (name, isDropped) => {
  const store = await carelessStore('ignores', isDropped);
  const publishing = () => publishTo(store.url, 's3://bucket/api', tree, { force: true, state: newFolder() });
  expect(await failureOf(publishing)).toBe(
    `error: s3://bucket/api accepted the object api/${name}, but does not return it with the same contents. The tree is not completely published. [bucket-not-stored]\n  Check that the store accepts writes, and its quota. Then run the command again.\n`,
  );
});

test('an answer without size and digest does not count as the object', async () => {
  const store = await serverAnswering(204, '');
  const bucket = openBucket({ bucket: 'bucket', endpoint: store, parallel: 1, pauseMs: 1 });
  const bytes = Buffer.from('x');
  expect(await bucket.holds({ key: 'a', bytes, sha256: sha256(bytes) })).toBe(false);
  bucket.close();
});

test('publish reports a store that keeps old objects', async () => {
  let isFull = false;
  const store = await carelessStore('ignores', (key) => isFull && !key.includes('_manifest'));
  const { first, second } = trees;
  await publishTo(store.url, 's3://bucket/api', first, { force: true, state: newFolder() });
  isFull = true;
  const publishing = () => publishTo(store.url, 's3://bucket/api', second, { force: true, state: newFolder() });
  expect(await failureOf(publishing)).toContain('[bucket-not-stored]');
  isFull = false;
  expect((await publishing()).findings.map(({ code }) => code)).toEqual(['bucket-unguarded']);
});

test('a store that returns an object late does not stop a publication', async () => {
  const store = await carelessStore('ignores');
  const proxy = await storeProxy(store.url);
  const seen = new Set<string>();
  proxy.decide = ({ method, key }) => {
    const isFirst = method === 'HEAD' && !seen.has(key);
    if (isFirst) seen.add(key);
    return isFirst ? 404 : 'pass';
  };
  await publishTo(proxy.url, 's3://bucket/api', tree, { force: true, state: newFolder() });
  expect(seen.size).toBeGreaterThan(0);
});

test('a list that never ends is not read for ever', async () => {
  let count = 0;
  const server = createServer((_, answer) => {
    const token = `<NextContinuationToken>${++count}</NextContinuationToken>`;
    answer.end(`<ListBucketResult><IsTruncated>true</IsTruncated>${token}</ListBucketResult>`);
  });
  const store = await listening(server);
  const bucket = openBucket({ bucket: 'bucket', endpoint: store, parallel: 1, maxParts: 100 });
  const keys = async () => {
    for await (const { key } of bucket.list('api/')) expect(key).toBeUndefined();
  };
  expect(await failureOf(keys)).toBe(
    `error: ${store} lists more than 10,000,000 objects, or lists them in more than 100 parts. The command stopped reading. [bucket-long-list]\n  Check --endpoint and the prefix. If they are right, report the error to the provider of the store.\n`,
  );
  expect(bucket.requests()).toBe(101);
  bucket.close();
});

test('a list without its next part ends with an error', async () => {
  const store = await serverAnswering(200, '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>');
  const bucket = openBucket({ bucket: 'bucket', endpoint: store, parallel: 1 });
  expect(await failureOf(() => bucket.list('api/').next())).toBe(
    `error: ${store} lists only a part of the objects. The list lacks the token of its next part. [bucket-cut-list]\n  Check --endpoint. If it is right, report the error to the provider of the store.\n`,
  );
  bucket.close();
});

test.each([
  ['nothing', ''],
  ['HTML', '<html>Welcome</html>'],
  ['JSON', '{"a":1}'],
  ['nested XML', '<a>'.repeat(200_000)],
  ['a list with other elements', '<ListBucketResult><__proto__>x</__proto__></ListBucketResult>'],
])('a server that answers %s instead of a list is no store', async (_, text) => {
  const store = await serverAnswering(200, text);
  const bucket = openBucket({ bucket: 'bucket', endpoint: store, parallel: 1 });
  expect(await failureOf(() => bucket.list('api/').next())).toBe(
    `error: The server at ${store} is not a store with the S3 interface. [bucket-no-store]\n  Check --endpoint.\n`,
  );
  bucket.close();
});

test.each([
  ['an empty list', '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'],
  [
    'a list with another object',
    '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>api/sites</Key></Contents></ListBucketResult>',
  ],
])('prune deletes nothing if %s lacks the manifest', async (_, list) => {
  const store = await carelessStore('ignores');
  await publishTo(store.url, 's3://bucket/api', tree, { force: true, state: newFolder() });
  await fetch(`${store.url}/bucket/`, { method: 'PUT', body: list });
  const before = [...store.objects.keys()];
  for (const dryRun of [true, false])
    expect(await failureOf(() => pruneAt(store.url, 's3://bucket/api', { dryRun, force: true }))).toBe(
      'error: s3://bucket/api lists only a part of the objects. The list lacks api/_manifest.json. [bucket-cut-list]\n  Check --endpoint. If it is right, report the error to the provider of the store.\n',
    );
  expect([...store.objects.keys()]).toEqual(before);
});

test('a list that repeats a part ends with an error', async () => {
  const page =
    '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken></ListBucketResult>';
  const store = await serverAnswering(200, page);
  const bucket = openBucket({ bucket: 'bucket', endpoint: store, parallel: 1 });
  const keys = async () => {
    for await (const { key } of bucket.list('api/')) expect(key).toBeUndefined();
  };
  expect(await failureOf(keys)).toBe(
    `error: ${store} lists the objects without end: it repeats a part of the list. [bucket-endless-list]\n  Check --endpoint. If it is right, report the error to the provider of the store.\n`,
  );
  expect(bucket.requests()).toBe(2);
  bucket.close();
});

test('a list that repeats a key returns the key once', async () => {
  const server = createServer(({ url = '' }, answer) => {
    const isLast = url.includes('continuation-token');
    const keys = (isLast ? ['api/b', 'api/c'] : ['api/a', 'api/b', 'api/b']).map((key) => `<Key>${key}</Key>`);
    const contents = keys.map((key) => `<Contents>${key}</Contents>`).join('');
    const end = `<IsTruncated>${!isLast}</IsTruncated><NextContinuationToken>t</NextContinuationToken>`;
    answer.end(`<ListBucketResult>${contents}${end}</ListBucketResult>`);
  });
  const bucket = openBucket({ bucket: 'bucket', endpoint: await listening(server), parallel: 1 });
  const listed: string[] = [];
  for await (const { key } of bucket.list('api/')) listed.push(key);
  expect(listed).toEqual(['api/a', 'api/b', 'api/c']);
  bucket.close();
});

test('publish reports a missing server', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  const store = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  expect(await failureOf(() => publishTo(store, 's3://bucket/api', tree))).toBe(
    `error: ${store} gives no usable answer: ECONNREFUSED. [bucket-unreachable]\n  Check --endpoint and the network, and run the command again. It continues where it stopped.\n`,
  );
});

test('publish reports missing credentials', async () => {
  const none = {
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_EC2_METADATA_DISABLED: 'true',
    HOME: newFolder(),
  };
  for (const [name, value] of Object.entries(none)) vi.stubEnv(name, value);
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', 's3://bucket/api', tree))).toBe(
    'error: There are no credentials for the object store. [bucket-no-credentials]\n  Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with --profile.\n',
  );
});

test.each([
  ['s3://bucket/a b', 'a b'],
  ['s3://bucket/x/../c', '..'],
  ['s3://bucket/a%2fb', 'a%2fb'],
])('publish rejects %s, because its prefix cannot be served', async (destination, segment) => {
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', destination, tree))).toBe(
    `error: "${segment}" in the prefix of "${destination}" cannot be part of an API path. [bucket-prefix]\n  Use letters, digits, "-", ".", "_" and "~", but not "." or ".." alone.\n`,
  );
});

test.each(['s3://', 's3://a b/c'])('publish rejects %s, because it names no bucket', async (destination) => {
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', destination, tree))).toBe(
    `error: "${destination}" is not the address of a bucket. [bucket-address]\n  Use the form s3://bucket or s3://bucket/prefix.\n`,
  );
});

const needsBucket = (option: string) =>
  `error: ${option} does not apply to a folder. [publish-needs-bucket]\n  Omit the option, or name a bucket, such as s3://bucket/prefix.\n`;
const needsPrune = (option: string) =>
  `error: ${option} does not apply to publishing, which deletes nothing. [publish-needs-prune]\n  Omit the option, or use it with "gridpress prune".\n`;
const idle = (option: string) =>
  `error: ${option} does not apply to --prune, which publishes nothing. [publish-idle-in-prune]\n  Omit the option.\n`;

test.each([
  // The default value of an option counts too.
  ['www --keys exact', needsBucket('--keys')],
  ['www --endpoint http://127.0.0.1:1', needsBucket('--endpoint')],
  ['www --region r', needsBucket('--region')],
  ['www --profile p', needsBucket('--profile')],
  ['www --parallel 4', needsBucket('--parallel')],
  ['www --state s', needsBucket('--state')],
  ['www --force', needsBucket('--force')],
  ['www --force --keep 3', `${needsBucket('--force')}\n${needsPrune('--keep')}`],
  ['s3://bucket --keep 3', needsPrune('--keep')],
  ['s3://bucket --grace 24', needsPrune('--grace')],
  ['s3://bucket --max-deletes 5', needsPrune('--max-deletes')],
  ['s3://bucket --prune --tree dist', idle('--tree')],
  ['s3://bucket --prune --older', idle('--older')],
  ['s3://bucket --prune --purge-file p', idle('--purge-file')],
  ['s3://bucket --prune --base-url https://a.example', idle('--base-url')],
])('publish rejects an option without effect: %s', async (call, said) => {
  const cwd = newFolder();
  expect(await gridpress(['publish', ...call.split(' ')], { cwd })).toEqual({ status: 2, stdout: '', stderr: said });
  expect(readdirSync(cwd)).toEqual([]);
});

test('publish reports a missing tree', async () => {
  const folder = newFolder();
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', 's3://bucket', folder))).toBe(
    `error: There is no tree at ${folder}. [no-tree]\n  Build one: gridpress build.\n`,
  );
});

const UNREADABLE = `cannot be read: its symbolic links lead in a circle. [read-failed]
  Check that it exists, and that you may read it.
`;

test.each([
  ['publish out --tree file', 'There is no tree at file. [no-tree]\n  Build one: gridpress build.\n'],
  ['publish out --tree circle', `circle/_manifest.json ${UNREADABLE}`],
  ['prune circle', `circle/_manifest.json ${UNREADABLE}`],
  ['verify circle', `circle ${UNREADABLE}`],
])('reports an unreadable place by its cause: %s', async (call, said) => {
  const cwd = newFolder();
  writeFileSync(join(cwd, 'file'), '');
  symlinkSync('circle', join(cwd, 'circle'));
  expect((await gridpress(call.split(' '), { cwd })).stderr).toBe(`error: ${said}`);
});

test('publish reports an unreadable tree', async () => {
  const folder = join(newFolder(), 'dist');
  mkdirSync(folder, { mode: 0 });
  chmodSync(join(folder, '..'), 0o755);
  const publishing = () => publishTo('http://127.0.0.1:1', 's3://bucket', folder);
  expect(await failureOf(() => asOrdinaryUser(publishing))).toBe(
    `error: ${join(folder, '_manifest.json')} cannot be read: permission denied. [read-failed]\n  Check that it exists, and that you may read it.\n`,
  );
});
