import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { rawFormOf } from '../../../src/core/api/endpoints.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { newFolder } from '../../support/folders.ts';
import { writeFiles } from '../../support/registries/revisions.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import type { Client } from '../../support/services/http.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

const NODE = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;
const ITEM = 'application/vnd.gridpress.item+json; charset=utf-8';
const COLLECTION = 'application/vnd.gridpress.collection+json; charset=utf-8';
const MUTABLE = 'public, max-age=60, s-maxage=60, must-revalidate, proxy-revalidate';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const NOT_FOUND =
  '{"type":"about:blank","title":"Not Found","status":404,"detail":"No resource has this path. Start at the root and follow its links."}';

let bed: Testbed;
let current: Served;
let legacy: Served;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  current = await buildAndServe(bed.registry, { snapshots: [bed.revisions.first.id] });
  writeFiles(bed.folder, [
    [
      'gridpress.yaml',
      'cluster_uid: main\nheaders:\n  strict_transport_security: max-age=63072000; includeSubDomains\n',
    ],
  ]);
  legacy = await buildAndServe(bed.registry, { dialect: 'legacy', snapshots: 'none' });
});

/** Returns the named headers of a response. */
async function headersOf(client: Client, url: string, names: readonly string[], headers = {}) {
  const answer = await client.get(url, { headers });
  return Object.fromEntries(names.map((name) => [name, answer.headers[name]]));
}

describe('paths', () => {
  test('answer at X, X/ and X.json with the same bytes and without a redirect', async () => {
    const paths = current.manifest.documents
      .map(({ path }) => path)
      .filter((path) => !path.endsWith('/latest') && rawFormOf(path) === undefined);
    expect(paths).toEqual(
      expect.arrayContaining(['/', '/sites', '/sites/lyra/clusters/main/nodes', '/versions', '/changes']),
    );
    for (const path of paths) {
      const { body } = await current.client.get(path);
      const others = path === '/' ? ['/index.json'] : [`${path}/`, `${path}.json`, `${path}/index.json`];
      for (const url of others) {
        const answer = await current.client.get(url);
        expect({ url, status: answer.status, body: answer.body }).toEqual({ url, status: 200, body });
      }
    }
  });

  test('of raw documents have no other form, and neither dialect nor ?pretty changes them', async () => {
    const url = '/sites/lyra/versions/timemap.link';
    for (const { client } of [current, legacy]) {
      for (const path of [url, `${url}?pretty`]) {
        const { status, headers, body } = await client.get(path, { headers: { Accept: 'application/json' } });
        expect({ path, status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
          path,
          status: 200,
          type: 'application/link-format',
          cache: MUTABLE,
        });
        expect(body.split(';')[0]).toBe('</sites/lyra>');
      }
      for (const end of ['/', '.json', '/index.json']) expect((await client.get(url + end)).status).toBe(404);
    }
  });

  test.each([
    ...['//', '///', '//index.json', '/index%2Ejson'].map((path) => [path, '/'] as const),
    ...['//sites', '/sites//', '/%73ites', '/sites%2Ejson', '//sites.json'].map((path) => [path, '/sites'] as const),
    ...['/sites//lyra', '/sites/l%79ra/'].map((path) => [path, '/sites/lyra'] as const),
  ])('%s is another spelling of %s', async (path, url) => {
    const [answer, plain] = [await current.client.get(path), await current.client.get(url)];
    expect([answer.status, answer.body]).toEqual([200, plain.body]);
    expect(answer.headers['etag']).toBe(plain.headers['etag']);
  });

  test('answer the manifest as the stored file', async () => {
    const bytes = readFileSync(join(current.out, '_manifest.json'), 'utf8');
    for (const url of ['/_manifest.json', '/_manifest.json?pretty', '//_manifest%2Ejson']) {
      const { status, headers, body } = await current.client.get(url);
      expect(status).toBe(200);
      expect(body === bytes).toBe(true);
      expect(headers['content-type']).toBe('application/json');
      expect(headers['cache-control']).toBe(MUTABLE);
      expect(headers['etag']).toBe(`"${sha256(bytes).slice(0, 32)}"`);
    }
  });

  test('ignore unknown query parameters', async () => {
    const { body } = await current.client.get('/sites');
    for (const query of ['?limit=500', '?offset=3&limit=1', '?', '??', '?pretty=no', '?%zz', '?a=/../b']) {
      const answer = await current.client.get(`/sites${query}`);
      expect({ query, status: answer.status, body: answer.body }).toEqual({ query, status: 200, body });
    }
  });

  test.each([
    ...['/nowhere', '/sites/nowhere', '/sites/LYRA', '/SITES', '/index', '/sites/index', '/sites/lyra/nodes'],
    ...['//nowhere', '/sites//nowhere', '/sites.json/', '/sites.json.json', '/index/', '/index.json/'],
    ...['/./sites', '/../sites', '/sites/../sites', '/sites/./lyra', '/..', '/../../etc/passwd', '/.'],
    ...['/%2F', '/sites%2Flyra', '/sites%2flyra', '/%2e%2e/sites', '/sites/%2E%2E', '/sites\\lyra', '/sites;v=1'],
    ...['/%00', '/sites%00', '/sites/lyra%00.json', '/%', '/%zz', '/sites/%E0%A4%A', '/sites/%F0%9F%A6%8A'],
    ...[
      '/_manifest',
      '/_manifest/',
      '/_manifest.json/',
      '/404.json',
      '/404',
      '/.owner',
      '/_part-0',
      '/__proto__',
      '/constructor',
    ],
    ...['/sites/constructor', '/sites/hasOwnProperty', '/.json', '/users', '/sites/lyra/jobs', '/snapshots/latest'],
    `/sites/${'a'.repeat(300)}`,
    `/${'sites/'.repeat(1000)}`,
    `/versions/${'0'.repeat(40)}`,
    `/sites/lyra/clusters/main/nodes/${nodeUid(4)}`,
  ])('of missing documents give a problem: %s', async (path) => {
    const { status, headers, body } = await current.client.get(path);
    expect({ status, body }).toEqual({ status: 404, body: NOT_FOUND });
    expect(headers['content-type']).toBe('application/problem+json');
    expect(headers['cache-control']).toBe(undefined);
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  test('of a resource or a history have no versions of unrelated revisions', async () => {
    const { first, grown, given } = bed.revisions;
    const status = async (url: string) => (await current.client.get(url)).status;
    // The second revision added vega; lyra exists since the first.
    expect(await status(`/sites/vega/versions/${first.id}`)).toBe(404);
    expect(await status(`/sites/vega/versions/${grown.id}`)).toBe(200);
    expect(await status(`/sites/lyra/versions/${first.id}`)).toBe(200);
    expect(await status(`/sites/kit/versions/${given.id}`)).toBe(404);
  });
});

describe('the media type', () => {
  test('is application/json in the current dialect', async () => {
    for (const url of ['/', '/sites', NODE, `${NODE}.json`, '/versions', '/snapshots']) {
      for (const accept of ['*/*', 'text/html', 'application/vnd.gridpress.item+json']) {
        const headers = await headersOf(current.client, url, ['content-type'], { accept });
        expect({ url, ...headers }).toEqual({ url, 'content-type': 'application/json' });
      }
    }
  });

  test.each([
    ['/', ITEM],
    ['/sites', COLLECTION],
    ['/sites/', COLLECTION],
    [NODE, ITEM],
    ['/versions', COLLECTION],
    ['/users', COLLECTION],
    ['/sites/lyra/status', ITEM],
    ['/snapshots', COLLECTION],
    ['/sites.json', 'application/json'],
    ['/index.json', 'application/json'],
    ['/sites%2Ejson', 'application/json'],
    [`${NODE}.json`, 'application/json'],
  ])("of the legacy dialect is the vendor's: %s is %s", async (url, type) => {
    expect(await headersOf(legacy.client, url, ['content-type'])).toEqual({ 'content-type': type });
  });

  test.each([
    ['application/json', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/json, */*;q=0.1', 'application/json'],
    ['application/vnd.gridpress.item+json;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.5, application/vnd.gridpress.item+json', ITEM],
    ['application/json;q=0', ITEM],
    ['*/*', ITEM],
    ['text/html', ITEM],
    ['', ITEM],
  ])('of the legacy dialect follows Accept: "%s" gets %s', async (accept, type) => {
    expect(await headersOf(legacy.client, NODE, ['content-type'], { accept })).toEqual({ 'content-type': type });
  });
});

describe('HTML pages', () => {
  test.each(['/docs', '/docs/', '/explorer', '/explorer/'])('%s redirects to its page', async (path) => {
    const { status, headers } = await current.client.get(path);
    const page = `${path.replace(/\/$/, '')}/index.htm`;
    expect([status, headers['location']]).toEqual([307, page]);
    expect((await current.client.get(page)).headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

test('the API catalog links to all descriptions of the API', async () => {
  for (const { client } of [current, legacy]) {
    const { status, headers, body } = await client.get('/.well-known/api-catalog');
    expect([status, headers['content-type']]).toEqual([200, 'application/linkset+json']);
    const { linkset } = JSON.parse(body);
    for (const { href, type } of linkset.flatMap((each: object) => Object.values(each).flat())) {
      const found = type === undefined ? undefined : (await client.get(href)).headers['content-type'];
      expect([href, found?.split(';')[0]]).toEqual([href, type]);
    }
    expect(linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual(['/.well-known/api-catalog', '/']);
    const hrefs = Array.from(body.matchAll(/"href":"([^"]*)"/g), ([, href = '']) => href);
    expect(hrefs).toHaveLength(6);
    for (const href of hrefs) expect([href, (await client.get(href)).status]).toEqual([href, 200]);
    for (const form of ['/', '.json', '/index.json'])
      expect((await client.get(`/.well-known/api-catalog${form}`)).status).toBe(404);
  }
});

describe('response headers', () => {
  const COMMON = ['allow', 'vary', 'link', 'access-control-allow-origin', 'x-content-type-options'];

  test('are equal for every response', async () => {
    const expected = {
      allow: 'GET',
      vary: 'Accept, X-Rack-PrettyJSON, Accept-Encoding',
      link: '</changes>; rel=monitor, </openapi.json>; rel=service-desc, </docs/index.htm>; rel=service-doc, </links.json>; rel=describedby, </explorer/index.htm>; rel=alternate; type="text/html", </explorer/dataset.linkset>; rel=linkset; type="application/linkset+json", </.well-known/api-catalog>; rel=api-catalog',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    };
    for (const url of ['/', '/sites.json', NODE, '/nowhere', '/versions/latest']) {
      const headers = await headersOf(current.client, url, [...COMMON, 'x-info', 'strict-transport-security']);
      expect({ url, ...headers }).toEqual({
        url,
        ...expected,
        'x-info': undefined,
        'strict-transport-security': undefined,
      });
    }
    for (const url of ['/', '/nowhere', '/versions/latest']) {
      const headers = await headersOf(legacy.client, url, [...COMMON, 'x-info', 'strict-transport-security']);
      expect({ url, ...headers }).toEqual({
        url,
        ...expected,
        'x-info': 'Use ?pretty=yes or the request header X-Rack-PrettyJSON: yes for indented JSON.',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
      });
    }
  });

  test('let caches keep documents that never change', async () => {
    const { first, joined } = bed.revisions;
    const classes = {
      [MUTABLE]: ['/', '/sites', NODE, `${NODE}.json`, `${NODE}/versions`, '/versions', '/snapshots'],
      [IMMUTABLE]: [
        ...[`/versions/${joined.id}`, `${NODE}/versions/${joined.id}`, `/snapshots/${first.id}`],
        ...[`/snapshots/${first.id}/`, `/snapshots/${first.id}/sites.json`, `/sites/versions/${first.id}`],
      ],
    };
    for (const [cacheControl, urls] of Object.entries(classes)) {
      for (const url of urls) {
        const headers = await headersOf(current.client, url, ['cache-control']);
        expect({ url, ...headers }).toEqual({ url, 'cache-control': cacheControl });
      }
    }
  });

  test('date a document by its revision', async () => {
    const { first, joined } = bed.revisions;
    // All file times of a tree are earlier by the same number of seconds, less than two hours.
    const dated = async (url: string) =>
      Date.parse((await headersOf(current.client, url, ['last-modified']))['last-modified'] ?? '');
    const shift = Date.parse('2026-01-12T08:00:00Z') - (await dated(NODE));
    expect([shift >= 0, shift < 7_200_000]).toEqual([true, true]);
    expect(await dated(`/versions/${joined.id}`)).toBe(Date.parse('2026-01-12T08:00:00Z') - shift);
    expect(await dated(`/versions/${first.id}`)).toBe(Date.parse('2026-01-01T07:00:00Z') - shift);
    expect(await dated(`/snapshots/${first.id}/sites`)).toBe(Date.parse('2026-01-01T07:00:00Z') - shift);
  });

  test('of HEAD requests equal those of GET requests', async () => {
    for (const url of ['/', NODE, '/sites.json?pretty', '/nowhere', '/versions/latest']) {
      const { date: _, ...got } = (await current.client.get(url)).headers;
      const { status, headers, body } = await current.client.get(url, { method: 'HEAD' });
      const { date: __, ...heard } = headers;
      expect({ url, heard, body }).toEqual({ url, heard: got, body: '' });
      expect(status).toBe((await current.client.get(url)).status);
    }
  });
});

describe('conditional requests', () => {
  test('give 304 if the client has this response', async () => {
    const whole = await current.client.get(NODE);
    const etag = whole.headers['etag'] ?? '';
    expect(etag).toBe(`"${sha256(whole.body).slice(0, 32)}"`);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, body } = await current.client.get(NODE, { headers: { 'if-none-match': known } });
      expect({ known, status, body }).toEqual({ known, status: 304, body: '' });
      expect(headers['etag']).toBe(etag);
      expect(headers['cache-control']).toBe(MUTABLE);
      expect(headers['last-modified']).toBe(whole.headers['last-modified']);
      expect(headers['vary']).toBe('Accept, X-Rack-PrettyJSON, Accept-Encoding');
      expect(headers['content-type']).toBe(undefined);
    }
  });

  test.each([
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': 'Tue, 13 Jan 2026 08:00:00 GMT' }, 200],
    [{ 'if-modified-since': 'Mon, 12 Jan 2026 06:59:59 GMT' }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
    // If-None-Match has priority (RFC 9110, section 13.1.3).
    [{ 'if-none-match': '"other"', 'if-modified-since': 'Tue, 13 Jan 2026 08:00:00 GMT' }, 200],
  ])('with %o give %i', async (headers, status) => {
    expect((await current.client.get(NODE, { headers })).status).toBe(status);
  });

  test('give 304 only for the time of the document', async () => {
    const modified = Date.parse((await current.client.get(NODE)).headers['last-modified'] ?? '');
    for (const [seconds, status] of [
      [0, 304],
      [1, 200],
      [-1, 200],
    ] as const) {
      const headers = { 'if-modified-since': new Date(modified + seconds * 1000).toUTCString() };
      expect([seconds, (await current.client.get(NODE, { headers })).status]).toEqual([seconds, status]);
    }
  });

  test('distinguish a document from its indented form', async () => {
    const etag = (await current.client.get(NODE)).headers['etag'] ?? '';
    const pretty = await current.client.get(`${NODE}?pretty`, { headers: { 'if-none-match': etag } });
    expect(pretty.status).toBe(200);
    expect(pretty.headers['etag']).toBe(`${etag.slice(0, -1)}-pretty"`);
    const again = { 'if-none-match': pretty.headers['etag'] ?? '' };
    expect((await current.client.get(`${NODE}?pretty`, { headers: again })).status).toBe(304);
    expect((await current.client.get(NODE, { headers: again })).status).toBe(200);
  });
});

describe('other methods', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'])('%s is rejected', async (method) => {
    for (const url of ['/sites', '/nowhere']) {
      const { status, headers, body } = await current.client.get(url, { method });
      expect(status).toBe(405);
      expect(headers['allow']).toBe('GET');
      expect(headers['content-type']).toBe('application/problem+json');
      expect(headers['cache-control']).toBe(undefined);
      expect(body).toBe(
        '{"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"The API is read-only: use GET or HEAD."}',
      );
    }
  });
});

describe('the latest version', () => {
  test('is a redirect that is not cached', async () => {
    const { joined, readded, side } = bed.revisions;
    const newest = {
      '/versions': joined.id,
      // Only the side branch touched node-1; node-2 was restored later.
      [`${NODE}/versions`]: side.id,
      [`/sites/lyra/clusters/main/nodes/${nodeUid(2)}/versions`]: readded.id,
    };
    for (const [history, id] of Object.entries(newest)) {
      for (const url of [`${history}/latest`, `${history}/latest/`, `${history}/latest.json`]) {
        const { status, headers, body } = await current.client.get(url);
        expect({ url, status, body }).toEqual({ url, status: 307, body: '' });
        expect(headers['location']).toBe(`${history}/${id}`);
        expect(headers['cache-control']).toBe(undefined);
      }
      expect((await current.client.get(`${history}/latest?pretty`)).headers['location']).toBe(
        `${history}/${id}?pretty`,
      );
    }
  });
});

describe('indented JSON', () => {
  test.each([
    ['?pretty', {}],
    ['?pretty=yes', {}],
    ['?limit=1&pretty=1', {}],
    ['', { 'x-rack-prettyjson': 'yes' }],
  ])('is sent for %s %o', async (query, headers) => {
    const compact = await current.client.get('/sites');
    const pretty = await current.client.get(`/sites${query}`, { headers });
    expect(pretty.status).toBe(200);
    expect(pretty.body).toBe(JSON.stringify(JSON.parse(compact.body), null, 2));
    expect(pretty.headers['content-type']).toBe('application/json');
    expect(pretty.headers['content-length']).toBe(String(Buffer.byteLength(pretty.body)));
  });

  test.each([
    ['?pretty=no', {}],
    ['?pretty=false', {}],
    ['?pretty=0', {}],
    ['?prettier', {}],
    ['', { 'x-rack-prettyjson': 'no' }],
  ])('is not sent for %s %o', async (query, headers) => {
    const compact = await current.client.get('/sites');
    expect((await current.client.get(`/sites${query}`, { headers })).body).toBe(compact.body);
  });
});

describe('a removed resource', () => {
  test('gives 410 with its last state at each form of its path', async () => {
    const { closed, grown } = bed.revisions;
    for (const url of ['/sites/vega', '/sites/vega/', '/sites/vega.json', '/sites/vega?pretty']) {
      const answer = await current.client.get(url);
      expect({ url, status: answer.status }).toEqual({ url, status: 410 });
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.headers['cache-control']).toBeUndefined();
      expect(JSON.parse(answer.body)).toEqual({
        type: 'about:blank',
        title: 'Gone',
        status: 410,
        uid: 'vega',
        detail: 'The site vega was removed at 2026-01-09T08:00:00Z. Its history contains its earlier states.',
        removed: { revision: closed.id, date: 'Fri, 09 Jan 2026 08:00:00 GMT', timestamp: '2026-01-09T08:00:00Z' },
        links: [
          { rel: 'version-history', href: '/sites/vega/versions' },
          { rel: 'latest-version', href: '/sites/vega/versions/latest' },
          { rel: 'predecessor-version', href: expect.stringMatching(/^\/sites\/vega\/versions\/[0-9a-f]{40}$/) },
        ],
      });
    }
    const { body, status } = await current.client.get(`/sites/vega/versions/${grown.id}`);
    expect([status, JSON.parse(body).resource.uid]).toEqual([200, 'vega']);
  });

  test('gives 404 where it never existed, and in earlier snapshots', async () => {
    const { first } = bed.revisions;
    for (const url of ['/sites/nowhere', `/snapshots/${first.id}/sites/vega`, '/_gone/sites/vega.json']) {
      const { status, body } = await current.client.get(url);
      expect({ url, status, body }).toEqual({ url, status: 404, body: NOT_FOUND });
    }
  });

  test('names its successor', async () => {
    const other = writeTestbed(newFolder());
    const nodes = 'sites/lyra/clusters/main/nodes';
    rmSync(join(other.registry, `${nodes}/${nodeUid(2)}.yaml`));
    const said = { message: 'Swap', author: 'Ada Brown', date: '2026-02-01T00:00:00Z' };
    const { id } = record({ registry: other.registry, ...said, successors: ['node-2=node-1'] });
    const { client } = await buildAndServe(other.registry, { snapshots: 'none' });
    const { uid, detail, successor, links } = JSON.parse((await client.get(`/${nodes}/${nodeUid(2)}`)).body);
    expect({ uid, detail, successor, last: links.at(-1) }).toEqual({
      uid: nodeUid(2),
      detail: `The node ${nodeUid(2)} was removed at 2026-02-01T00:00:00Z. ${nodeUid(1)} took its place. Its history contains its earlier states.`,
      successor: nodeUid(1),
      last: { rel: 'successor', href: NODE },
    });
    const { changes } = JSON.parse((await client.get(`/versions/${id}`)).body);
    expect(changes).toEqual([
      {
        href: `/${nodes}/${nodeUid(2)}/versions/${id}`,
        action: 'removed',
        classes: ['hardware'],
        successor: nodeUid(1),
      },
    ]);
  });
});
