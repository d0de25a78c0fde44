/** Servers accept the generated configuration without warnings, with the modules and the lines of the documentation. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCUMENTATION } from '../../../src/system/files/package-version.ts';
import { newFolder } from '../../support/folders.ts';
import { needs, PATH } from '../../support/processes/programs.ts';
import { NGINX, SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { clientOf } from '../../support/trees/served.ts';
import { LONGEST_BASE_PATH, LONGEST_SETTINGS } from '../../support/values/longest-settings.ts';

const LONG = '/testbed/reference-api/current/a-name-with-many-characters';

function output(command: readonly string[]): string {
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, PATH } });
  return `${status}\n${stdout}${stderr}`;
}

const nginx = needs(...NGINX.needs);
test.skipIf(nginx.isMissing).each([
  ['legacy', ''],
  ['legacy', LONG],
  ['current', LONG],
] as const)(`nginx starts without warnings: dialect %s, base path "%s"${nginx.because}`, async (dialect, prefix) => {
  const tree = await serverTree(NGINX, dialect, prefix);
  const folder = newFolder();
  const file = join(folder, 'nginx.conf');
  const text = NGINX.configuration({ ...tree, port: 1, folder });
  writeFileSync(file, text);
  expect(output([...NGINX.command(file), '-t'])).not.toMatch(/^[1-9]|\[(?:warn|emerg)\]/);
  // Operators with hash sizes of their own do not include the file.
  writeFileSync(file, text.replace(/include \S*hash\.conf;/, 'map_hash_max_size 1048576; map_hash_bucket_size 512;'));
  expect(output([...NGINX.command(file), '-t'])).not.toMatch(/^[1-9]|\[emerg\]/);
});

describe.each(SERVERS)('$host.name', (server) => {
  const { isMissing, because } = needs(...server.needs);

  test.skipIf(isMissing)(`starts with the longest settings${because}`, async () => {
    const tree = await serverTree(server, 'legacy', LONGEST_BASE_PATH, { precompressed: false }, LONGEST_SETTINGS);
    const { port } = await startServer(server, tree);
    const { status, headers } = await clientOf(port).get(`${LONGEST_BASE_PATH}/sites`);
    expect([status, headers['content-type'], headers['link']]).toEqual([
      200,
      expect.stringContaining(LONGEST_SETTINGS.vendor),
      expect.stringMatching(`${LONGEST_SETTINGS.citation.license}.*${LONGEST_SETTINGS.sunset.link}`),
    ]);
  });
});

const LIGHTTPD = SERVERS.find(({ host }) => host.name === 'lighttpd') ?? NGINX;
const lighttpd = needs(...LIGHTTPD.needs);
test.skipIf(lighttpd.isMissing)(`lighttpd knows every key of its documentation${lighttpd.because}`, async () => {
  const page = readFileSync(join(DOCUMENTATION, 'hosts', 'lighttpd.md'), 'utf8');
  const [modules = ''] = /server\.modules \+= \(.*\)/.exec(page) ?? [];
  const [, lines = ''] = /```text\n(server\.document-root[^`]*)```/.exec(page) ?? [];
  const { root } = await serverTree(LIGHTTPD, 'current', '');
  const file = join(newFolder(), 'lighttpd.conf');
  writeFileSync(file, `${modules}\nserver.port = 1\n${lines.replaceAll('/srv/api', root)}`);
  expect(output(['lighttpd', '-tt', '-f', file])).toBe('0\n');
});
