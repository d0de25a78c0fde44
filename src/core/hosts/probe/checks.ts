/** The conformance suite: what the contract asks of a host, one check for each capability. */
import { JSON_MEDIA_TYPE, vendorMediaType } from '../../api/dialect.ts';
import { jsonOf, mediaTypeOf, type ProbeResponse, sameBytes } from '../../api/http-exchange.ts';
import { folderOfPage } from '../../api/page-folders.ts';
import { RAW_FORMS, rawContentType } from '../../api/raw-forms.ts';
import { isJsonObject } from '../../model/json.ts';
import { cacheControl } from '../../tree/headers.ts';
import { MANIFEST_FILE } from '../../tree/layout.ts';
import { answeredForms, isPlainForm, otherForms } from '../../tree/url-forms.ts';
import type { Capability } from '../host.ts';
import { checkGone, checkMethods, checkMisses, checkPreflight, checkRefusals } from './error-answers.ts';
import { type Check, expectNoCache, expectType, type Probing, typeOf } from './probing.ts';
import { checkPrefixes, checkVersionQuery } from './redirects.ts';
import { checkETags, checkLastModified } from './validators.ts';

export const CHECKS: Readonly<Partial<Record<Capability, Check>>> = {
  'url-forms': async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      if (plain.status !== 200) fails(url, `answers ${plain.status}`);
      for (const form of otherForms(url)) {
        const other = await ask({ path: form });
        if (other.status !== 200) fails(form, `answers ${other.status}`);
        else if (!sameBytes(plain, other)) fails(form, `has other bytes than ${url}`);
      }
    }
    for (const { url } of sample.raw) {
      const { status, body } = await ask({ path: url });
      if (status !== 200) fails(url, `answers ${status}`);
      const folder = folderOfPage(url);
      if (folder !== undefined) expectPage(await ask({ path: `${folder}/` }), url, body, fails);
    }
  },

  'media-types': async ({ ask, sample, fails }) => {
    for (const { url, endpoint } of sample.paths) {
      expectType(await ask({ path: url }), url, typeOf(sample, endpoint.form), fails);
      for (const form of otherForms(url)) {
        const type = isPlainForm(form) ? JSON_MEDIA_TYPE : typeOf(sample, endpoint.form);
        expectType(await ask({ path: form }), form, type, fails);
      }
    }
    for (const { url, endpoint } of sample.raw) {
      const mediaType = rawContentType(RAW_FORMS[endpoint.form]).replaceAll(' ', '');
      for (const Accept of ['*/*', JSON_MEDIA_TYPE])
        expectType(await ask({ path: url, headers: { Accept } }), url, mediaType, fails);
    }
    const manifest = await ask({ path: `/${MANIFEST_FILE}` });
    if (manifest.status === 200) expectType(manifest, `/${MANIFEST_FILE}`, JSON_MEDIA_TYPE, fails);
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
        ['text/html, */*;q=0.8', typeOf(sample, endpoint.form)],
        [`text/plain, ${JSON_MEDIA_TYPE};q=0.5`, JSON_MEDIA_TYPE],
        [`${own}, ${JSON_MEDIA_TYPE};q=0.5`, typeOf(sample, endpoint.form)],
        [`${JSON_MEDIA_TYPE}; q=0, */*`, typeOf(sample, endpoint.form)],
      ];
      for (const [accept, type] of asked) {
        const response = await ask({ path: url, headers: { Accept: accept } });
        expectType(response, `${url} with Accept: ${accept}`, type, fails);
      }
    }
  },

  'cache-classes': async (probing) => {
    const { ask, sample, fails } = probing;
    for (const { url, endpoint } of sample.paths) {
      for (const form of [...answeredForms(url), `${url}?pretty`])
        await expectCache(probing, form, cacheControl(endpoint.cache));
    }
    for (const { url, endpoint } of sample.raw) await expectCache(probing, url, cacheControl(endpoint.cache));
    for (const path of [...sample.latest, '/nope']) expectNoCache(await ask({ path }), path, fails);
    const ranged = (Range: string) => ask({ path: '/', headers: { Range } });
    expectNoCache(await ranged('bytes=1000000000-'), '/ with a Range beyond its end', fails);
    const [part, root] = [await ranged('bytes=0-9'), await ask({ path: '/' })];
    if (!sameDirectives(part.headers['cache-control'], root.headers['cache-control'] ?? ''))
      fails('/ with Range: bytes=0-9', `has Cache-Control: ${part.headers['cache-control'] ?? 'none'}`);
  },

  headers: async ({ ask, sample, fails }) => {
    const found = [...sample.paths, ...sample.raw].map(({ url }) => url);
    for (const path of [...found, ...sample.latest.slice(0, 1), '/nope']) {
      const { headers } = await ask({ path });
      if (!headers['allow']?.includes('GET')) fails(path, `has Allow: ${headers['allow'] ?? 'none'}`);
      if (!/\/changes>\s*;\s*rel="?monitor\b/.test(headers['link'] ?? ''))
        fails(path, `has Link: ${headers['link'] ?? 'none'}, without the changes`);
      if (!/\baccept\b(?!-)/i.test(headers['vary'] ?? ''))
        fails(path, `has Vary: ${headers['vary'] ?? 'none'}, without Accept`);
      for (const [name, value] of [
        ['access-control-allow-origin', '*'],
        ['x-content-type-options', 'nosniff'],
      ] as const) {
        if (headers[name] !== value) fails(path, `has ${name}: ${headers[name] ?? 'none'}, not ${value}`);
      }
      if (!/(?=.*\betag\b)(?=.*\blink\b)/i.test(headers['access-control-expose-headers'] ?? ''))
        fails(path, `has Access-Control-Expose-Headers: ${headers['access-control-expose-headers'] ?? 'none'}`);
      if (sample.dialect === 'legacy' && headers['x-info'] === undefined) fails(path, 'has no X-Info');
    }
  },

  etag: checkETags,

  'last-modified': checkLastModified,

  head: async ({ ask, sample, fails }) => {
    for (const { url } of [...sample.paths, ...sample.raw]) {
      const [got, head] = [await ask({ path: url }), await ask({ path: url, method: 'HEAD' })];
      if (head.status !== got.status) fails(`HEAD ${url}`, `answers ${head.status}, not ${got.status}`);
      if (head.body.length > 0) fails(`HEAD ${url}`, 'has a body');
      for (const name of ['content-type', 'etag', 'cache-control', 'last-modified', 'vary', 'allow']) {
        if (head.headers[name] !== got.headers[name]) fails(`HEAD ${url}`, `has another ${name} than GET`);
      }
    }
  },

  'not-found': checkMisses,

  'method-not-allowed': checkMethods,

  preflight: checkPreflight,

  refusals: checkRefusals,

  'pretty-query': async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      const forms = answeredForms(url).map((form) => `${form}?pretty`);
      for (const path of [...forms, `${url}?pretty=yes`, `${url}?a=b&pretty`])
        expectPretty(plain, await ask({ path }), path, fails);
      for (const query of ['?pretty=no', '?prettyprint', '?a=pretty']) {
        const not = await ask({ path: url + query });
        if (!sameBytes(plain, not)) fails(url + query, 'is not the plain document');
      }
    }
  },

  'pretty-header': async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      const pretty = await ask({ path: url, headers: { 'X-Rack-PrettyJSON': 'yes' } });
      expectPretty(plain, pretty, `${url} with X-Rack-PrettyJSON: yes`, fails);
      if (!/x-rack-prettyjson/i.test(pretty.headers['vary'] ?? ''))
        fails(url, 'does not name X-Rack-PrettyJSON in Vary');
      const not = await ask({ path: url, headers: { 'X-Rack-PrettyJSON': 'no' } });
      if (!sameBytes(plain, not)) fails(`${url} with X-Rack-PrettyJSON: no`, 'is not the plain document');
    }
  },

  'version-query': checkVersionQuery,

  gone: checkGone,

  latest: async ({ ask, sample, fails }) => {
    const prefixes = new Set<string>();
    for (const url of sample.latest) {
      const history = url.slice(0, url.lastIndexOf('/'));
      for (const path of answeredForms(url)) {
        const { status, headers } = await ask({ path });
        const location = headers['location'] ?? 'nowhere';
        const [, prefix, target, id] =
          /^(?:https?:\/\/[^/]+)?(.*?)((?:\/sites\b[^?]*)?\/versions\/([0-9a-f]{40}))$/.exec(location) ?? [];
        if (status !== 307) fails(path, `answers ${status}, not 307`);
        else if (target !== `${history}/${id}`) fails(path, `leads to ${location}`);
        else {
          prefixes.add(prefix ?? '');
          const newest = jsonOf(await ask({ path: target }));
          if (!isJsonObject(newest) || newest['uid'] !== id) fails(path, `leads to ${location}, another version`);
        }
      }
    }
    if (prefixes.size > 1) fails(sample.latest.join(' '), `lead below ${[...prefixes].join(' and ')}`);
  },

  prefixes: checkPrefixes,

  queries: async ({ ask, sample, fails }) => {
    for (const { url } of sample.paths) {
      const plain = await ask({ path: url });
      for (const query of ['?limit=500&offset=0', '?', '?a[]=%zz;b==']) {
        const queried = await ask({ path: url + query });
        if (queried.status !== 200 || !sameBytes(plain, queried)) fails(url + query, 'is not the plain document');
      }
    }
  },
};

/** Whether what a folder answers is its page, or leads there. */
function expectPage(
  { status, headers, body }: ProbeResponse,
  page: string,
  wanted: Uint8Array,
  fails: Probing['fails'],
): void {
  const name = page.slice(page.lastIndexOf('/') + 1);
  const leads = status >= 300 && status < 400 && headers['location']?.endsWith(page) === true;
  const text = new TextDecoder().decode(body);
  const isPage = status === 200 && (text === new TextDecoder().decode(wanted) || text.includes(`url=${name}"`));
  if (!leads && !isPage) fails(`${page.slice(0, -name.length)}`, `answers ${status}, and is not ${page}`);
}

async function expectCache({ ask, fails }: Probing, path: string, wanted: string): Promise<void> {
  const { headers } = await ask({ path });
  const found = headers['cache-control'];
  if (!sameDirectives(found, wanted)) fails(path, `has Cache-Control: ${found ?? 'none'}, not ${wanted}`);
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

function expectPretty(plain: ProbeResponse, pretty: ProbeResponse, request: string, fails: Probing['fails']): void {
  const wanted = JSON.stringify(jsonOf(plain), null, 2);
  if (new TextDecoder().decode(pretty.body).trimEnd() !== wanted) {
    fails(request, 'is not the document indented by two spaces');
    return;
  }
  if (mediaTypeOf(pretty) !== mediaTypeOf(plain) && !/\.json(?:\?|$)/.test(request))
    fails(request, `is ${mediaTypeOf(pretty)}, not ${mediaTypeOf(plain)}`);
  const [etag, own] = [plain.headers['etag'], pretty.headers['etag']];
  if (etag !== undefined && etag === own) fails(request, 'has the ETag of the plain document');
}
