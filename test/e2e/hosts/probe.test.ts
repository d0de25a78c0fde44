/** The conformance suite against a server that is right, and against the same one when something is made wrong. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProbeRequest, ProbeResponse, SendRequest } from '../../../src/core/api/http-exchange.ts';
import { fail } from '../../../src/core/diagnostics/failure.ts';
import { finding } from '../../../src/core/diagnostics/finding.ts';
import { serveHandler } from '../../../src/core/hosts/all.ts';
import { CAPABILITIES, type Capability, type Host } from '../../../src/core/hosts/host.ts';
import { CHECKS } from '../../../src/core/hosts/probe/checks.ts';
import { checkEncodings } from '../../../src/core/hosts/probe/encodings.ts';
import { type Probed, probe } from '../../../src/core/hosts/probe/probe.ts';
import type { Failing } from '../../../src/core/hosts/probe/probing.ts';
import { type Sample, sampleTree } from '../../../src/core/hosts/probe/sample.ts';
import { probeUrl } from '../../../src/features/verify/probe-service.ts';
import { httpClient } from '../../../src/system/client/http-client.ts';
import { decodeContent } from '../../../src/system/trees/content-coding.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
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
  ask = asking.ask;
  const found = await sampleTree(ask);
  if (!found) throw new Error('the root is no root of this API');
  sample = found;
});

/** What a check finds wrong. */
async function failingOf(capability: Capability, asked: SendRequest): Promise<Failing[]> {
  const failing: Failing[] = [];
  const probing = { ask: asked, sample, fails: (request: string, says: string) => failing.push({ request, says }) };
  if (capability === 'precompressed') await checkEncodings(probing, decodeContent);
  else await CHECKS[capability]?.(probing);
  return failing;
}

type Change<T> = (request: ProbeRequest, response: ProbeResponse) => T;

/** A proxy in front that answers differently. */
function answering(change: Change<Partial<ProbeResponse>>): SendRequest {
  return async (request) => {
    const response = await ask(request);
    return { ...response, ...change(request, response) };
  };
}

/** A proxy in front that sends other headers. */
function sending(change: Change<Record<string, string | undefined>>): SendRequest {
  return answering((request, response) => {
    const changed = Object.entries({ ...response.headers, ...change(request, response) });
    return {
      headers: Object.fromEntries(changed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    };
  });
}

/** A proxy in front that forgets a header of requests. */
function forgetting(header: string): SendRequest {
  return (request) => {
    const { [header]: _, ...headers } = request.headers ?? {};
    return ask({ ...request, headers });
  };
}

/** A proxy in front that compresses, with ETags of its own; whether it honours a q-value of 0 is to be seen. */
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

/** What the changes tell first of what was removed. */
const GONE_NODE = `/sites/vega/clusters/main/nodes/${nodeUid(4)}`;

const NO_VERSION = '0'.repeat(40);
const NO_SNAPSHOT = `/snapshots/${NO_VERSION}`;

/** For each capability a way to lose it, and the first thing that must be found. */
const WRONGS: readonly (readonly [Capability, wrong: () => SendRequest, request: string, says: string])[] = [
  [
    'url-forms',
    () => answering(({ path }, { status }) => ({ status: /.\/$/.test(path) ? 301 : status })),
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
    'cache-classes',
    () => sending(({ path }) => (path.endsWith('.atom') ? { 'cache-control': undefined } : {})),
    '/changes/feed.atom',
    'has Cache-Control: none, not public, max-age=60, s-maxage=60, must-revalidate, proxy-revalidate',
  ],
  [
    'not-found',
    () => answering(({ path }, { status }) => ({ status: path.endsWith('.atom/') ? 301 : status })),
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
    'has a Last-Modified after the time of its revision',
  ],
  [
    'head',
    () => sending(({ method }) => (method === 'HEAD' ? { etag: undefined } : {})),
    'HEAD /',
    'has another etag than GET',
  ],
  [
    'not-found',
    () => answering(({ path }, { status }) => ({ status: path.includes('%2F') ? 403 : status })),
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
    () => answering((_, { status }) => ({ status: status === 410 ? 404 : status })),
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
    () => answering(({ path }, { status }) => ({ status: path === `${GONE_NODE}/versions` ? 404 : status })),
    GONE_NODE,
    `leads to no history: ${GONE_NODE}/versions`,
  ],
  [
    'not-found',
    () => answering(({ path }, { status }) => ({ status: /^\/_gone\/./.test(path) ? 200 : status })),
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
    () => answering(({ method }, { status }) => ({ status: method === 'OPTIONS' ? 405 : status })),
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
      answering(({ headers }, { status }) => ({
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
    'prefixes',
    () => answering(({ path }, { status }) => ({ status: path.startsWith(NO_SNAPSHOT) ? 200 : status })),
    `${NO_SNAPSHOT}/versions`,
    'answers 200, not 404',
  ],
  [
    'version-query',
    () => answering(({ path }, { status }) => ({ status: path.includes('?version=0') ? 200 : status })),
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
    () => answering(({ path }, { status }) => ({ status: path.includes('?limit') ? 404 : status })),
    '/?limit=500&offset=0',
    'is not the plain document',
  ],
];

test('there is something wrong to find for every capability', () => {
  expect([...new Set(WRONGS.map(([capability]) => capability))].sort()).toEqual(Object.keys(CAPABILITIES).sort());
});

describe.each(WRONGS)('the check of %s', (capability, wrong, request, says) => {
  test('finds nothing where nothing is wrong', async () => {
    expect(await failingOf(capability, ask)).toEqual([]);
  });

  test(`finds that ${request} ${says}`, async () => {
    const [first] = await failingOf(capability, wrong());
    expect(first).toEqual({ request, says });
  });
});

test('one path of every template that can be reached is looked at', () => {
  const templates = sample.paths.map(({ endpoint }) => endpoint.template);
  expect(new Set(templates).size).toBe(templates.length);
  expect(templates).toContain('/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}/versions/{version_id}');
  expect(templates).toContain('/sites/{site_uid}/flavors/{flavor_uid}');
  expect(templates).toContain('/snapshots/{version_id}/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}');
});

test('one removed item of every kind is looked at, as the changes tell, and none that is there again', () => {
  expect(sample.gone).toEqual([GONE_NODE, '/sites/vega/clusters/main', '/sites/vega', '/sites/cirrus/flavors/large']);
});

test('where no changes are published, as of older trees, nothing is said of what was removed', async () => {
  const asked = answering(({ path }, { status }) => ({
    status: path.startsWith('/changes') ? 404 : status === 410 ? 404 : status,
  }));
  const outcomes: (string | undefined)[] = [];
  for await (const probed of probe(asked, decodeContent, undefined)) {
    if (probed?.capability === 'gone') outcomes.push(probed.outcome);
  }
  expect(outcomes).toEqual(['not-applicable']);
});

/** A host that says of one kind of miss alone that it answers it otherwise. */
const LIMITED: Host = {
  ...serveHandler,
  shortcomings: [
    { capability: 'not-found', extent: 'partly', why: 'Escaped slashes are refused.', covers: /%2Fb answers 403, / },
  ],
};

async function probedAs(refused: RegExp): Promise<Probed | undefined> {
  const asked = answering(({ path }, { status }) => ({ status: refused.test(path) ? 403 : status }));
  for await (const probed of probe(asked, decodeContent, LIMITED)) {
    if (probed?.capability === 'not-found') return probed;
  }
  return undefined;
}

test('what a host says that it cannot do is its nature', async () => {
  const probed = await probedAs(/%2F/);
  expect(probed?.outcome).toBe('by-nature');
  expect(probed?.advice).toBe('Escaped slashes are refused.');
});

test('what a host does not say of a capability that it has in part is wrong, and that alone is told', async () => {
  const probed = await probedAs(/%2F|^\/nope\.json$/);
  expect(probed?.outcome).toBe('wrong');
  expect(probed?.failing).toEqual([{ request: '/nope.json', says: 'answers 403, not 404' }]);
});

test('a server without brotli is told what it lacks, and not to deploy files that are there', async () => {
  const outcomes: (string | undefined)[] = [];
  for await (const probed of probe(compressing(true, ['gzip']), decodeContent, undefined))
    if (probed?.capability === 'precompressed') outcomes.push(probed.outcome, probed.advice);
  expect(outcomes).toEqual([
    'wrong',
    'Only brotli is missing: the .br files were left behind when the tree was copied, or the rules are those of an older gridpress, which left brotli to a module of nginx. Copy all files of the tree, build with --host NAME, and reload the server.',
  ]);
});

/** What a probe advises when something of a capability is wrong. */
async function adviceOn(capability: Capability, asked: SendRequest): Promise<string | undefined> {
  for await (const probed of probe(asked, decodeContent, undefined))
    if (probed?.capability === capability) return probed.advice;
  return undefined;
}

test('a cause that shows in what fails is named', async () => {
  const squeezed = sending(({ headers = {} }) =>
    headers['Accept-Encoding'] === 'gzip, deflate' && headers['Accept'] === undefined
      ? { 'content-encoding': 'gzip' }
      : {},
  );
  expect(await adviceOn('precompressed', squeezed)).toMatch(
    /^Something compresses answers of the vendor media types, which clients of that family do not decode: /,
  );
  const twice = sending((_, { status }) => (status === 416 ? { 'access-control-allow-origin': '*, *' } : {}));
  expect(await adviceOn('refusals', twice)).toBe(
    'Access-Control-Allow-Origin is sent twice, which browsers take for none: the rules and a proxy or a module each add it. Keep one.',
  );
  const noRanges = sending((_, { status }) => (status === 206 ? { 'cache-control': undefined } : {}));
  expect(await adviceOn('cache-classes', noRanges)).toBe(
    'Parts of documents are sent without Cache-Control. The server has no rules for it, or those of an older gridpress. Build with --host NAME, deploy its files, and reload the server.',
  );
});

test('a path in the API is told from its root', async () => {
  const probing = { rate: 1000, timeout: 10, limit: 100 };
  const refused = (url: string) => failureOf(() => probeUrl({ ...probing, url }, () => {}));
  expect(await refused(`${base}/sites`)).toBe(
    `error: ${base}/sites is not the root of the API, but /sites in it. [not-the-root]\n  Name the base URL: ${base}/.\n`,
  );
});
