import { JSON_MEDIA_TYPE, vendorMediaType } from '../../api/dialect.ts';
import {
  bodyText,
  jsonOf,
  mediaTypeOf,
  type ProbeResponse,
  type SendRequest,
  sameBytes,
} from '../../api/http-exchange.ts';
import { folderOfPage } from '../../api/page-folders.ts';
import { LONGEST_SHIFT, TIME_STEP } from '../../api/publication.ts';
import { RAW_FORMS, rawContentType } from '../../api/raw-forms.ts';
import { resourceUrl, snapshotAt } from '../../api/urls.ts';
import { asText, isJsonObject, itemsIn } from '../../model/json.ts';
import { MANIFEST_FILE } from '../../tree/layout.ts';
import { cacheControlIn } from '../../tree/manifest/manifest-frame.ts';
import { answeredForms, isPlainJsonForm, otherForms } from '../../tree/url-forms.ts';
import type { Capability } from '../host.ts';
import { checkEncodings } from './encodings.ts';
import { checkGone, checkMethods, checkMisses, checkPreflight, checkRefusals } from './error-responses.ts';
import { type Check, expectNoCache, expectType, type Probing, typeOf } from './probing.ts';
import { checkPrefixes, checkVersionQuery } from './redirects.ts';

/** Expects the path of the folder to return the page, or a redirect to the page. */
function expectPage(response: ProbeResponse, page: string, wanted: ProbeResponse, report: Probing['report']): void {
  const { status, headers } = response;
  const name = page.slice(page.lastIndexOf('/') + 1);
  const redirects = status >= 300 && status < 400 && headers['location']?.endsWith(page) === true;
  const isPage = status === 200 && (sameBytes(response, wanted) || bodyText(response).includes(`url=${name}"`));
  if (!redirects && !isPage) report(`${page.slice(0, -name.length)}`, `answers ${status}, and is not ${page}`);
}

async function expectCache({ ask, report }: Probing, path: string, wanted: string): Promise<void> {
  const { headers } = await ask({ path });
  const found = headers['cache-control'];
  if (!sameDirectives(found, wanted)) report(path, `has Cache-Control: ${found ?? 'none'}, not ${wanted}`);
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

function expectPretty(plain: ProbeResponse, pretty: ProbeResponse, request: string, report: Probing['report']): void {
  const wanted = JSON.stringify(jsonOf(plain), null, 2);
  if (bodyText(pretty).trimEnd() !== wanted) {
    report(request, 'is not the document indented by two spaces');
    return;
  }
  if (mediaTypeOf(pretty) !== mediaTypeOf(plain) && !/\.json(?:\?|$)/.test(request))
    report(request, `is ${mediaTypeOf(pretty)}, not ${mediaTypeOf(plain)}`);
  const [etag, own] = [plain.headers['etag'], pretty.headers['etag']];
  if (etag !== undefined && etag === own) report(request, 'has the ETag of the plain document');
}

const UNMODIFIED = 304;
/** A 304 must repeat these headers (RFC 9110, section 15.4.5). */
const UNMODIFIED_HEADERS = ['etag', 'cache-control', 'vary'];

const checkETags: Check = async ({ ask, sample, report }) => {
  for (const { url } of sample.paths) {
    const plain = await ask({ path: url });
    const etag = plain.headers['etag'];
    if (etag === undefined) {
      report(url, 'has no ETag');
      continue;
    }
    for (const tags of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, '')}`]) {
      const { status, headers } = await ask({ path: url, headers: { 'If-None-Match': tags } });
      const request = `${url} with If-None-Match: ${tags}`;
      if (status !== UNMODIFIED) {
        report(request, `answers ${status}, not 304`);
        continue;
      }
      for (const name of UNMODIFIED_HEADERS)
        if (plain.headers[name] !== headers[name]) report(request, `is 304 with ${name}: ${headers[name] ?? 'none'}`);
    }
    const { status } = await ask({ path: url, headers: { 'If-None-Match': '"other"' } });
    if (status !== 200) report(`${url} with another ETag`, `answers ${status}, not 200`);
  }
};

const checkLastModified: Check = async ({ ask, sample, report }) => {
  const { times, newest } = await revisionTimes(ask);
  const rootTime = (await ask({ path: '/' })).headers['last-modified'];
  for (const { url, endpoint } of sample.paths) {
    const response = await ask({ path: url });
    const modified = Date.parse(response.headers['last-modified'] ?? '');
    if (Number.isNaN(modified)) {
      report(url, 'has no Last-Modified');
      continue;
    }
    const time = times.get(revisionOf(response));
    if (time && modified < time - LONGEST_SHIFT * 1000)
      report(url, 'has a Last-Modified before the time of its revision');
    if (time && modified > newest) report(url, 'has a Last-Modified after the time of the newest revision');
    const memento = response.headers['memento-datetime'];
    if (endpoint.cache === 'immutable' ? Date.parse(memento ?? '') !== modified : memento !== undefined)
      report(url, `has Memento-Datetime: ${memento ?? 'none'}`);
    const isNewest = response.headers['last-modified'] === rootTime;
    for (const [since, which, wanted] of [
      [modified, isNewest ? 'If-Modified-Since' : 'its own, older time in If-Modified-Since', UNMODIFIED],
      // Only the exact time may return 304, because an earlier document can have other bytes and a later time.
      [modified + 7000, 'a later If-Modified-Since', 200],
      [modified - 7000, 'an earlier If-Modified-Since', 200],
    ] as const) {
      const { status } = await ask({ path: url, headers: { 'If-Modified-Since': new Date(since).toUTCString() } });
      if (status !== wanted) report(`${url} with ${which}`, `answers ${status}, not ${wanted}`);
    }
  }
};

function revisionOf(response: ProbeResponse): string {
  const document = jsonOf(response);
  return isJsonObject(document) ? asText(document['version']) : '';
}

/** Returns file times of revisions in epoch milliseconds, each at least `TIME_STEP` after the parents' times. */
async function revisionTimes(
  ask: SendRequest,
): Promise<{ readonly times: ReadonlyMap<string, number>; readonly newest: number }> {
  const times = new Map<string, number>();
  const document = jsonOf(await ask({ path: '/versions' }));
  let newest = (LONGEST_SHIFT - TIME_STEP) * 1000;
  for (const item of isJsonObject(document) ? itemsIn(document['items']).toReversed() : []) {
    if (!isJsonObject(item)) continue;
    const own = Date.parse(asText(item['date']));
    if (Number.isNaN(own)) continue;
    newest = Math.max(newest + TIME_STEP * 1000, own);
    times.set(asText(item['uid']), own);
  }
  return { times, newest };
}

export const CHECKS: Readonly<Record<Capability, Check>> = {
  'url-forms': async ({ ask, sample, report }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      if (plain.status !== 200) report(url, `answers ${plain.status}`);
      for (const form of otherForms(url)) {
        const other = await ask({ path: form });
        if (other.status !== 200) report(form, `answers ${other.status}`);
        else if (!sameBytes(plain, other)) report(form, `has other bytes than ${url}`);
      }
    }
    for (const { url } of sample.raw) {
      const raw = await ask({ path: url });
      if (raw.status !== 200) report(url, `answers ${raw.status}`);
      const folder = folderOfPage(url);
      if (folder !== undefined) expectPage(await ask({ path: `${folder}/` }), url, raw, report);
    }
  },

  'media-types': async ({ ask, sample, report }) => {
    for (const { url, endpoint } of sample.paths) {
      expectType(await ask({ path: url }), url, typeOf(sample, endpoint.form), report);
      for (const form of otherForms(url)) {
        const type = isPlainJsonForm(form) ? JSON_MEDIA_TYPE : typeOf(sample, endpoint.form);
        expectType(await ask({ path: form }), form, type, report);
      }
    }
    for (const { url, endpoint } of sample.raw) {
      const mediaType = rawContentType(RAW_FORMS[endpoint.form]).replaceAll(' ', '');
      for (const Accept of ['*/*', JSON_MEDIA_TYPE])
        expectType(await ask({ path: url, headers: { Accept } }), url, mediaType, report);
    }
    const manifest = await ask({ path: `/${MANIFEST_FILE}` });
    if (manifest.status === 200) expectType(manifest, `/${MANIFEST_FILE}`, JSON_MEDIA_TYPE, report);
  },

  accept: async ({ ask, sample, report }) => {
    const { vendor } = sample;
    if (vendor === undefined) return;
    for (const { url, endpoint } of sample.paths) {
      const own = vendorMediaType(vendor, endpoint.form);
      const vendorType = typeOf(sample, endpoint.form);
      const asked: [accept: string, type: string][] = [
        [JSON_MEDIA_TYPE, JSON_MEDIA_TYPE],
        [own, vendorType],
        ['*/*', vendorType],
        ['text/html, */*;q=0.8', vendorType],
        [`text/plain, ${JSON_MEDIA_TYPE};q=0.5`, JSON_MEDIA_TYPE],
        [`${own}, ${JSON_MEDIA_TYPE};q=0.5`, vendorType],
        [`${JSON_MEDIA_TYPE}; q=0, */*`, vendorType],
      ];
      for (const [accept, type] of asked) {
        const response = await ask({ path: url, headers: { Accept: accept } });
        expectType(response, `${url} with Accept: ${accept}`, type, report);
      }
    }
  },

  'cache-classes': async (probing) => {
    const { ask, sample, report } = probing;
    const cacheControl = cacheControlIn((await ask({ path: `/${MANIFEST_FILE}` })).body);
    for (const { url, endpoint } of sample.paths) {
      for (const form of [...answeredForms(url), `${url}?pretty`])
        await expectCache(probing, form, cacheControl[endpoint.cache]);
    }
    for (const { url, endpoint } of sample.raw) await expectCache(probing, url, cacheControl[endpoint.cache]);
    for (const path of [...sample.latest, '/nope']) expectNoCache(await ask({ path }), path, report);
    const ranged = (Range: string) => ask({ path: '/', headers: { Range } });
    expectNoCache(await ranged('bytes=1000000000-'), '/ with a Range beyond its end', report);
    const root = await ask({ path: '/' });
    for (const range of ['bytes=0-9', 'bytes=0-1,4-5']) {
      const found = (await ranged(range)).headers['cache-control'];
      if (!sameDirectives(found, root.headers['cache-control'] ?? ''))
        report(`/ with Range: ${range}`, `has Cache-Control: ${found ?? 'none'}`);
    }
  },

  headers: async ({ ask, sample, report }) => {
    const found = [...sample.paths, ...sample.raw].map(({ url }) => url);
    // A page of another origin can only follow a redirect that has CORS headers.
    const queried =
      sample.snapshot === undefined ? [] : [`${resourceUrl('sites')}?version=${snapshotAt(sample.snapshot)}`];
    for (const path of [...found, ...sample.latest.slice(0, 1), ...queried, '/nope']) {
      const { headers } = await ask({ path });
      if (!headers['allow']?.includes('GET')) report(path, `has Allow: ${headers['allow'] ?? 'none'}`);
      if (!/\/changes>\s*;\s*rel="?monitor\b/.test(headers['link'] ?? ''))
        report(path, `has Link: ${headers['link'] ?? 'none'}, without the changes`);
      if (!/\baccept\b(?!-)/i.test(headers['vary'] ?? ''))
        report(path, `has Vary: ${headers['vary'] ?? 'none'}, without Accept`);
      for (const [name, value] of [
        ['access-control-allow-origin', '*'],
        ['x-content-type-options', 'nosniff'],
      ] as const) {
        if (headers[name] !== value) report(path, `has ${name}: ${headers[name] ?? 'none'}, not ${value}`);
      }
      if (!/(?=.*\betag\b)(?=.*\blink\b)/i.test(headers['access-control-expose-headers'] ?? ''))
        report(path, `has Access-Control-Expose-Headers: ${headers['access-control-expose-headers'] ?? 'none'}`);
      if (sample.dialect === 'legacy' && headers['x-info'] === undefined) report(path, 'has no X-Info');
    }
  },

  etag: checkETags,

  'last-modified': checkLastModified,

  head: async ({ ask, sample, report }) => {
    for (const { url } of [...sample.paths, ...sample.raw]) {
      const [got, head] = [await ask({ path: url }), await ask({ path: url, method: 'HEAD' })];
      if (head.status !== got.status) report(`HEAD ${url}`, `answers ${head.status}, not ${got.status}`);
      if (head.body.length > 0) report(`HEAD ${url}`, 'has a body');
      for (const name of ['content-type', 'etag', 'cache-control', 'last-modified', 'vary', 'allow']) {
        if (head.headers[name] !== got.headers[name]) report(`HEAD ${url}`, `has another ${name} than GET`);
      }
    }
  },

  'not-found': checkMisses,

  'method-not-allowed': checkMethods,

  preflight: checkPreflight,

  refusals: checkRefusals,

  'pretty-query': async ({ ask, sample, report }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      const forms = answeredForms(url).map((form) => `${form}?pretty`);
      for (const path of [...forms, `${url}?pretty=yes`, `${url}?a=b&pretty`])
        expectPretty(plain, await ask({ path }), path, report);
      for (const query of ['?pretty=no', '?prettyprint', '?a=pretty']) {
        const not = await ask({ path: url + query });
        if (!sameBytes(plain, not)) report(url + query, 'is not the plain document');
      }
    }
  },

  'pretty-header': async ({ ask, sample, report }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      const pretty = await ask({ path: url, headers: { 'X-Rack-PrettyJSON': 'yes' } });
      expectPretty(plain, pretty, `${url} with X-Rack-PrettyJSON: yes`, report);
      if (!/x-rack-prettyjson/i.test(pretty.headers['vary'] ?? ''))
        report(url, 'does not name X-Rack-PrettyJSON in Vary');
      const not = await ask({ path: url, headers: { 'X-Rack-PrettyJSON': 'no' } });
      if (!sameBytes(plain, not)) report(`${url} with X-Rack-PrettyJSON: no`, 'is not the plain document');
    }
  },

  'version-query': checkVersionQuery,

  precompressed: checkEncodings,

  gone: checkGone,

  latest: async ({ ask, sample, report }) => {
    const prefixes = new Set<string>();
    for (const url of sample.latest) {
      const history = url.slice(0, url.lastIndexOf('/'));
      for (const path of answeredForms(url)) {
        const { status, headers } = await ask({ path });
        const location = headers['location'] ?? 'nowhere';
        const [, prefix, target, id] =
          /^(?:https?:\/\/[^/]+)?(.*?)((?:\/sites\b[^?]*)?\/versions\/([0-9a-f]{40}))$/.exec(location) ?? [];
        if (status !== 307) report(path, `answers ${status}, not 307`);
        else if (target !== `${history}/${id}`) report(path, `leads to ${location}`);
        else {
          prefixes.add(prefix ?? '');
          const newest = jsonOf(await ask({ path: target }));
          if (!isJsonObject(newest) || newest['uid'] !== id) report(path, `leads to ${location}, another version`);
        }
      }
    }
    if (prefixes.size > 1) report(sample.latest.join(' '), `lead below ${[...prefixes].join(' and ')}`);
  },

  prefixes: checkPrefixes,

  queries: async ({ ask, sample, report }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      for (const query of ['?limit=500&offset=0', '?', '?a[]=%zz;b==']) {
        const queried = await ask({ path: url + query });
        if (queried.status !== 200 || !sameBytes(plain, queried)) report(url + query, 'is not the plain document');
      }
    }
  },
};
