/** URLs with a user name and a password, which many other programs accept. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';

test.each([
  'verify URL',
  'crawl URL',
  'probe URL',
  'find --from URL',
  'log --from URL',
  'lock lyra-1 --from URL -o experiment.lock.json',
  'mcp --from URL',
  'publish s3://bucket/api --endpoint URL',
  'prune s3://bucket/api --endpoint URL',
  'publish www --purge-file purge.txt --base-url URL',
])('a URL with a password is rejected, and the password is not shown: %s', async (call) => {
  const cwd = newFolder();
  const url = 'http://ada:s3cr3t%40x@127.0.0.1:1/v1';
  const stderr = `error: The URL http://127.0.0.1:1/v1 was given with a user name or a password, which gridpress does not send. [url-login]
  Omit them. For a Redfish service, use --user and GRIDPRESS_REDFISH_PASSWORD. For an object store, use AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --profile.
`;
  expect(await gridpress(call.replace('URL', url).split(' '), { cwd })).toEqual({ status: 2, stdout: '', stderr });
  expect(readdirSync(cwd)).toEqual([]);
});

test('an invalid URL is shown without its password', async () => {
  const { status, stderr } = await gridpress(['verify', 'ftp://ada:s3cr3t@files.example.org/'], { cwd: newFolder() });
  expect([status, stderr]).toEqual([
    2,
    'error: "ftp://files.example.org/" is not an HTTP URL. [bad-url]\n  Use the form https://api.example.org/ or http://127.0.0.1:8080/v1.\n',
  ]);
});
