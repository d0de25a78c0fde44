/**
 * `explorer.redirect_browsers` on real servers: browsers that navigate are redirected to the explorer, other clients
 * get documents.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveHandler } from '../../../src/core/hosts/all.ts';
import { cloudflareWorker } from '../../../src/core/hosts/cloudflare-worker.ts';
import { vercel } from '../../../src/core/hosts/vercel.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { needs } from '../../support/processes/programs.ts';
import type { Client } from '../../support/services/http.ts';
import { SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { type Route, routeRequest } from '../../support/services/vercel-routes.ts';
import { workerClient } from '../../support/services/worker-client.ts';
import { hostTree } from '../../support/trees/host-tree.ts';
import { clientOf, closeAtEnd, onBug } from '../../support/trees/served.ts';

const WANTED = { explorer: { redirect_browsers: true } } as const;
const NODE = '/sites/aquila/clusters/main/nodes/1c101e4e-bf84-480b-9854-367b9493cae0';
const VIEWS = ['/', '/nodes', '/changes', '/sites', '/sites/aquila', NODE];
/** Documents that browsers and other clients get alike. */
const DOCUMENTS = [
  ...['/sites.json', '/index.json', '/sites?pretty', `${NODE}.json`, `${NODE}?limit=1`],
  ...['/sites/versions', '/versions', `${NODE}/versions`, '/nodes/table', '/sites/aquila/clusters'],
];
const NAVIGATION = { 'Sec-Fetch-Dest': 'document', Accept: 'text/html' };

async function expectRedirects(client: Pick<Client, 'get'>, prefix: string): Promise<void> {
  for (const path of VIEWS) {
    const { status, headers } = await client.get(prefix + path, { headers: NAVIGATION });
    const { pathname, hash } = new URL(headers['location'] ?? '', 'http://127.0.0.1');
    expect([path, status, pathname, hash, headers['cache-control']]).toEqual([
      ...[path, 302, `${prefix}/explorer/index.htm`, `#${path}`, 'no-store'],
    ]);
    expect(headers['vary']).toContain('Sec-Fetch-Dest');
    for (const asked of [{}, { 'Sec-Fetch-Dest': 'empty' }, { Accept: 'text/html, */*;q=0.8' }]) {
      const answer = await client.get(prefix + path, { headers: asked });
      expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, 'application/json']);
      expect(answer.headers['vary']).toContain('Sec-Fetch-Dest');
    }
  }
  for (const path of DOCUMENTS) {
    const { status } = await client.get(prefix + path, { headers: NAVIGATION });
    expect([path, status]).toEqual([path, 200]);
  }
  const hostile = await client.get(`${prefix}/sites/a%0d%0aSet-Cookie:%20x=1`, { headers: NAVIGATION });
  expect([400, 404]).toContain(hostile.status);
  expect(hostile.headers['set-cookie']).toBe(undefined);
}

for (const server of SERVERS) {
  const { isMissing, because } = needs(...server.needs);
  test.skipIf(isMissing)(`${server.host.name} redirects browsers to the explorer${because}`, async () => {
    const { tree, ...place } = await serverTree(server, 'current', '/api/v1', {}, WANTED);
    const { port } = await startServer(server, { tree, ...place });
    await expectRedirects(clientOf(port), '/api/v1');
  });
}

describe('without an external server', () => {
  test.each([
    ['to the explorer if configured', WANTED, 302],
    ['nowhere by default', {}, 200],
  ] as const)('gridpress serve redirects browsers %s', async (_, configuration, status) => {
    const { tree, root } = await hostTree(serveHandler, 'current', '', {}, configuration);
    const options = { folder: tree, registry: 'unused', port: 0, host: '127.0.0.1', onBug };
    const { port, close } = await serve({ ...options, config: join(root, '..', 'gridpress.yaml') });
    closeAtEnd(close);
    if (status === 302) await expectRedirects(clientOf(port), '');
    else expect((await clientOf(port).get('/sites', { headers: NAVIGATION })).status).toBe(200);
  });

  test.each(['', '/api/v1'])('the Worker redirects browsers to the explorer, prefix "%s"', async (prefix) => {
    const place = await hostTree(cloudflareWorker, 'current', prefix, {}, WANTED);
    await expectRedirects(await workerClient(place), prefix);
  });

  test('the routes of Vercel redirect browsers to the explorer', async () => {
    const { tree } = await hostTree(vercel, 'current', '', {}, WANTED);
    const { routes }: { routes: Route[] } = JSON.parse(readFileSync(join(tree, 'vercel.json'), 'utf8'));
    const ask = (path: string, headers: Readonly<Record<string, string>>) => {
      const [pathname = '', query = ''] = path.split('?');
      const request = { method: 'GET', path: pathname, query: new URLSearchParams(query), headers };
      return routeRequest(routes, request, () => true);
    };
    for (const path of VIEWS) {
      const { status, headers } = ask(path, { 'sec-fetch-dest': 'document' });
      expect([path, status, headers['location']]).toEqual([path, 302, `/explorer/index.htm#${path}`]);
      expect(ask(path, {}).status).toBe(200);
    }
    for (const path of DOCUMENTS.filter((each) => !each.includes('limit')))
      expect([path, ask(path, { 'sec-fetch-dest': 'document' }).status]).toEqual([path, 200]);
  });
});
