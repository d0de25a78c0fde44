/** Configurations with values that could inject rules or paths are rejected before anything is written. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REGISTRY = join(import.meta.dirname, '../../../registry-data');

test.each([
  [
    `headers:\n  strict_transport_security: 'max-age=1" always; return 200 "x'\n`,
    `3:30: error: "headers.strict_transport_security": expected max-age=SECONDS, and after it, if wanted, "; includeSubDomains" and "; preload". [schema]`,
    'Correct the value. The schema of the file describes it.',
  ],
  [
    'base_path: /api/..\n',
    '2:12: error: "base_path": expected nothing, or a path such as /api/v1 without a slash at its end. [schema]',
    'Correct the value. The schema of the file describes it.',
  ],
  [
    'base_path: /_manifest.json\n',
    '2:12: error: "base_path": expected nothing, or a path such as /api/v1 without a slash at its end. [schema]',
    'Correct the value. The schema of the file describes it.',
  ],
  [
    'base_path: /sites/v1\n',
    `2:12: error: The base path "/sites/v1" starts with "sites", a name that the API uses. [base-path-taken]`,
    'Choose another base path. URLs below this one would be ambiguous.',
  ],
  ...[
    'ftp://api.example.org',
    'https://api.example.org/',
    'https://a b',
    'https://u:p@host',
    'https://h"><script>',
    'https://h?x',
    '//h',
  ].map((url): [string, string, string] => [
    `base_url: '${url}'\n`,
    '2:11: error: "base_url": expected an http or https URL such as https://api.example.org/v1 without a slash at its end. [schema]',
    'Correct the value. The schema of the file describes it.',
  ]),
  [
    'base_url: https://api.example.org:99999\n',
    '2:11: error: The base URL "https://api.example.org:99999" is invalid. [base-url]',
    'Correct its host or port.',
  ],
  [
    'base_url: https://api.example.org:443\n',
    '2:11: error: The base URL "https://api.example.org:443" is not written as browsers write it. [base-url]',
    'Write "https://api.example.org".',
  ],
  [
    'base_url: http://api.lab.example:80\n',
    '2:11: error: The base URL "http://api.lab.example:80" is not written as browsers write it. [base-url]',
    'Write "http://api.lab.example".',
  ],
  [
    'base_path: /api\nbase_url: https://api.example.org/v1\n',
    '3:11: error: The base URL "https://api.example.org/v1" has the path "/v1", but base_path is "/api". [base-url-path]',
    'Make both equal. The base path is the part of the base URL after the host.',
  ],
  ...['2023-02-29', '2021-01-01T12:00:00'].map((since): [string, string, string] => [
    `history:\n  since: ${since}\n`,
    '3:10: error: "history.since": expected a date such as 2021-01-01, or one with its time and offset. [schema]',
    'Correct the value. The schema of the file describes it.',
  ]),
])('build rejects %j', async (more, what, fix) => {
  const folder = temporaryFolder();
  const config = join(folder, 'gridpress.yaml');
  writeFileSync(config, `cluster_uid: main\n${more}`);
  const out = join(folder, 'dist');
  const { status, stdout, stderr } = await gridpress(
    ['build', '--registry', REGISTRY, '--config', config, '--out', out, '--host', 'nginx'],
    { cwd: folder },
  );
  const [said, ...frame] = stderr.split('\n');
  expect([status, stdout, said, frame.at(-2), existsSync(out)]).toEqual([
    ...[1, '', `gridpress.yaml:${what}`, `  ${fix}`, false],
  ]);
});
