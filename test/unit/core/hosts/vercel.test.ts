import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { vercel } from '../../../../src/core/hosts/vercel.ts';
import { answeredForms } from '../../../../src/core/tree/url-forms.ts';
import { type Routed, routeRequest } from '../../../support/services/vercel-routes.ts';
import { CASES } from './support/cases.ts';
import { examples, rawExamples } from './support/examples.ts';
import { expectFiles, fixtureRules, GONE, REVISION, redirectsOfSites } from './support/fixture.ts';

const condition = z.object({ type: z.string(), key: z.string(), value: z.string().exactOptional() });
const configurationSchema = z.object({
  routes: z.array(
    z.object({
      handle: z.string().exactOptional(),
      src: z.string().exactOptional(),
      dest: z.string().exactOptional(),
      status: z.number().exactOptional(),
      headers: z.record(z.string(), z.string()).exactOptional(),
      methods: z.array(z.string()).exactOptional(),
      has: z.array(condition).exactOptional(),
      missing: z.array(condition).exactOptional(),
      continue: z.boolean().exactOptional(),
    }),
  ),
});

interface Asked {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the routes as a function of a path, with files for all examples. */
function routed(dialect: 'current' | 'legacy', prefix: string) {
  const rules = fixtureRules(dialect, prefix);
  const { routes } = configurationSchema.parse(JSON.parse(vercel.files(rules).get('vercel.json') ?? ''));
  const files = new Set(
    ['/_manifest', '/404', '/405', ...examples(rules).map(({ url }) => (url === '/' ? '/index' : url))].flatMap(
      (path) => [`${prefix}${path}.json`, `${prefix}/_pretty${path}.json`],
    ),
  );
  const ask = (path: string, { method = 'GET', query = '', headers = {} }: Asked = {}): Routed =>
    routeRequest(routes, { method, path: prefix + path, query: new URLSearchParams(query), headers }, (file) =>
      files.has(file),
    );
  for (const { url } of rawExamples(rules)) files.add(prefix + url);
  return { rules, ask };
}

describe.each(CASES)('Vercel, %s dialect, prefix "%s"', (dialect, prefix) => {
  test('writes these files', () => {
    expectFiles(vercel, dialect, prefix);
  });

  test('answers every form of every path with its file, media type and cache class', () => {
    const { rules, ask } = routed(dialect, prefix);
    for (const { url, answered } of examples(rules)) {
      if (url === '/versions/latest' || url === '/sites/versions/latest') continue;
      for (const form of answeredForms(url)) {
        const { status, file, headers } = ask(form);
        const ownType = form.endsWith('.json') ? 'application/json' : answered.mediaType;
        expect([form, status, file, headers['content-type'], headers['cache-control']]).toEqual([
          form,
          200,
          `${prefix}${url === '/' ? '/index' : url}.json`,
          dialect === 'legacy' ? ownType : undefined,
          CACHE_CONTROL[answered.cache],
        ]);
      }
    }
  });

  test('answers raw documents at one path, with their media type and a short cache time', () => {
    const { rules, ask } = routed(dialect, prefix);
    for (const { url, mediaType } of rawExamples(rules)) {
      const { status, file, headers } = ask(url, { headers: { accept: 'application/json' } });
      expect([url, status, file, headers['content-type'], headers['cache-control']]).toEqual([
        ...[url, 200, prefix + url, mediaType, CACHE_CONTROL.mutable],
      ]);
      for (const end of ['/', '.json', '/index.json']) expect([url, ask(url + end).status]).toEqual([url, 404]);
    }
  });

  test('answers unknown paths with 404 and other methods with 405, with a problem document and without Cache-Control', () => {
    const { ask } = routed(dialect, prefix);
    const asked: [string, Asked, number][] = [
      ...['/nope', '/sites/nope', `/versions/${'0'.repeat(40)}`, '/sites/a%2Fb', '//nope', '/sites.json.json'].map(
        (path): [string, Asked, number] => [path, {}, 404],
      ),
      ...[
        '/404.json',
        '/405',
        '/_pretty/sites.json',
        '/_hosts/x',
        '/_gone/sites/dune.json',
        '/index',
        '/sites/index',
      ].map((path): [string, Asked, number] => [path, {}, 404]),
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method): [string, Asked, number] => ['/sites', { method }, 405]),
    ];
    for (const [path, options, status] of asked) {
      const found = ask(path, options);
      const { 'content-type': type, 'cache-control': cache, allow } = found.headers;
      expect([path, found.status, found.file, type, cache, allow]).toEqual([
        path,
        status,
        `${prefix}/${status}.json`,
        'application/problem+json',
        undefined,
        'GET',
      ]);
    }
  });

  test('answers removed resources with 410 and their tombstone, without Cache-Control', () => {
    const { ask } = routed(dialect, prefix);
    for (const path of GONE) {
      for (const form of answeredForms(path)) {
        const { status, file, headers } = ask(form);
        expect([form, status, file, headers['content-type'], headers['cache-control']]).toEqual([
          ...[form, 410, `${prefix}/_gone${path}.json`, 'application/problem+json', undefined],
        ]);
      }
    }
    expect(ask(`${GONE[2]}x`).status).toBe(404);
    expect(ask('/sites/lyra/clusters/main/nodes/m1-spare').status).toBe(404);
  });

  test('redirects the latest versions of the root, of sites and of their collection', () => {
    const { ask } = routed(dialect, prefix);
    for (const form of answeredForms('/sites/lyra/versions/latest')) {
      const { status, headers } = ask(form);
      expect([status, headers['location'], headers['cache-control']]).toEqual([
        307,
        `${prefix}/sites/lyra/versions/${REVISION}`,
        undefined,
      ]);
    }
  });
});

test('Vercel sends indented files on request by query or header, in the same cache class', () => {
  const { ask } = routed('current', '/api/v1');
  const pretty = '/api/v1/_pretty/sites.json';
  for (const form of answeredForms('/sites')) {
    for (const query of ['pretty', 'pretty=yes', 'a=b&pretty']) expect(ask(form, { query }).file).toBe(pretty);
  }
  expect(ask('/sites', { headers: { 'x-rack-prettyjson': 'yes' } }).file).toBe(pretty);
  expect(ask('/sites', { query: 'pretty' }).headers['cache-control']).toBe(CACHE_CONTROL.mutable);
  const root = ask('/', { query: 'pretty' });
  expect([root.file, root.headers['cache-control']]).toEqual(['/api/v1/_pretty/index.json', CACHE_CONTROL.mutable]);
  for (const query of ['pretty=no', 'pretty=false', 'pretty=0', 'prettyprint'])
    expect(ask('/sites', { query }).file).toBe('/api/v1/sites.json');
});

test('in the legacy dialect, Vercel chooses the media type by Accept', () => {
  const { ask } = routed('legacy', '');
  const vendor = 'application/vnd.example.collection+json';
  for (const [accept, type] of [
    ['*/*', `${vendor}; charset=utf-8`],
    ['application/json', 'application/json'],
    ['text/plain, application/json;q=0.5', 'application/json'],
    [`${vendor}, application/json;q=0.5`, `${vendor}; charset=utf-8`],
    ['application/json;q=0, */*', `${vendor}; charset=utf-8`],
  ] as const) {
    expect([accept, ask('/sites', { headers: { accept } }).headers['content-type']]).toEqual([accept, type]);
  }
});

test('the routes stay within the limit of the host for any number of sites', () => {
  const count = (sites: number) => {
    const rules = fixtureRules('legacy', '', redirectsOfSites(sites));
    const { routes } = configurationSchema.parse(JSON.parse(vercel.files(rules).get('vercel.json') ?? ''));
    return routes.filter(({ status }) => status === 307).length;
  };
  expect([count(496), count(497)]).toEqual([500, 4]);
});

test('the routes and their patterns stay within the limits of the host for any number of removed nodes', () => {
  const lengths = (nodes: number) => {
    const uids = Array.from({ length: nodes }, (_, i) => `0b6d9e4c-1f3a-4c52-8d7e-${String(i).padStart(12, '0')}`);
    const gone = ['/sites/dune', ...uids.map((uid) => `/sites/lyra/clusters/main/nodes/${uid}`)];
    const rules = fixtureRules('current', '', [], gone);
    const { routes } = configurationSchema.parse(JSON.parse(vercel.files(rules).get('vercel.json') ?? ''));
    return routes.flatMap(({ status, src = '' }) => (status === 410 ? src.length : []));
  };
  // 66 characters around uids of 36, separated by bars: 108 fit into each of the 399 routes besides that of the site.
  const full = lengths(399 * 108);
  expect([full.length, Math.max(...full)]).toEqual([400, 66 + 108 * 37 - 1]);
  expect(lengths(399 * 108 + 1).length).toBe(1);
});
