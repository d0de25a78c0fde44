import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../../../../src/core/api/problem.ts';
import { cloudflareWorker } from '../../../../src/core/hosts/cloudflare-worker.ts';
import { answeredForms } from '../../../../src/core/tree/url-forms.ts';
import { CASES } from './support/cases.ts';
import { examples, rawExamples } from './support/examples.ts';
import { expectFiles, fixtureRules, GONE, REVISION } from './support/fixture.ts';

const moduleSchema = z.object({
  default: z.object({
    fetch: z.function({ input: [z.unknown(), z.unknown()], output: z.promise(z.instanceof(Response)) }),
  }),
});

type Dialect = 'current' | 'legacy';

/** Returns the Worker as a function of a path, with assets for all examples. */
async function workerOf(dialect: Dialect, prefix: string) {
  const rules = fixtureRules(dialect, prefix);
  const text = cloudflareWorker.files(rules).get('_hosts/cloudflare-worker/worker.js') ?? '';
  const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const { fetch } = moduleSchema.parse(loaded).default;
  const files = new Set(
    ['/_manifest', ...examples(rules).map(({ url }) => (url === '/' ? '/index' : url))].flatMap((path) => [
      `${prefix}${path}.json`,
      `${prefix}/_pretty${path}.json`,
    ]),
  );
  for (const { url } of rawExamples(rules)) files.add(prefix + url);
  for (const path of GONE) files.add(`${prefix}/_gone${path}.json`);
  const ASSETS = {
    fetch: async (asked: Request) => {
      const { pathname } = new URL(asked.url);
      if (!files.has(pathname)) return new Response(`no ${pathname}`, { status: 404 });
      const body = JSON.stringify({ uid: REVISION, file: pathname });
      return new Response(asked.method === 'HEAD' ? null : body, { headers: { ETag: `"${pathname}"` } });
    },
  };
  return {
    rules,
    ask: (path: string, options: RequestInit = {}) =>
      fetch(new Request(`https://api.example.org${prefix}${path}`, options), { ASSETS }),
  };
}

async function fileOf(response: Response): Promise<unknown> {
  return z.object({ file: z.string() }).parse(await response.json()).file;
}

describe.each(CASES)('the Worker, %s dialect, prefix "%s"', (dialect, prefix) => {
  test('has these files', () => {
    expectFiles(cloudflareWorker, dialect, prefix);
  });

  test('answers every form of every path with its file, media type and cache class', async () => {
    const { rules, ask } = await workerOf(dialect, prefix);
    for (const { url, answered, isLatest } of examples(rules)) {
      if (isLatest) continue;
      for (const form of answeredForms(url)) {
        const response = await ask(form);
        const { headers } = response;
        expect([form, headers.get('Content-Type'), headers.get('Cache-Control'), await fileOf(response)]).toEqual([
          form,
          form.endsWith('.json') ? 'application/json' : answered.mediaType,
          CACHE_CONTROL[answered.cache],
          `${prefix}${url === '/' ? '/index' : url}.json`,
        ]);
      }
    }
  });

  test('answers raw documents at one path, with their media type, and never indented', async () => {
    const { rules, ask } = await workerOf(dialect, prefix);
    for (const { url, mediaType } of rawExamples(rules)) {
      const { status, headers } = await ask(`${url}?pretty`, { headers: { Accept: 'application/json' } });
      expect([url, status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
        ...[url, 200, mediaType, CACHE_CONTROL.mutable],
      ]);
      for (const end of ['/', '.json', '/index.json'])
        expect([url + end, (await ask(url + end)).status]).toEqual([url + end, 404]);
    }
  });

  test('redirects every latest version to its revision, and keeps the query string', async () => {
    const { rules, ask } = await workerOf(dialect, prefix);
    for (const { url, isLatest } of examples(rules)) {
      if (!isLatest) continue;
      for (const form of answeredForms(url)) {
        const response = await ask(`${form}?limit=1`);
        const target = `${prefix}${url.replace(/latest$/, REVISION)}?limit=1`;
        expect([form, response.status, response.headers.get('Location')]).toEqual([form, 307, target]);
        expect(response.headers.get('Cache-Control')).toBe(null);
      }
    }
  });
});

test('the Worker answers unknown paths with 404 and a problem document, without Cache-Control', async () => {
  const { ask } = await workerOf('legacy', '');
  for (const path of [
    '/nope',
    '/sites/a%2Fb',
    '/sites/lyra%0A',
    '/sites.json/',
    '/sites.json.json',
    '/sites/index',
    '/index',
    '/.json',
    '//',
    '//nope',
    '/404.json',
    '/_pretty/sites.json',
    '/_hosts/cloudflare-worker/worker.js',
    '/_gone/sites/dune.json',
    '/sites/dune/versions',
    '/sites/unknown',
    `/versions/${REVISION.slice(1)}`,
    '/sites/unknown/versions/latest',
  ]) {
    const response = await ask(path);
    const { headers } = response;
    expect([path, response.status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      path,
      404,
      'application/problem+json',
      null,
    ]);
    expect(await response.text()).toBe(NOT_FOUND);
  }
  expect(await (await ask('/nope', { method: 'HEAD' })).text()).toBe('');
});

test.each(['', '/api/v1'])(
  'the Worker answers removed resources with 410 and their tombstone, without Cache-Control, prefix "%s"',
  async (prefix) => {
    const { ask } = await workerOf('legacy', prefix);
    for (const path of GONE) {
      for (const form of [...answeredForms(path), `${path}?pretty`]) {
        const response = await ask(form, { headers: { 'If-None-Match': '*' } });
        const { headers } = response;
        expect([form, response.status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
          ...[form, 410, 'application/problem+json', null],
        ]);
        expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
        expect(await fileOf(response)).toBe(`${prefix}/_gone${path}.json`);
      }
      const head = await ask(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([410, '']);
    }
  },
);

test('the Worker rejects other methods with 405 and Allow', async () => {
  const { ask } = await workerOf('current', '');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await ask('/sites', { method });
    expect([method, response.status, response.headers.get('Allow')]).toEqual([method, 405, 'GET']);
    expect(await response.text()).toBe(METHOD_NOT_ALLOWED);
  }
});

test('the Worker sends indented files on request by query or header', async () => {
  const { ask } = await workerOf('current', '/api/v1');
  const pretty = '/api/v1/_pretty/sites.json';
  for (const query of ['?pretty', '?pretty=yes', '?a=b&pretty'])
    expect(await fileOf(await ask(`/sites/${query}`))).toBe(pretty);
  expect(await fileOf(await ask('/sites', { headers: { 'X-Rack-PrettyJSON': 'yes' } }))).toBe(pretty);
  for (const query of ['?pretty=no', '?pretty=false', '?pretty=0', '?prettyprint'])
    expect(await fileOf(await ask(`/sites${query}`))).toBe('/api/v1/sites.json');
});

test('in the legacy dialect, the Worker chooses the media type by Accept', async () => {
  const { ask } = await workerOf('legacy', '');
  const vendor = 'application/vnd.example.collection+json';
  for (const [accept, type] of [
    ['*/*', `${vendor}; charset=utf-8`],
    ['application/json', 'application/json'],
    [vendor, `${vendor}; charset=utf-8`],
    [`${vendor};q=0.5, application/json`, 'application/json'],
    [`${vendor}, application/json;q=0.5`, `${vendor}; charset=utf-8`],
    ['application/json;q=0, */*', `${vendor}; charset=utf-8`],
  ] as const) {
    const response = await ask('/sites', { headers: { Accept: accept } });
    expect([accept, response.headers.get('Content-Type')]).toEqual([accept, type]);
  }
});

test('the Worker answers a matching ETag with 304: strong, weak, in a list or as an asterisk', async () => {
  const { ask } = await workerOf('current', '');
  for (const tags of ['"/sites.json"', 'W/"/sites.json"', '"other", "/sites.json"', '*']) {
    const response = await ask('/sites', { headers: { 'If-None-Match': tags } });
    expect([tags, response.status, response.headers.get('ETag')]).toEqual([tags, 304, '"/sites.json"']);
    expect(response.headers.get('Cache-Control')).toBe(CACHE_CONTROL.mutable);
  }
  expect((await ask('/sites', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
});

test('the Worker leaves paths outside the prefix to the assets', async () => {
  const { ask } = await workerOf('current', '/api/v1');
  const outside = await ask('/../../index.html');
  expect([outside.status, await outside.text()]).toEqual([404, 'no /index.html']);
});
