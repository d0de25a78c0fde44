/** The conformance suite: what the contract asks of a host, one check for each capability. */
import { JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE, vendorMediaType } from '../../api/dialect.ts';
import type { Form } from '../../api/endpoints.ts';
import { isJsonObject } from '../../model/json.ts';
import { cacheControl } from '../../site/headers.ts';
import type { Capability } from '../host.ts';
import { type Ask, jsonOf, mediaTypeOf, type ProbeResponse, sameBytes } from './exchange.ts';
import type { Sample } from './sample.ts';

/** One thing that does not hold. */
export interface Failing {
  readonly request: string;
  readonly says: string;
}

export interface Probing {
  readonly ask: Ask;
  readonly sample: Sample;
  /** Notes something that does not hold. */
  readonly fails: (request: string, says: string) => void;
}

type Check = (probing: Probing) => Promise<void>;

const UNMODIFIED = 304;

export const CHECKS: Readonly<Partial<Record<Capability, Check>>> = {
  'url-forms': async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      if (plain.status !== 200) fails(url, `answers ${plain.status}`);
      for (const form of formsOf(url)) {
        const other = await ask({ path: form });
        if (other.status !== 200) fails(form, `answers ${other.status}`);
        else if (!sameBytes(plain, other)) fails(form, `has other bytes than ${url}`);
      }
    }
  },

  'media-types': async ({ ask, sample, fails }) => {
    for (const { url, endpoint } of sample.paths) {
      expectType(await ask({ path: url }), url, typeOf(sample, endpoint.form), fails);
      for (const form of formsOf(url)) {
        const type = form.endsWith('.json') ? JSON_MEDIA_TYPE : typeOf(sample, endpoint.form);
        expectType(await ask({ path: form }), form, type, fails);
      }
    }
  },

  accept: async ({ ask, sample, fails }) => {
    const { vendor } = sample;
    if (vendor === undefined) return;
    for (const { url, endpoint } of sample.paths) {
      const own = vendorMediaType(vendor, endpoint.form);
      const asked: [accept: string, type: string][] = [
        [JSON_MEDIA_TYPE, JSON_MEDIA_TYPE],
        [own, typeOf(sample, endpoint.form)],
        ['*/*', typeOf(sample, endpoint.form)],
      ];
      for (const [accept, type] of asked) {
        const response = await ask({ path: url, headers: { Accept: accept } });
        expectType(response, `${url} with Accept: ${accept}`, type, fails);
      }
    }
  },

  'cache-classes': async ({ ask, sample, fails }) => {
    for (const { url, endpoint } of sample.paths) {
      for (const form of [url, ...formsOf(url)]) {
        const { headers } = await ask({ path: form });
        const found = headers['cache-control'];
        const wanted = cacheControl(endpoint.cache);
        if (!sameDirectives(found, wanted))
          fails(form, `has Cache-Control: ${found ?? 'none'}, not ${wanted}`);
      }
    }
    for (const path of [...sample.latest, '/nope']) {
      const { status, headers } = await ask({ path });
      const found = headers['cache-control'];
      if (status >= 300 && found !== undefined && found !== 'no-store') {
        fails(path, `answers ${status} with Cache-Control: ${found}; there must be none`);
      }
    }
  },

  headers: async ({ ask, sample, fails }) => {
    for (const path of [...sample.paths.map(({ url }) => url), '/nope']) {
      const { headers } = await ask({ path });
      if (!headers['allow']?.includes('GET')) fails(path, `has Allow: ${headers['allow'] ?? 'none'}`);
      if (!/\baccept\b(?!-)/i.test(headers['vary'] ?? ''))
        fails(path, `has Vary: ${headers['vary'] ?? 'none'}, without Accept`);
      for (const [name, value] of [
        ['access-control-allow-origin', '*'],
        ['x-content-type-options', 'nosniff'],
      ] as const) {
        if (headers[name] !== value) fails(path, `has ${name}: ${headers[name] ?? 'none'}, not ${value}`);
      }
    }
  },

  etag: async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const { headers } = await ask({ path: url });
      const etag = headers['etag'];
      if (etag === undefined) {
        fails(url, 'has no ETag');
        continue;
      }
      for (const tags of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, '')}`]) {
        const { status } = await ask({ path: url, headers: { 'If-None-Match': tags } });
        if (status !== UNMODIFIED) fails(`${url} with If-None-Match: ${tags}`, `answers ${status}, not 304`);
      }
      const { status } = await ask({ path: url, headers: { 'If-None-Match': '"other"' } });
      if (status !== 200) fails(`${url} with another ETag`, `answers ${status}, not 200`);
    }
  },

  'last-modified': async ({ ask, sample, fails }) => {
    for (const { url, endpoint } of sample.paths) {
      const response = await ask({ path: url });
      const modified = Date.parse(response.headers['last-modified'] ?? '');
      if (Number.isNaN(modified)) {
        fails(url, 'has no Last-Modified');
        continue;
      }
      if (endpoint.content === 'version') expectRevisionTime(response, modified, url, fails);
      const at = async (time: number) =>
        (await ask({ path: url, headers: { 'If-Modified-Since': new Date(time).toUTCString() } })).status;
      const same = await at(modified);
      if (same !== UNMODIFIED) fails(`${url} with If-Modified-Since`, `answers ${same}, not 304`);
      const later = await at(modified + 60_000);
      if (later !== UNMODIFIED) fails(`${url} with a later If-Modified-Since`, `answers ${later}, not 304`);
      const before = await at(modified - 1000);
      if (before !== 200) fails(`${url} with an earlier If-Modified-Since`, `answers ${before}, not 200`);
    }
  },

  head: async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const [got, head] = [await ask({ path: url }), await ask({ path: url, method: 'HEAD' })];
      if (head.status !== got.status) fails(`HEAD ${url}`, `answers ${head.status}, not ${got.status}`);
      if (head.body.length > 0) fails(`HEAD ${url}`, 'has a body');
      for (const name of ['content-type', 'etag', 'cache-control']) {
        if (head.headers[name] !== got.headers[name]) fails(`HEAD ${url}`, `has another ${name} than GET`);
      }
    }
  },

  'not-found': async ({ ask, sample, fails }) => {
    const inSnapshot = sample.paths.find(({ endpoint }) => endpoint.inSnapshot)?.url;
    for (const path of missingPaths(inSnapshot)) {
      const response = await ask({ path });
      const problem = jsonOf(response);
      const shown = path.length > 60 ? `${path.slice(0, 40)}… (${path.length} characters)` : path;
      if (response.status !== 404) fails(shown, `answers ${response.status}, not 404`);
      else if (mediaTypeOf(response) !== PROBLEM_MEDIA_TYPE)
        fails(shown, `is 404 as ${mediaTypeOf(response) || 'no media type'}`);
      else if (!isJsonObject(problem) || typeof problem['detail'] !== 'string')
        fails(shown, 'has no detail in its problem document');
    }
  },

  'method-not-allowed': async ({ ask, sample, fails }) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const { url } of sample.paths.slice(0, 3)) {
        const { status, headers } = await ask({ path: url, method });
        if (status !== 405) fails(`${method} ${url}`, `answers ${status}, not 405`);
        else if (!headers['allow']?.includes('GET')) fails(`${method} ${url}`, 'is 405 without Allow');
      }
    }
  },

  'pretty-query': async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      for (const form of [url, ...formsOf(url)]) {
        for (const query of ['?pretty', '?pretty=yes', '?a=b&pretty']) {
          expectPretty(plain, await ask({ path: form + query }), form + query, fails);
        }
      }
      const not = await ask({ path: `${url}?pretty=no` });
      if (!sameBytes(plain, not)) fails(`${url}?pretty=no`, 'is not the plain document');
    }
  },

  'pretty-header': async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      const pretty = await ask({ path: url, headers: { 'X-Rack-PrettyJSON': 'yes' } });
      expectPretty(plain, pretty, `${url} with X-Rack-PrettyJSON: yes`, fails);
      if (!/x-rack-prettyjson/i.test(pretty.headers['vary'] ?? ''))
        fails(url, 'does not name X-Rack-PrettyJSON in Vary');
    }
  },

  latest: async ({ ask, sample, fails }) => {
    for (const path of sample.latest.flatMap((url) => [url, ...formsOf(url)])) {
      const { status, headers } = await ask({ path });
      if (status !== 307) fails(path, `answers ${status}, not 307`);
      else if (!/\/versions\/[0-9a-f]{40}$/.test(headers['location'] ?? ''))
        fails(path, `leads to ${headers['location'] ?? 'nowhere'}`);
    }
  },

  queries: async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const [plain, queried] = [await ask({ path: url }), await ask({ path: `${url}?limit=500&offset=0` })];
      if (queried.status !== 200 || !sameBytes(plain, queried))
        fails(`${url}?limit=500&offset=0`, 'is not the plain document');
    }
  },
};

function formsOf(url: string): string[] {
  return url === '/' ? [] : [`${url}/`, `${url}.json`];
}

function typeOf({ vendor }: Sample, form: Form): string {
  return vendor === undefined ? JSON_MEDIA_TYPE : `${vendorMediaType(vendor, form)};charset=utf-8`;
}

function expectType(response: ProbeResponse, request: string, wanted: string, fails: Probing['fails']): void {
  const found = mediaTypeOf(response).replace(/^application\/json;charset=utf-8$/, JSON_MEDIA_TYPE);
  if (found !== wanted) fails(request, `is ${found || 'of no media type'}, not ${wanted}`);
}

function sameDirectives(found: string | undefined, wanted: string): boolean {
  const set = (text: string) =>
    text
      .toLowerCase()
      .split(/\s*,\s*/)
      .sort()
      .join();
  return found !== undefined && set(found) === set(wanted);
}

/** Last-Modified is the time of the revision, or a little later where several share it. */
function expectRevisionTime(
  response: ProbeResponse,
  modified: number,
  url: string,
  fails: Probing['fails'],
): void {
  const document = jsonOf(response);
  const date = isJsonObject(document) ? Date.parse(String(document['date'])) : Number.NaN;
  if (!(modified >= date)) fails(url, `has a Last-Modified before its own date`);
}

function expectPretty(
  plain: ProbeResponse,
  pretty: ProbeResponse,
  request: string,
  fails: Probing['fails'],
): void {
  const wanted = JSON.stringify(jsonOf(plain), null, 2);
  if (new TextDecoder().decode(pretty.body).trimEnd() !== wanted) {
    fails(request, 'is not the document indented by two spaces');
    return;
  }
  const [etag, own] = [plain.headers['etag'], pretty.headers['etag']];
  if (etag !== undefined && etag === own) fails(request, 'has the ETag of the plain document');
}

function missingPaths(snapshot: string | undefined): string[] {
  const long = 'x'.repeat(300);
  const odd = [
    'nope',
    'nope/',
    'nope.json',
    'nope/index.json',
    long,
    `${long}.json`,
    'a%2Fb',
    'a%20b',
    '%E2%82%AC',
    'nope.json.json',
  ];
  const prefixes = ['/', '/sites/', '/versions/', ...(snapshot === undefined ? [] : [`${snapshot}/`])];
  return [
    ...prefixes.flatMap((prefix) => odd.map((name) => prefix + name)),
    '//nope',
    '/sites//nope',
    '/./nope',
    '/sites/../nope',
    `/versions/${'0'.repeat(40)}`,
  ];
}
