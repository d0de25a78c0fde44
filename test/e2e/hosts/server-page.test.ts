/** The examples of docs/server.md, on a real nginx with a certificate of its own. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parsePage } from '../../docs/page.ts';
import { newFolder } from '../../support/folders.ts';
import { CLI } from '../../support/processes/cli.ts';
import { needs, PATH } from '../../support/processes/programs.ts';
import { GIT_ENVIRONMENT } from '../../support/registries/git-repository.ts';
import { commit } from '../../support/registries/revisions.ts';
import { nodeFile, nodeText, writeFirstRevision } from '../../support/registries/testbed.ts';
import { end, freePort, NGINX, serverTree, untilLogged } from '../../support/services/servers.ts';
import { closeAtEnd, manifestOf } from '../../support/trees/served.ts';

const PAGE = parsePage(readFileSync(join(import.meta.dirname, '../../../docs/server.md'), 'utf8'));

function block(note: string): string {
  const found = PAGE.blocks.find((each) => each.note === note);
  if (!found) throw new Error(`docs/server.md has no block "${note}"`);
  return found.text;
}

let tree: string;
/** The folder of the certificate and of the passwords. */
let secrets: string;

const server = needs('nginx', 'openssl');

beforeAll(async () => {
  if (server.isMissing) return;
  ({ tree } = await serverTree(NGINX, 'current', ''));
  secrets = newFolder();
  chmodSync(secrets, 0o755);
  const subject = ['-subj', '/CN=api.testbed.example.org', '-addext', 'subjectAltName=DNS:api.testbed.example.org'];
  const files = ['-keyout', join(secrets, 'privkey.pem'), '-out', join(secrets, 'fullchain.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files], {
    stdio: 'ignore',
  });
  const hashed = execFileSync('openssl', ['passwd', '-apr1', 'secret'], { encoding: 'utf8' });
  writeFileSync(join(secrets, 'api.htpasswd'), `ada:${hashed}`);
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Starts nginx with a block of the page. Addresses and paths of the test replace those of the page. */
async function serving(note: string, change = (text: string) => text) {
  const [tls, plain, inner] = [await freePort(), await freePort(), await freePort()];
  const folder = newFolder();
  const text = change(block(note))
    .replaceAll('/srv/api', tree)
    .replaceAll('/etc/letsencrypt/live/api.testbed.example.org', secrets)
    .replaceAll('/etc/nginx', secrets)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${tls} ssl`)
    .replaceAll('listen 80', `listen 127.0.0.1:${plain}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${inner}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;\nworker_processes 1;\npid ${folder}/pid;\nerror_log stderr notice;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${text}\n}\n`,
  );
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  const [command = '', ...args] = NGINX.command(file);
  const child = spawn(command, args, { env: { ...process.env, PATH }, stdio: ['ignore', output, output] });
  closeAtEnd(() => end(child));
  await untilLogged(log, NGINX.listening, child);
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const options = {
        ...{ host: '127.0.0.1', port: tls, path, headers: { host: 'api.testbed.example.org', ...headers } },
        ...{ servername: 'api.testbed.example.org', ca: readFileSync(join(secrets, 'fullchain.pem')) },
      };
      request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      })
        .on('error', reject)
        .end();
    });
  return { get, plain };
}

const SITES = () => readFileSync(join(tree, 'sites.json'), 'utf8');

describe.skipIf(server.isMissing)(`the page about servers${server.because}`, () => {
  test('serves over TLS, and redirects plain HTTP', async () => {
    const { get, plain } = await serving('tls');
    const { status, headers, body } = await get('/sites');
    expect([status, body]).toEqual([200, SITES()]);
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
    expect(headers['sunset']).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
    expect(headers['deprecation']).toBe('@1796083200');
    expect(headers['link']).toContain('<https://example.org/next?a=b&c=d>; rel=sunset');
    const redirect = await fetch(`http://127.0.0.1:${plain}/sites?pretty`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, 'https://127.0.0.1/sites?pretty']);
  });

  test('serves behind a proxy, with the same headers and without compressing again', async () => {
    const { get } = await serving('proxy');
    const direct = await (await serving('tls')).get('/sites');
    for (const path of ['/sites', '/sites/', '/sites.json', '/']) expect((await get(path)).status).toBe(200);
    const proxied = await get('/sites');
    const varying = new Set(['date', 'connection', 'keep-alive', 'server']);
    const kept = ({ headers }: Answer) => Object.entries(headers).filter(([name]) => !varying.has(name));
    expect(Object.fromEntries(kept(proxied))).toEqual(Object.fromEntries(kept(direct)));
    expect((await get('/sites', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    expect((await get('/sites?pretty')).body).toBe(JSON.stringify(JSON.parse(SITES()), null, 2));
    expect((await get('/nope')).headers['content-type']).toBe('application/problem+json');
  });

  test('keeps an API private: each path asks for a password, except in the allowed network', async () => {
    const { get } = await serving('private');
    const ada = { authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}` };
    const snapshot = JSON.parse(readFileSync(join(tree, 'snapshots.json'), 'utf8')).items[0].uid;
    const statuses = {
      ...{ '/': 200, '/sites': 200, '/sites/': 200, '/sites.json': 200, '/_manifest.json': 200, '/nope': 404 },
      ...{ '/explorer/index.htm': 200, '/sites/lyra/versions/latest': 307, [`/sites?version=${snapshot}`]: 302 },
    };
    for (const [path, status] of Object.entries(statuses)) {
      const refused = await get(path);
      expect([path, refused.status, refused.headers.location]).toEqual([path, 401, undefined]);
      expect([path, (await get(path, ada)).status]).toEqual([path, status]);
    }
    const wrong = { authorization: `Basic ${Buffer.from('ada:other').toString('base64')}` };
    expect((await get('/sites', wrong)).status).toBe(401);
    const inside = await serving('private', (text) => text.replace('192.0.2.0/24', '127.0.0.1'));
    expect((await inside.get('/sites')).status).toBe(200);
  });
});

const git = needs('git');
test.skipIf(git.isMissing)(`the script of the timer publishes each new commit${git.because}`, () => {
  const [origin, base] = [newFolder(), newFolder()];
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...GIT_ENVIRONMENT, PATH: `${base}:${PATH}` },
    });
  const user = ['-c', 'user.name=Ada Brown', '-c', 'user.email=ada@example.org'];
  const save = () => {
    run('git', ['add', '--all'], origin);
    run('git', [...user, 'commit', '--quiet', '--message', 'Save'], origin);
  };
  writeFileSync(join(base, 'gridpress'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 });
  const first = writeFirstRevision(origin, 'cluster_uid: main\nhosts: [nginx]\nexplorer: false\nexports: false\n');
  run('git', ['init', '--quiet', '--initial-branch=main'], origin);
  save();
  mkdirSync(join(base, 'srv'));
  const [clone, served] = [join(base, 'srv/testbed'), join(base, 'srv/api')];
  run('git', ['clone', '--quiet', origin, clone], base);
  const script = join(base, 'publish-api');
  const text = block('file: publish-api').replaceAll('/srv/testbed', clone).replaceAll('/srv/api', served);
  writeFileSync(script, text, { mode: 0o755 });
  expect(run(script, [], base)).toBe('');
  expect(manifestOf(served).revision).toBe(first.id);
  const edits = { [nodeFile('lyra', 2)]: nodeText(2) };
  const second = commit(origin, { parents: [first], edits, message: 'Add a node', date: '2026-01-02T00:00:00Z' });
  save();
  expect(run(script, [], base)).toBe('');
  expect(manifestOf(served).revision).toBe(second.id);
  // An error leaves the published tree as it is.
  writeFileSync(join(origin, 'registry-data/grid.yaml'), 'type: grid\n');
  save();
  expect(() => run(script, [], base)).toThrow();
  expect(manifestOf(served).revision).toBe(second.id);
});

const systemd = needs('systemd-analyze');
test.skipIf(systemd.isMissing)(`systemd accepts the units${systemd.because}`, () => {
  const folder = newFolder();
  const units = ['publish-api.service', 'publish-api.timer'];
  for (const unit of units) {
    const text = block(`file: ${unit}`).replace('User=testbed', 'User=root');
    writeFileSync(join(folder, unit), text.replace('/usr/local/bin/publish-api', '/bin/true'));
  }
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units.map((unit) => join(folder, unit))], {
    encoding: 'utf8',
  });
  expect([status, stderr.split('\n').filter((line) => line.includes('publish-api'))]).toEqual([0, []]);
});
