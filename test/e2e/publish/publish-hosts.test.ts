/** Publishes to a folder that a real nginx serves: a publication must not break its configuration. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needs, PATH } from '../../support/processes/programs.ts';
import { AUTHOR } from '../../support/registries/revisions.ts';
import { nodeFile, nodeText, writeFirstRevision } from '../../support/registries/testbed.ts';
import { freePort } from '../../support/services/servers.ts';

const HOSTS = 'cluster_uid: main\nexplorer: false\nexports: false\nhosts: [nginx]\n';

let folder: string;
let served: string;

beforeEach(() => {
  folder = newFolder();
  served = join(folder, 'srv');
  writeFirstRevision(folder, HOSTS);
});

const run = (...args: string[]) => gridpress(args, { cwd: folder });

async function publish(...options: string[]) {
  expect((await run('build')).status).toBe(0);
  return await run('publish', served, ...options);
}

/** Runs `nginx -t` on a configuration that includes the files of the published tree. */
async function nginxAccepts(): Promise<boolean> {
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('')}
  include ${served}/_hosts/nginx/hash.conf;
  include ${served}/_hosts/nginx/http.conf;
  server {
    listen 127.0.0.1:${port};
    root ${served};
    include ${served}/_hosts/nginx/server.conf;
  }
}
`,
  );
  return new Promise((resolve) => {
    execFile('nginx', ['-t', '-c', file, '-e', 'stderr'], { env: { ...process.env, PATH } }, (error) => {
      resolve(error === null);
    });
  });
}

function configure(hosts: string): void {
  writeFileSync(join(folder, 'gridpress.yaml'), HOSTS.replace('hosts: [nginx]', hosts));
}

const nginx = needs('nginx');

describe('publishing a tree without the configuration of the host', () => {
  test.skipIf(nginx.isMissing)(`is refused, and nginx goes on${nginx.because}`, async () => {
    expect((await publish()).status).toBe(0);
    expect(await nginxAccepts()).toBe(true);
    configure('');
    const refused = {
      status: 2,
      stdout: '',
      stderr: `error: ${served} has the configuration of nginx, but the tree to install does not. A server that includes it would not start again. Nothing was changed. [install-drops-host]
  List it in gridpress.yaml (hosts: [nginx]), and build again. If no server uses the configuration, use --drop-host.
`,
    };
    expect(await publish()).toEqual(refused);
    expect(await publish('--dry-run')).toEqual(refused);
    expect(await run('bundle', '--out', 'x.bundle')).toMatchObject({ status: 0 });
    expect(await run('apply', 'x.bundle', served)).toEqual(refused);
    expect(await nginxAccepts()).toBe(true);
    expect((await publish('--drop-host')).status).toBe(0);
    expect(await nginxAccepts()).toBe(false);
  });

  test('is refused for one of several hosts, but another host may be added', async () => {
    configure('hosts: [nginx, caddy]');
    expect((await publish()).status).toBe(0);
    configure('hosts: [caddy]');
    expect((await publish()).stderr).toContain(' has the configuration of nginx, ');
    configure('hosts: [nginx, caddy, lighttpd]');
    expect((await publish()).status).toBe(0);
    expect(existsSync(join(served, '_hosts/lighttpd'))).toBe(true);
  });

  test('dev writes no preview over it', async () => {
    await publish();
    const before = readFileSync(join(served, '_manifest.json'), 'utf8');
    expect(await run('dev', '--out', served, '--port', '0')).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${served} contains a tree with the configuration of nginx, so a server may serve it. A preview would replace it. [dev-into-published]\n  Name another folder with --out.\n`,
    });
    expect(readFileSync(join(served, '_manifest.json'), 'utf8')).toBe(before);
  });
});

describe('the text of a publication', () => {
  const record = (version: number) => {
    writeFileSync(join(folder, 'registry-data', nodeFile('lyra', 1)), nodeText(1, `bios:\n  version: "${version}"\n`));
    return run('record', '-m', `BIOS ${version}`, '--author', AUTHOR);
  };

  test('begins with the changes of the registry, and ends with the command that loads the configuration', async () => {
    await record(1);
    const first = await publish();
    expect(first.stdout).toMatch(
      /^create \d+: .*\nPublished revision .*\nThe configuration of nginx changed\. Load it: nginx -t && nginx -s reload\n$/,
    );
    await record(2);
    const { stdout, stderr } = await publish();
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^sites\/lyra\n {2}updated {2}node-1 nodes\/\S+ \(firmware\)\n {4}bios\.version {2}"1" -> "2" {2}firmware\ncreate \d+: .*\nupdate \d+: .*\n/,
    );
    expect(stdout.split('\n').length).toBeLessThan(12);
    expect(stdout).toContain('\nThe configuration of nginx changed. ');
    expect((await run('publish', served)).stdout).toMatch(/^Up to date: /);
    const verbose = await run('--verbose', 'publish', served, '--older', '--dry-run');
    expect(verbose.status).toBe(0);
  });

  test('does not ask for a reload if only documents changed', async () => {
    await publish();
    configure('hosts: [nginx]\nbadges: none');
    const { stdout } = await publish();
    expect(stdout).toMatch(/^delete \d+: \d+ badges\nPublished /);
    expect(stdout).not.toContain('Load it');
  });

  test('warns if the registry is newer than the tree', async () => {
    await publish();
    await record(1);
    await record(2);
    const { stderr, status } = await run('publish', served);
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^warning: The published tree has revision [0-9a-f]{8}, but registry-data has 2 newer revisions\. \[publish-older-than-registry\]\n {2}Build the tree and publish again: gridpress build\.\n$/,
    );
    rmSync(join(folder, 'registry-data'), { recursive: true });
    expect(await run('publish', served)).toMatchObject({ status: 0, stderr: '' });
    expect(await run('publish', served, '--registry', 'registry-data')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('There is no registry at "registry-data". [no-registry]'),
    });
  });
});
