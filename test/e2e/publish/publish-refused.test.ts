/** What is said when a store cannot be published to: every cause with what to do about it. */

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { publishTo, smallTrees } from '../../support/services/bucket.ts';
import { CREDENTIALS } from '../../support/services/ceph.ts';
import { listening } from '../../support/services/listening.ts';

let tree = '';
beforeAll(async () => {
  tree = (await smallTrees()).first;
});
beforeEach(() => {
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A server that answers everything with one status and one error. */
async function answering(status: number, body: string): Promise<string> {
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
    'There is no bucket bucket at STORE. [bucket-absent]\n  Create it, or check its name, --endpoint and --region.',
  ],
  [
    403,
    'AccessDenied',
    'STORE denies access to the bucket bucket: AccessDenied. [bucket-denied]\n  Allow these credentials s3:GetObject, s3:PutObject and s3:ListBucket there, and s3:DeleteObject for gridpress prune.',
  ],
  [
    403,
    'SignatureDoesNotMatch',
    'STORE does not accept the credentials: SignatureDoesNotMatch. [bucket-credentials]\n  Check the access key and the secret, whether they have expired, and the endpoint that they are for.',
  ],
  [
    403,
    'RequestTimeTooSkewed',
    'The clock of this machine and that of STORE differ too much for signed requests. [bucket-skew]\n  Set the clock of this machine.',
  ],
  [
    503,
    'SlowDown',
    'STORE gives no useful answer: it answers with the status 503 (SlowDown) again and again. [bucket-unreachable]\n  Check --endpoint and the network, and run it again: it goes on where it stopped.',
  ],
  [
    400,
    'InvalidRequest',
    'STORE refuses with the status 400: InvalidRequest. [bucket-answer]\n  Check that --endpoint is the URL of a store with the S3 interface.',
  ],
])('a store that answers %i %s', async (status, code, said) => {
  const store = await answering(status, xml(code));
  const told = await failureOf(() => publishTo(store, 's3://bucket/api', tree));
  expect(told).toBe(`error: ${said.replaceAll('STORE', store)}\n`);
});

test('a server of another kind', async () => {
  const store = await answering(200, '<html><body>Welcome</body></html>');
  expect(await failureOf(() => publishTo(store, 's3://bucket/api', tree))).toBe(
    'error: s3://bucket/api has a _manifest.json that gridpress did not write; nothing was written. [bucket-foreign]\n  Name another prefix; --force publishes over it.\n',
  );
});

test('no server', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  const store = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  expect(await failureOf(() => publishTo(store, 's3://bucket/api', tree))).toBe(
    `error: ${store} gives no useful answer: ECONNREFUSED. [bucket-unreachable]\n  Check --endpoint and the network, and run it again: it goes on where it stopped.\n`,
  );
});

test('no credentials', async () => {
  const none = {
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_EC2_METADATA_DISABLED: 'true',
    HOME: newFolder(),
  };
  for (const [name, value] of Object.entries(none)) vi.stubEnv(name, value);
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', 's3://bucket/api', tree))).toBe(
    'error: There are no credentials for the store. [bucket-no-credentials]\n  Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with --profile.\n',
  );
});

test.each([
  ['s3://bucket/a b', 'a b'],
  ['s3://bucket/x/../c', '..'],
  ['s3://bucket/a%2fb', 'a%2fb'],
])('%s has no prefix that can be served', async (destination, segment) => {
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', destination, tree))).toBe(
    `error: "${segment}" in the prefix of "${destination}" cannot stand in the paths of the API. [bucket-prefix]\n  Use letters, digits, "-", ".", "_" and "~" in it, but no "." or ".." alone.\n`,
  );
});

test.each(['s3://', 's3://a b/c'])('%s is no bucket', async (destination) => {
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', destination, tree))).toBe(
    `error: "${destination}" names no bucket. [bucket-address]\n  Write it like s3://bucket or s3://bucket/prefix.\n`,
  );
});

const needsBucket = (option: string) =>
  `error: ${option} does not apply to a folder. [publish-needs-bucket]\n  Leave it out, or name a bucket, like s3://bucket/prefix.\n`;
const needsPrune = (option: string) =>
  `error: ${option} does not apply to publishing, which removes nothing. [publish-needs-prune]\n  Leave it out, or give it to "gridpress prune".\n`;
const idle = (option: string) =>
  `error: ${option} does not apply to --prune, which publishes nothing. [publish-idle-in-prune]\n  Leave it out.\n`;

test.each([
  // Also the value that it has when it is left out.
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
])('publish %s, where an option would do nothing', async (call, said) => {
  const cwd = newFolder();
  expect(await gridpress(['publish', ...call.split(' ')], { cwd })).toEqual({ status: 2, stdout: '', stderr: said });
  expect(readdirSync(cwd)).toEqual([]);
});

test('no tree', async () => {
  const folder = newFolder();
  expect(await failureOf(() => publishTo('http://127.0.0.1:1', 's3://bucket', folder))).toBe(
    `error: There is no tree at ${folder}. [no-tree]\n  Make one: gridpress build.\n`,
  );
});
