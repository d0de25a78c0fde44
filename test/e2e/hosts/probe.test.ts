/** The probe against a correct server, and against the same server with one defect. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProbeRequest, ProbeResponse, SendRequest } from '../../../src/core/api/http-exchange.ts';
import { fail, finding } from '../../../src/core/diagnostics/finding.ts';
import { serveHandler } from '../../../src/core/hosts/all.ts';
import { CAPABILITIES, type Capability, type Host } from '../../../src/core/hosts/host.ts';
import { CHECKS } from '../../../src/core/hosts/probe/checks.ts';
import { type Probed, probe } from '../../../src/core/hosts/probe/probe.ts';
import type { Failing } from '../../../src/core/hosts/probe/probing.ts';
import { type Sample, sampleTree } from '../../../src/core/hosts/probe/sample.ts';
import { probeUrl } from '../../../src/features/verify/probe-service.ts';
import { httpClient } from '../../../src/system/client/http-client.ts';
import { decodeContent } from '../../../src/system/trees/content-coding.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { serviceOf } from '../../support/services/service.ts';
import { buildAndServe, closeAtEnd } from '../../support/trees/served.ts';

let bed: Testbed;
let base: string;
let ask: SendRequest;
let sample: Sample;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  const { port } = await buildAndServe(bed.registry, { dialect: 'legacy', snapshots: [bed.revisions.grown.id] });
  base = `http://127.0.0.1:${port}`;
  const asking = httpClient({ base, rate: 0, timeoutMs: 10_000 });
  closeAtEnd(asking.close);
  ask = asking.send;
  const found = await sampleTree(ask);
  if (!found) throw new Error('the root is no root of this API');
  sample = found;
});

/** Returns the failures of a check. */
async function failingOf(capability: Capability, asked: SendRequest): Promise<Failing[]> {
  const failing: Failing[] = [];
  const report = (request: string, message: string) => failing.push({ request, message });
  await CHECKS[capability]({ ask: asked, decode: decodeContent, sample, report: report });
  return failing;
}

type Change<T> = (request: ProbeRequest, response: ProbeResponse) => T;

/** Simulates a proxy that changes responses. */
function changedResponses(change: Change<Partial<ProbeResponse>>): SendRequest {
  return async (request) => {
    const response = await ask(request);
    return { ...response, ...change(request, response) };
  };
}

/** Simulates a proxy that changes headers of responses. */
function sending(change: Change<Record<string, string | undefined>>): SendRequest {
  return changedResponses((request, response) => {
    const changed = Object.entries({ ...response.headers, ...change(request, response) });
    return {
      headers: Object.fromEntries(changed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    };
  });
}

/** Simulates a proxy that drops a header of requests. */
function forgetting(header: string): SendRequest {
  return (request) => {
    const { [header]: _, ...headers } = request.headers ?? {};
    return ask({ ...request, headers });
  };
}

/** Simulates a proxy that compresses and sets its own ETags; it may ignore a q-value of 0. */
function compressing(honoursZero: boolean, codings = ['br', 'gzip']): SendRequest {
  return async (request) => {
    const { 'Accept-Encoding': accepted = '', 'If-None-Match': tag, Accept = '*/*' } = request.headers ?? {};
    const accept = String(accepted).replaceAll(' ', '');
    const takes = (coding: string) =>
      accept.includes(coding) && !(honoursZero && new RegExp(`${coding};q=0(?:\\.0)?(?:,|$)`).test(accept));
    const known = tag === undefined ? undefined : String(tag).replace(/-(?:br|gzip)"$/, '"');
    const response = await ask({
      ...request,
      headers: { Accept, ...(known === undefined ? {} : { 'If-None-Match': known }) },
    });
    const { headers } = response;
    const coding = headers['content-type']?.includes('/vnd.') ? undefined : codings.find(takes);
    if (coding === undefined) return { ...response, headers };
    const body = coding === 'br' ? brotliCompressSync(response.body) : gzipSync(response.body);
    const etag = `${headers['etag']}`.replace(/"$/, `-${coding}"`);
    return { ...response, headers: { ...headers, etag, 'content-encoding': coding }, body };
  };
}

/** The first removed node in the change feed. */
const GONE_NODE = `/sites/vega/clusters/main/nodes/${nodeUid(4)}`;

const NO_VERSION = '0'.repeat(40);
const NO_SNAPSHOT = `/snapshots/${NO_VERSION}`;

/** A defect for each capability, with the first failure that the probe must report. */
const WRONGS: readonly (readonly [Capability, wrong: () => SendRequest, request: string, message: string])[] = [
  [
    'url-forms',
    () => changedResponses(({ path }, { status }) => ({ status: /.\/$/.test(path) ? 301 : status })),
    '/snapshots/',
    'answers 301',
  ],
  [
    'media-types',
    () => sending(({ path }) => (path.endsWith('.json') ? { 'content-type': 'text/plain' } : {})),
    '/snapshots.json',
    'is text/plain, not application/json',
  ],
  [
    'media-types',
    () => sending(({ path }) => (path.endsWith('.link') ? { 'content-type': 'application/json' } : {})),
    '/versions/timemap.link',
    'is application/json, not application/link-format',
  ],
  [
    'media-types',
    () => sending(({ path }) => (path.endsWith('.js') ? { 'content-type': 'text/plain' } : {})),
    '/explorer/data.js',
    'is text/plain, not text/javascript;charset=utf-8',
  ],
  [
    'cache-classes',
    () => sending(({ path }) => (path.endsWith('.atom') ? { 'cache-control': undefined } : {})),
    '/changes/feed.atom',
    'has Cache-Control: none, not public, max-age=60, s-maxage=60, must-revalidate, proxy-revalidate',
  ],
  [
    'not-found',
    () => changedResponses(({ path }, { status }) => ({ status: path.endsWith('.atom/') ? 301 : status })),
    '/changes/feed.atom/',
    'answers 301, not 404',
  ],
  [
    'accept',
    () => forgetting('Accept'),
    '/ with Accept: application/json',
    'is application/vnd.gridpress.item+json;charset=utf-8, not application/json',
  ],
  [
    'cache-classes',
    () => sending((_, { status }) => (status === 404 ? { 'cache-control': 'max-age=10' } : {})),
    '/nope',
    'answers 404 with Cache-Control: max-age=10; there must be none',
  ],
  [
    'headers',
    () => sending(() => ({ 'x-content-type-options': undefined })),
    '/',
    'has x-content-type-options: none, not nosniff',
  ],
  ['headers', () => sending(() => ({ link: undefined })), '/', 'has Link: none, without the changes'],
  ['etag', () => sending(() => ({ etag: undefined })), '/', 'has no ETag'],
  [
    'last-modified',
    () => sending(() => ({ 'last-modified': 'Tue, 01 Jan 2030 00:00:00 GMT' })),
    '/',
    'has a Last-Modified after the time of the newest revision',
  ],
  [
    'head',
    () => sending(({ method }) => (method === 'HEAD' ? { etag: undefined } : {})),
    'HEAD /',
    'has another etag than GET',
  ],
  [
    'not-found',
    () => changedResponses(({ path }, { status }) => ({ status: path.includes('%2F') ? 403 : status })),
    '/a%2Fb',
    'answers 403, not 404',
  ],
  [
    'method-not-allowed',
    () => sending((_, { status }) => (status === 405 ? { allow: undefined } : {})),
    'POST /',
    'is 405 without Allow',
  ],
  [
    'pretty-query',
    () => (request) => ask({ ...request, path: request.path.replace(/\?pretty$/, '') }),
    '/?pretty',
    'is not the document indented by two spaces',
  ],
  [
    'pretty-header',
    () => forgetting('X-Rack-PrettyJSON'),
    '/ with X-Rack-PrettyJSON: yes',
    'is not the document indented by two spaces',
  ],
  ['precompressed', () => compressing(false), '/ with Accept-Encoding: gzip, br;q=0', 'comes as br, not gzip'],
  [
    'gone',
    () => changedResponses((_, { status }) => ({ status: status === 410 ? 404 : status })),
    GONE_NODE,
    'answers 404, not 410',
  ],
  [
    'gone',
    () => sending((_, { status }) => (status === 410 ? { 'content-type': 'application/json' } : {})),
    GONE_NODE,
    'is 410 as application/json',
  ],
  [
    'gone',
    () => sending((_, { status }) => (status === 410 ? { link: undefined } : {})),
    GONE_NODE,
    'has another link than a miss',
  ],
  [
    'gone',
    () => (request) => ask({ ...request, path: request.path.replace(`${GONE_NODE}.json`, '/sites/vega') }),
    `${GONE_NODE}.json`,
    'is not its own tombstone',
  ],
  [
    'gone',
    () => changedResponses(({ path }, { status }) => ({ status: path === `${GONE_NODE}/versions` ? 404 : status })),
    GONE_NODE,
    `leads to no history: ${GONE_NODE}/versions`,
  ],
  [
    'not-found',
    () => changedResponses(({ path }, { status }) => ({ status: /^\/_gone\/./.test(path) ? 200 : status })),
    `/_gone${GONE_NODE}.json`,
    'answers 200, not 404',
  ],
  [
    'latest',
    () => sending((_, { status }) => (status === 307 ? { location: `/versions/${NO_VERSION}` } : {})),
    '/versions/latest',
    `leads to /versions/${NO_VERSION}, another version`,
  ],
  [
    'preflight',
    () => changedResponses(({ method }, { status }) => ({ status: method === 'OPTIONS' ? 405 : status })),
    'OPTIONS /',
    'answers 405, not 204',
  ],
  [
    'preflight',
    () => sending(({ method }) => (method === 'OPTIONS' ? { 'access-control-allow-headers': 'Accept' } : {})),
    'OPTIONS /',
    'has access-control-allow-headers: Accept, without If-Modified-Since, If-None-Match, If-Range, Range, X-Rack-PrettyJSON',
  ],
  [
    'refusals',
    () => sending((_, { status }) => (status === 416 ? { 'access-control-allow-origin': '*, *' } : {})),
    '/ with a Range beyond its end',
    'has access-control-allow-origin: *, *, not * once',
  ],
  [
    'refusals',
    () => sending(({ method }) => (method === 'TRACE' ? { 'content-type': 'text/html' } : {})),
    'TRACE /',
    'is 405 as text/html',
  ],
  [
    'refusals',
    () => async (request) =>
      request.method === 'TRACE'
        ? fail(finding('no-answer', { url: '/', reason: 'no answer in time' }))
        : await ask(request),
    'TRACE /',
    'is not answered',
  ],
  [
    'refusals',
    () =>
      changedResponses(({ headers }, { status }) => ({
        status: typeof headers?.['If-None-Match'] === 'object' ? 404 : status,
      })),
    '/ with two lines of If-None-Match',
    'answers 404, not 200 or 400',
  ],
  [
    'cache-classes',
    () => sending((_, { status }) => (status === 206 ? { 'cache-control': undefined } : {})),
    '/ with Range: bytes=0-9',
    'has Cache-Control: none',
  ],
  [
    'headers',
    () => sending(() => ({ 'access-control-expose-headers': 'ETag' })),
    '/',
    'has Access-Control-Expose-Headers: ETag',
  ],
  [
    'media-types',
    () => sending(({ path }) => (path.endsWith('/badge.svg') ? { 'content-type': 'text/plain' } : {})),
    `/sites/lyra/clusters/main/nodes/${nodeUid(1)}/badge.svg`,
    'is text/plain, not image/svg+xml',
  ],
  [
    'prefixes',
    () => changedResponses(({ path }, { status }) => ({ status: path.startsWith(NO_SNAPSHOT) ? 200 : status })),
    `${NO_SNAPSHOT}/versions`,
    'answers 200, not 404',
  ],
  [
    'version-query',
    () => changedResponses(({ path }, { status }) => ({ status: path.includes('?version=0') ? 200 : status })),
    `/?version=${NO_VERSION}`,
    'answers 200, not 404',
  ],
  [
    'version-query',
    () => sending(({ path }) => (path.endsWith('?deep=1') ? { location: '/sites' } : {})),
    '/?deep=1',
    'leads to /sites, not /deep',
  ],
  [
    'queries',
    () => changedResponses(({ path }, { status }) => ({ status: path.includes('?limit') ? 404 : status })),
    '/?limit=500&offset=0',
    'is not the plain document',
  ],
];

test('every capability has a defect', () => {
  expect([...new Set(WRONGS.map(([capability]) => capability))].sort()).toEqual(Object.keys(CAPABILITIES).sort());
});

describe.each(WRONGS)('the check of %s', (capability, wrong, request, message) => {
  test('reports nothing for a correct server', async () => {
    expect(await failingOf(capability, ask)).toEqual([]);
  });

  test(`reports that ${request} ${message}`, async () => {
    const [first] = await failingOf(capability, wrong());
    expect(first).toEqual({ request, message });
  });
});

test('the probe checks one path of every template', () => {
  const templates = sample.paths.map(({ endpoint }) => endpoint.template);
  expect(new Set(templates).size).toBe(templates.length);
  expect(templates).toContain('/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}/versions/{version_id}');
  expect(templates).toContain('/sites/{site_uid}/flavors/{flavor_uid}');
  expect(templates).toContain('/snapshots/{version_id}/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}');
});

test('a redirect to a snapshot without CORS headers is reported', async () => {
  const asked = sending((_, { status }) => (status === 302 ? { 'access-control-allow-origin': undefined } : {}));
  expect(await failingOf('headers', asked)).toEqual([
    { request: `/sites?version=${bed.revisions.grown.id}`, message: 'has access-control-allow-origin: none, not *' },
  ]);
});

test('the probe reports a redirect that loses the parameter `pretty`', async () => {
  const asked = sending((_, { headers }) => ({ location: headers['location']?.replace('?pretty', '') }));
  const [first] = await failingOf('version-query', asked);
  const { id } = bed.revisions.grown;
  expect(first).toEqual({
    request: `/?version=${id}&pretty`,
    message: `leads to /snapshots/${id}, not /snapshots/${id}?pretty`,
  });
});

test('the probe reports a missing script of the explorer', async () => {
  const asked = changedResponses(({ path }) => (path === '/explorer/more.js' ? { status: 404 } : {}));
  expect(await failingOf('url-forms', asked)).toEqual([{ request: '/explorer/more.js', message: 'answers 404' }]);
});

test('the probe checks the same paths if the root has 200,000 dead links', async () => {
  const links = Array.from({ length: 200_000 }, (_, i) => `{"rel":"x","href":"/nowhere/${i}"}`).join();
  const asked = changedResponses(({ path }, { body }) =>
    path === '/'
      ? {
          body: Buffer.from(
            Buffer.from(body)
              .toString()
              .replace(/\](?=\}$)/, `,${links}]`),
          ),
        }
      : {},
  );
  expect(await sampleTree(asked)).toEqual(sample);
});

test('the probe checks one removed item of every kind, except those that were added again', () => {
  expect(sample.gone).toEqual([GONE_NODE, '/sites/vega/clusters/main', '/sites/vega', '/sites/cirrus/flavors/large']);
});

test('the probe skips removed items if the tree has no change feed', async () => {
  const asked = changedResponses(({ path }, { status }) => ({
    status: path.startsWith('/changes') ? 404 : status === 410 ? 404 : status,
  }));
  const outcomes: (string | undefined)[] = [];
  for await (const probed of probe(asked, decodeContent, undefined)) {
    if (probed?.capability === 'gone') outcomes.push(probed.outcome);
  }
  expect(outcomes).toEqual(['not-applicable']);
});

test.each([
  [true, { request: 'POST /', message: 'is not answered' }],
  [false, undefined],
])('a server that closes the connection after a POST and then runs: %s', async (isRunning, first) => {
  let isClosed = false;
  const asked: SendRequest = (request) => {
    isClosed = request.method === 'POST' || (isClosed && !isRunning);
    return isClosed ? fail(finding('no-answer', { url: base, reason: 'it closed the connection' })) : ask(request);
  };
  const outcomes = new Map<string, Probed>();
  const probing = (async () => {
    for await (const probed of probe(asked, decodeContent, undefined))
      if (probed) outcomes.set(probed.capability, probed);
  })();
  if (!isRunning) return expect(await failureOf(() => probing)).toContain('no-answer');
  await probing;
  expect(outcomes.get('method-not-allowed')?.failing[0]).toEqual(first);
  expect(outcomes.get('queries')?.outcome).toBe('holds');
});

/** A host that documents an exception for one kind of missing path. */
const LIMITED: Host = {
  ...serveHandler,
  shortcomings: [
    { capability: 'not-found', extent: 'partly', why: 'Escaped slashes are refused.', covers: /%2Fb answers 403, / },
  ],
};

async function probedAs(refused: RegExp): Promise<Probed | undefined> {
  const asked = changedResponses(({ path }, { status }) => ({ status: refused.test(path) ? 403 : status }));
  for await (const probed of probe(asked, decodeContent, LIMITED)) {
    if (probed?.capability === 'not-found') return probed;
  }
  return undefined;
}

test('a documented limit of a host counts as by nature', async () => {
  const probed = await probedAs(/%2F/);
  expect(probed?.outcome).toBe('by-nature');
  expect(probed?.advice).toBe('Escaped slashes are refused.');
});

test('an undocumented failure of a partly supported capability is wrong, and only that failure is reported', async () => {
  const probed = await probedAs(/%2F|^\/nope\.json$/);
  expect(probed?.outcome).toBe('wrong');
  expect(probed?.failing).toEqual([{ request: '/nope.json', message: 'answers 403, not 404' }]);
});

test('a server without brotli gets advice that does not mention deployed files', async () => {
  const outcomes: (string | undefined)[] = [];
  for await (const probed of probe(compressing(true, ['gzip']), decodeContent, undefined))
    if (probed?.capability === 'precompressed') outcomes.push(probed.outcome, probed.advice);
  expect(outcomes).toEqual([
    'wrong',
    'Only brotli is missing: the .br files were not copied, or the rules belong to an older gridpress, which required a module of nginx. List the host under hosts in gridpress.yaml, build, copy all files of the tree, and reload the server.',
  ]);
});

/** Returns the advice for a failing capability. */
async function adviceOn(capability: Capability, asked: SendRequest): Promise<string | undefined> {
  for await (const probed of probe(asked, decodeContent, undefined))
    if (probed?.capability === capability) return probed.advice;
  return undefined;
}

test('advice names a detected cause', async () => {
  const squeezed = sending(({ headers = {} }) =>
    headers['Accept-Encoding'] === 'gzip, deflate' && headers['Accept'] === undefined
      ? { 'content-encoding': 'gzip' }
      : {},
  );
  expect(await adviceOn('precompressed', squeezed)).toMatch(
    /^A module or a proxy compresses vendor media types, which legacy clients cannot decode\. /,
  );
  const twice = sending((_, { status }) => (status === 416 ? { 'access-control-allow-origin': '*, *' } : {}));
  expect(await adviceOn('refusals', twice)).toBe(
    'Access-Control-Allow-Origin is sent twice, which browsers reject: the rules add it, and so does a proxy or a module. Remove one.',
  );
  const noRanges = sending((_, { status }) => (status === 206 ? { 'cache-control': undefined } : {}));
  expect(await adviceOn('cache-classes', noRanges)).toBe(
    'Responses to range requests have no Cache-Control. The server has no rules for it, or rules of an older gridpress. List the host under hosts in gridpress.yaml, build, deploy, and reload the server.',
  );
});

test('paths of an API below a prefix are reported from its root', async () => {
  const probing = { rate: 1000, timeout: 10, maxRequests: 100 };
  const refused = (url: string) => failureOf(() => probeUrl({ ...probing, url }, () => {}));
  expect(await refused(`${base}/sites`)).toBe(
    `error: ${base}/sites is not the root of the API. It is the document /sites. [not-the-root]\n  Name the base URL: ${base}/.\n`,
  );
});

test.each([
  [500, 'answers with the status 500. [site-status]\n  Check the base URL, and that the service works.\n'],
  [403, 'answers with the status 403. [site-status]\n  Check the base URL, and that the service works.\n'],
  [404, 'is not the root of the API. [no-api]\n  Name the base URL. Its answer contains "links".\n'],
])('a root with the status %s is reported', async (status, says) => {
  const { origin } = await serviceOf(() => ({ status }));
  const url = `${origin}/`;
  const probing = { url, rate: 1000, timeout: 10, maxRequests: 100 };
  expect(await failureOf(() => probeUrl(probing, () => {}))).toBe(`error: ${url} ${says}`);
});
