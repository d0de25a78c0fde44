/** Runs the generated configurations on their servers and checks the whole contract. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CAPABILITIES, type Host } from '../../../src/core/hosts/host.ts';
import { probeUrl } from '../../../src/features/verify/probe-service.ts';
import { needs } from '../../support/processes/programs.ts';
import type { Client } from '../../support/services/http.ts';
import { SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { clientOf, manifestOf } from '../../support/trees/served.ts';

const PLACES = [
  ['current', ''],
  ['legacy', ''],
  ['legacy', '/api/v1'],
] as const;

/** Thousands of sequential requests take this long on a busy machine. */
const LONGEST_MS = 180_000;

describe.each(SERVERS)('$host.name', (server) => {
  const { isMissing, because } = needs(...server.needs);

  test.skipIf(isMissing).each(PLACES)(
    `fulfills the contract: dialect %s, prefix "%s"${because}`,
    async (dialect, prefix) => {
      const { tree, ...place } = await serverTree(server, dialect, prefix);
      const { base, port } = await startServer(server, { tree, ...place });
      await expectContract(base, server.host, dialect);
      const client = clientOf(port);
      for (const { from, to } of latestVersions(tree)) {
        const { status, headers } = await client.get(`${prefix}${from}?limit=1`);
        const location = new URL(headers['location'] ?? '', base).href;
        expect({ from, status, location }).toEqual({ from, status: 307, location: `${base}${to}?limit=1` });
      }
      const tombstones = filesBelow(tree, '_gone');
      expect(tombstones.length).toBeGreaterThan(0);
      for (const file of tombstones) {
        const body = readFileSync(join(tree, file), 'utf8');
        const path = file.slice('_gone'.length, -'.json'.length);
        for (const form of [path, `${path}/`, `${path}.json`, `${path}/index.json`, `${path}?pretty`]) {
          const gone = await client.get(prefix + form, { headers: UNLESS_KNOWN });
          expect({ form, status: gone.status, body: gone.body }).toEqual({ form, status: 410, body });
          expect(gone.headers['content-type']).toBe('application/problem+json');
          expect(gone.headers['cache-control']).toBe(undefined);
        }
        const itself = await client.get(`${prefix}/${file}`);
        expect({ file, status: itself.status }).toEqual({ file, status: 404 });
      }
      await expectManifest(client, prefix, tree);
      for (const file of filesBelow(tree, '_hosts')) {
        const { status } = await client.get(`${prefix}/${file}`);
        expect({ file, status }).toEqual({ file, status: 404 });
      }
    },
    LONGEST_MS,
  );

  test.skipIf(isMissing)(`serves trees without compressed files${because}`, async () => {
    const { tree, ...place } = await serverTree(server, 'current', '', { precompressed: false });
    expect(filesBelow(tree, '').filter((file) => /\.(gz|br)$/.test(file))).toEqual([]);
    const { port } = await startServer(server, { tree, ...place });
    const client = clientOf(port);
    const headers = { 'Accept-Encoding': 'gzip, br' };
    for (const [path, file] of [
      ['/sites', 'sites.json'],
      ['/sites?pretty', '_pretty/sites.json'],
      ['/', 'index.json'],
      ['/versions/timemap.link', 'versions/timemap.link'],
    ] as const) {
      const answer = await client.get(path, { headers });
      expect([path, answer.status, answer.headers['content-encoding']]).toEqual([path, 200, undefined]);
      expect(answer.body).toBe(readFileSync(join(tree, file), 'utf8'));
    }
  });
});

/** Conditions that must not turn a tombstone into 304, 206 or 412. */
const UNLESS_KNOWN = {
  'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT',
  'If-None-Match': '*',
  Range: 'bytes=0-9',
  Accept: 'application/json',
  'Accept-Encoding': 'gzip, br',
};

/** Servers that answer every later date in If-Modified-Since with 304. Their rules remove all dates but one. */
const REMOVE_DATES = ['caddy', 'apache', 'htaccess'];

/** Servers that reject some requests before they apply their rules. */
const REFUSE_BY_THEMSELVES = ['caddy', 'lighttpd', 'apache', 'htaccess'];

/** Expects the whole contract, except requests that servers reject before they apply their rules. */
async function expectContract(url: string, { name }: Host, dialect: string): Promise<void> {
  const { results } = await probeUrl({ url, host: name, rate: 0, timeout: 10, maxRequests: 10_000 }, () => {});
  const failing = results.flatMap((result) =>
    result.outcome === 'wrong' ? result.failing.map(({ request, message }) => `${request} ${message}`) : [],
  );
  expect(failing).toEqual([]);
  const outcomes = Object.fromEntries(results.map(({ capability, outcome }) => [capability, outcome]));
  expect(outcomes).toEqual({
    ...Object.fromEntries(Object.keys(CAPABILITIES).map((capability) => [capability, 'holds'])),
    ...(dialect === 'current' ? { accept: 'not-applicable' } : {}),
    ...(REMOVE_DATES.includes(name) ? { 'last-modified': 'by-nature' } : {}),
    ...(name === 'htaccess' ? { 'not-found': 'by-nature' } : {}),
    ...(REFUSE_BY_THEMSELVES.includes(name) ? { refusals: 'by-nature' } : {}),
  });
}

/** The manifest has no compressed file: servers compress it on the fly, and no two encodings share an ETag. */
async function expectManifest(client: Client, prefix: string, tree: string): Promise<void> {
  const path = `${prefix}/_manifest.json`;
  const text = readFileSync(join(tree, '_manifest.json'), 'utf8');
  const tags = new Map<string, string | undefined>();
  for (const [accepted, coding] of [
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip, deflate, br', 'gzip'],
  ] as const) {
    const headers = { 'Accept-Encoding': accepted };
    const { status, headers: sent, bytes } = await client.get(path, { headers });
    expect([accepted, status, sent['content-encoding']]).toEqual([accepted, 200, coding]);
    expect((coding ? gunzipSync(bytes) : bytes).toString()).toBe(text);
    expect(sent['vary']).toMatch(/accept-encoding/i);
    const etag = sent['etag'] ?? '';
    if (!etag.startsWith('W/')) expect(tags.has(etag) ? tags.get(etag) : coding).toBe(coding);
    tags.set(etag, coding);
    const again = await client.get(path, { headers: { ...headers, 'If-None-Match': etag } });
    expect([accepted, again.status, strong(again.headers['etag'])]).toEqual([accepted, 304, strong(etag)]);
  }
}

/** nginx weakens an ETag only with a body, not with a 304. */
const strong = (etag: string | undefined) => etag?.replace(/^W\//, '');

/** The paths of all latest versions with the versions that they redirect to. */
function latestVersions(tree: string): { readonly from: string; readonly to: string }[] {
  return manifestOf(tree).documents.flatMap((document) =>
    'alias_of' in document && document.path.endsWith('/latest') ? [{ from: document.path, to: document.alias_of }] : [],
  );
}

/** The files of a folder of a tree, by their paths in the tree. */
function filesBelow(tree: string, name: string): string[] {
  const folder = join(tree, name);
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.parentPath.startsWith(folder))
    .map(({ parentPath, name }) => relative(tree, join(parentPath, name)));
}
