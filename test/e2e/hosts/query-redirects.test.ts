/** `?version={revision}` redirects to a snapshot and `?deep=1` to the deep document, on real servers. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveHandler } from '../../../src/core/hosts/all.ts';
import { cloudflareWorker } from '../../../src/core/hosts/cloudflare-worker.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { needs } from '../../support/processes/programs.ts';
import type { Client } from '../../support/services/http.ts';
import { SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { workerClient } from '../../support/services/worker-client.ts';
import { type HostTree, hostTree } from '../../support/trees/host-tree.ts';
import { clientOf, closeAtEnd, onBug } from '../../support/trees/served.ts';

const CLUSTER = '/sites/aquila/clusters/main';
const NODE = `${CLUSTER}/nodes/1c101e4e-bf84-480b-9854-367b9493cae0`;
const UNKNOWN = '0'.repeat(40);
const WITH_DEEP = { deep: { snapshots: true } } as const;

async function expectRedirects(client: Pick<Client, 'get'>, { tree, prefix }: HostTree): Promise<void> {
  const [revision = ''] = readdirSync(join(tree, 'snapshots')).filter((name) => /^[0-9a-f]{40}$/.test(name));
  const snapshot = `/snapshots/${revision}`;
  for (const [asked, target] of [
    [`/?version=${revision}`, snapshot],
    [`/index.json?version=${revision}`, `${snapshot}.json`],
    [`/sites?version=${revision}`, `${snapshot}/sites`],
    [`/sites/?a=b&version=${revision}&limit=5`, `${snapshot}/sites`],
    [`/sites.json?version=${revision}`, `${snapshot}/sites.json`],
    [`/sites/aquila?version=${revision}&pretty`, `${snapshot}/sites/aquila?pretty`],
    [`/sites/aquila?pretty=no&version=${revision}`, `${snapshot}/sites/aquila`],
    [`/sites/aquila?version=2&version=${revision}`, `${snapshot}/sites/aquila`],
    [`${CLUSTER}/deep?version=${revision}`, `${snapshot}${CLUSTER}/deep`],
    [`${CLUSTER}?deep=1&version=${revision}`, `${snapshot}${CLUSTER}/deep`],
    [`${CLUSTER}/nodes?version=${revision}&deep=1`, `${snapshot}${CLUSTER}/nodes`],
    [`/?version=${revision}&deep=true`, `${snapshot}/deep`],
    [`${snapshot}/sites?version=${revision}`, `${snapshot}/sites`],
    [`${snapshot}?deep=1`, `${snapshot}/deep`],
    [`${snapshot}/sites/aquila?deep=1`, `${snapshot}/sites/aquila/deep`],
    ['/?deep=1', '/deep'],
    ['/sites/aquila.json?deep=1&pretty', '/sites/aquila/deep.json?pretty'],
  ] as const) {
    const { status, headers } = await client.get(prefix + asked);
    const location = (headers['location'] ?? '').replace(/^https?:\/\/[^/]+/, '');
    expect([asked, status, location]).toEqual([asked, 302, prefix + target]);
    expect([asked, headers['cache-control']]).toEqual([asked, undefined]);
    expect([asked, headers['access-control-allow-origin']]).toEqual([asked, '*']);
    expect((await client.get(location)).status).toBe(200);
  }
  for (const asked of [
    `/sites?version=${UNKNOWN}`,
    `/sites/aquila?version=${revision.toUpperCase()}`,
    `/?deep=1&version=${UNKNOWN}`,
    `${snapshot}/sites?version=${UNKNOWN}`,
    `/sites/nowhere?version=${revision}`,
    '/sites/nowhere?deep=1',
  ]) {
    const { status, headers } = await client.get(prefix + asked);
    expect([asked, status, headers['content-type']]).toEqual([asked, 404, 'application/problem+json']);
    expect([asked, headers['cache-control'], headers['location']]).toEqual([asked, undefined, undefined]);
  }
  for (const asked of [
    ...['/sites?version=', '/sites?version=HEAD', `/sites?version=${revision.slice(1)}`, '/sites?deep=1'],
    ...[`/sites?version=${revision}0`, `/sites?oldversion=${revision}`, '/sites/aquila?deep=0', `${NODE}?deep=1`],
    ...[`/sites/versions?version=${revision}&deep=1`, `/versions?version=${UNKNOWN}&deep=1`],
    ...[`/nodes/table?version=${revision}`, '/sites?date=2020-01-01&timestamp=1', `/sites?version=%2F%2Fevil.example/`],
    ...[`/sites/aquila/versions?version=${revision}`, `/explorer/index.htm?version=${revision}`],
  ]) {
    const [path = ''] = asked.split('?');
    const [found, plain] = [await client.get(prefix + asked), await client.get(prefix + path)];
    expect([asked, found.status, found.body]).toEqual([asked, 200, plain.body]);
  }
}

for (const server of SERVERS) {
  const { isMissing, because } = needs(...server.needs);
  test.skipIf(isMissing)(`${server.host.name} redirects to snapshots and deep documents${because}`, async () => {
    const place = await serverTree(server, 'current', '/api/v1', {}, WITH_DEEP);
    const { port } = await startServer(server, place);
    await expectRedirects(clientOf(port), place);
  });
}

describe('without an external server', () => {
  test('gridpress serve redirects to both', async () => {
    const place = await hostTree(serveHandler, 'current', '', {}, WITH_DEEP);
    const options = { folder: place.tree, registry: 'unused', port: 0, host: '127.0.0.1', onBug };
    const { port, close } = await serve({ ...options, config: join(place.root, '..', 'gridpress.yaml') });
    closeAtEnd(close);
    await expectRedirects(clientOf(port), place);
  });

  test.each(['', '/api/v1'])('the Worker redirects to both, prefix "%s"', async (prefix) => {
    const place = await hostTree(cloudflareWorker, 'current', prefix, {}, WITH_DEEP);
    await expectRedirects(await workerClient(place), place);
  });
});
