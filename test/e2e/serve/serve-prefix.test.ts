/** `gridpress serve` below a base path, for clients that append links to their base and clients that resolve them. */

import { cpSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { serve } from '../../../src/features/serve/serve.ts';
import { newFolder } from '../../support/folders.ts';
import { REGISTRY } from '../../support/registries/revisions.ts';
import { writeFirstRevision } from '../../support/registries/testbed.ts';
import { buildAndServe, clientOf, closeAtEnd, type Served } from '../../support/trees/served.ts';

let served: Served;
let snapshot: string;

beforeAll(async () => {
  const folder = newFolder();
  const { id } = writeFirstRevision(folder, 'cluster_uid: main\nbase_path: /stable\n');
  snapshot = `/snapshots/${id}`;
  served = await buildAndServe(join(folder, REGISTRY));
});

test.each<[string, () => [path: string, same: string]]>([
  ['the prefix', () => ['/stable/sites', '/sites']],
  ['the prefix alone', () => ['/stable', '/']],
  ['the prefix twice', () => ['/stable/stable/sites.json', '/sites.json']],
  ['a snapshot twice', () => [`/stable${snapshot}${snapshot}/sites`, `${snapshot}/sites`]],
  ['both twice', () => [`/stable${snapshot}/stable${snapshot}/sites`, `${snapshot}/sites`]],
  ['a history in a snapshot', () => [`/stable${snapshot}/sites/lyra/versions`, '/sites/lyra/versions']],
  ['its root', () => [`${snapshot}/versions.json`, '/versions.json']],
])('%s before a path is accepted once', async (_, pathsOf) => {
  const [path, same] = pathsOf();
  const [found, single] = [await served.client.get(path), await served.client.get(same)];
  expect([single.status, found.status, found.body]).toEqual([200, 200, single.body]);
});

test.each([
  ['a prefix three times', () => '/stable/stable/stable/sites'],
  ['a snapshot in another snapshot', () => `${snapshot}/snapshots/${'0'.repeat(40)}/sites`],
  ['a history in an unknown snapshot', () => `/snapshots/${'0'.repeat(40)}/versions`],
])('%s is not found', async (_, pathOf) => {
  expect((await served.client.get(pathOf())).status).toBe(404);
});

test('redirects and Link headers contain the prefix', async () => {
  const { status, headers } = await served.client.get('/stable/versions/latest?a=b');
  const newest = `/stable/versions/${snapshot.slice('/snapshots/'.length)}?a=b`;
  expect([status, headers['location'], headers['link']]).toEqual([
    307,
    newest,
    '</stable/changes>; rel=monitor, </stable/openapi.json>; rel=service-desc, ' +
      '</stable/docs/index.htm>; rel=service-doc, </stable/links.json>; rel=describedby, ' +
      '</stable/explorer/index.htm>; rel=alternate; type="text/html", ' +
      '</stable/explorer/dataset.linkset>; rel=linkset; type="application/linkset+json"',
  ]);
});

test('the links of a mirror without its configuration work', async () => {
  const folder = newFolder();
  writeFirstRevision(folder, 'cluster_uid: main\nbase_path: /stable\nprefixed_links: true\n');
  const { out } = await buildAndServe(join(folder, REGISTRY));
  const mirror = join(newFolder(), 'mirror');
  cpSync(out, mirror, { recursive: true, preserveTimestamps: true });
  const registry = join(mirror, '..', 'none');
  const onBug = (error: unknown) => expect.unreachable(String(error));
  const { port, basePath, close } = await serve({ registry, folder: mirror, port: 0, host: '127.0.0.1', onBug });
  closeAtEnd(close);
  const client = clientOf(port);
  const root = await client.get('/');
  const links = JSON.parse(root.body).links.map(({ href }: { readonly href: string }) => href);
  expect([basePath, links]).toEqual(['/stable', expect.arrayContaining(['/stable', '/stable/sites'])]);
  for (const href of links) expect([href, (await client.get(href)).status]).toEqual([href, 200]);
});

test('a request target in absolute form is accepted', async () => {
  const socket = createConnection(served.port, '127.0.0.1');
  socket.end(
    'GET http://api.example.org:8080/stable/sites.json?a=b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  const answer = await text(socket);
  expect(answer.split('\r\n', 1)).toEqual(['HTTP/1.1 200 OK']);
  expect(answer.endsWith((await served.client.get('/sites')).body)).toBe(true);
});

test('If-Match is compared with the ETag of the response', async () => {
  const { headers } = await served.client.get('/sites');
  const matching = (tag: string) => served.client.get('/sites', { headers: { 'If-Match': tag } });
  expect((await matching(`"other", ${headers['etag']}`)).status).toBe(200);
  const refused = await matching('"other"');
  expect([refused.status, refused.headers['content-type']]).toEqual([412, 'application/problem+json']);
});
