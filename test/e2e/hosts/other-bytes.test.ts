/** A document with other bytes never gets a 304, even if its length and its revision are the same. */
import { describe, expect, test } from 'vitest';
import { serveHandler } from '../../../src/core/hosts/all.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { needs } from '../../support/processes/programs.ts';
import type { Client } from '../../support/services/http.ts';
import { SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { hostTree } from '../../support/trees/host-tree.ts';
import { clientOf, closeAtEnd, onBug } from '../../support/trees/served.ts';

const RELEASES = ['3.1.8', '3.1.9'] as const;

/** Requests the root of two trees that differ only in the release, with the validators of each other and of their own. */
async function expectNoStaleRoot(clients: readonly Client[]): Promise<void> {
  const roots = await Promise.all(clients.map((client) => client.get('/')));
  const releases = roots.map(({ body }): unknown => JSON.parse(body).release);
  expect(releases).toEqual(RELEASES);
  const lengths = roots.map(({ bytes }) => bytes.length);
  expect(lengths[0]).toBe(lengths[1]);
  const seconds = roots.map(({ headers }) => headers['last-modified']);
  expect(seconds[0]).not.toBe(seconds[1]);
  for (const [own, client] of clients.entries()) {
    for (const [known, { headers }] of roots.entries()) {
      const { etag = '', 'last-modified': modified = '' } = headers;
      const status = known === own ? 304 : 200;
      for (const asked of [{ 'If-None-Match': etag }, { 'If-Modified-Since': modified }]) {
        const answer = await client.get('/', { headers: asked });
        expect([asked, answer.status, answer.body]).toEqual([asked, status, status === 200 ? roots[own]?.body : '']);
      }
    }
    const later = { 'If-Modified-Since': new Date().toUTCString() };
    expect((await client.get('/', { headers: later })).status).toBe(200);
  }
}

describe.each(SERVERS)('$host.name', (server) => {
  const { isMissing, because } = needs(...server.needs);
  test.skipIf(isMissing)(`returns no 304 for other bytes${because}`, async () => {
    const clients: Client[] = [];
    for (const release of RELEASES) {
      const { port } = await startServer(server, await serverTree(server, 'legacy', '', {}, { release }));
      clients.push(clientOf(port));
    }
    await expectNoStaleRoot(clients);
  });
});

test('gridpress serve returns no 304 for other bytes', async () => {
  const clients: Client[] = [];
  for (const release of RELEASES) {
    const { tree } = await hostTree(serveHandler, 'legacy', '', {}, { release });
    const serving = await serve({ registry: tree, folder: tree, port: 0, host: '127.0.0.1', onBug });
    closeAtEnd(serving.close);
    clients.push(clientOf(serving.port));
  }
  await expectNoStaleRoot(clients);
});
