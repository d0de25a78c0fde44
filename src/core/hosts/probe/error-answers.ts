/** The checks of what is no document: a miss is 404 whatever its path, and only GET and HEAD are allowed. */

import { PROBLEM_MEDIA_TYPE } from '../../api/dialect.ts';
import {
  jsonOf,
  mediaTypeOf,
  type ProbeRequest,
  type ProbeResponse,
  type SendRequest,
} from '../../api/http-exchange.ts';
import { isWithoutAnswer } from '../../diagnostics/failure.ts';
import { isJsonObject } from '../../model/json.ts';
import { PREFLIGHT_HEADERS } from '../../tree/headers.ts';
import { tombstoneFile } from '../../tree/layout.ts';
import { answeredForms, FORM_ENDS } from '../../tree/url-forms.ts';
import { type Check, expectNoCache, type Probing } from './probing.ts';
import { hrefOf } from './sample.ts';

export const checkMisses: Check = async ({ ask, sample, fails }) => {
  const inSnapshot = sample.paths.find(({ endpoint }) => endpoint.inSnapshot)?.url;
  const noForms = sample.raw.flatMap(({ url }) => FORM_ENDS.filter(Boolean).map((end) => url + end));
  for (const path of [...missingPaths(inSnapshot), ...noForms]) {
    const shown = path.length > LONGEST_SHOWN ? `${path.slice(0, 40)}… (${path.length} characters)` : path;
    expectProblem(await ask({ path }), 404, shown, fails);
  }
  for (const path of sample.gone.map((url) => `/${tombstoneFile(url)}`))
    expectProblem(await ask({ path }), 404, path, fails);
  for (const path of MALFORMED) {
    const { status } = await ask({ path });
    if (status !== 400 && status !== 404) fails(path, `answers ${status}, not 404 or 400`);
  }
  await expectProblemHead(ask, 404, '/nope', fails);
};

/** Expects the status and media type of a problem document for HEAD. */
async function expectProblemHead(
  ask: SendRequest,
  status: number,
  path: string,
  fails: Probing['fails'],
): Promise<void> {
  const head = await ask({ path, method: 'HEAD' });
  if (head.status !== status) fails(`HEAD ${path}`, `answers ${head.status}, not ${status}`);
  else if (mediaTypeOf(head) !== PROBLEM_MEDIA_TYPE)
    fails(`HEAD ${path}`, `is ${status} as ${mediaTypeOf(head) || 'no media type'}`);
}

export const checkMethods: Check = async ({ ask, sample, fails }) => {
  const sampled = [...sample.paths.slice(0, 3), ...sample.raw].map(({ url }) => url);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of [...sampled, ...sample.latest.slice(0, 1)]) {
      const response = await ask({ path, method });
      expectProblem(response, 405, `${method} ${path}`, fails);
      if (response.status === 405 && !response.headers['allow']?.includes('GET'))
        fails(`${method} ${path}`, 'is 405 without Allow');
    }
  }
};

/** Expects a problem document with this status, and nothing about caches. */
function expectProblem(response: ProbeResponse, status: number, request: string, fails: Probing['fails']): void {
  const problem = jsonOf(response);
  if (response.status !== status) {
    fails(request, `answers ${response.status}, not ${status}`);
  } else if (mediaTypeOf(response) !== PROBLEM_MEDIA_TYPE) {
    fails(request, `is ${status} as ${mediaTypeOf(response) || 'no media type'}`);
  } else if (!isJsonObject(problem) || typeof problem['detail'] !== 'string') {
    fails(request, 'has no detail in its problem document');
  } else expectNoCache(response, request, fails);
}

/** Longer paths are told by their beginnings. */
const LONGEST_SHOWN = 160;

/** Names that no resource has: unknown, too long, escaped, with characters that mean something to a server. */
const ODD = [
  'nope',
  'nope/',
  'nope.json',
  'nope/index.json',
  'nope.json.json',
  'x'.repeat(300),
  `${'x'.repeat(300)}.json`,
  'a%2Fb',
  'a%20b',
  '%E2%82%AC',
  'site*',
  '%5Bs%5Dites',
];

/** Paths that a server may as well refuse as no paths at all. */
const MALFORMED = ['/nope%0A', '/sites%0A', '/sites%00', '/%zz', '/sites%'];

function missingPaths(snapshot: string | undefined): string[] {
  const prefixes = ['/', '/sites/', '/versions/', ...(snapshot === undefined ? [] : [`${snapshot}/`])];
  return [
    ...prefixes.flatMap((prefix) => ODD.map((name) => prefix + name)),
    '//nope',
    '/sites//nope',
    '/./nope',
    '/sites/../nope',
    `/versions/${'0'.repeat(40)}`,
    // What is near a document that there is.
    '/SITES',
    '/INDEX.JSON',
    '/versions/LATEST',
    '/sites.json/',
    '/sites.json.json',
    '/sites.json.gz',
    '/sites/.json',
    '/versions/latest/nope',
    // Files of the tree that are no documents, or could be taken for one.
    '/index',
    '/sites/index',
    '/404',
    '/404.json',
    '/405',
    '/405.json',
    '/_pretty',
    '/_pretty/sites',
    '/_pretty/sites.json',
    '/%5Fpretty/sites.json',
    '/_hosts',
    '/_hosts/',
    '/_gone',
    '/_gone/',
    '/.git/config',
  ];
}

/** What a tombstone has in common with a miss. */
const COMMON = ['allow', 'vary', 'link', 'access-control-allow-origin', 'x-content-type-options'];

export const checkGone: Check = async ({ ask, sample, fails }) => {
  const miss = await ask({ path: '/nope' });
  for (const url of sample.gone) {
    for (const form of answeredForms(url)) {
      const response = await ask({ path: form });
      expectProblem(response, 410, form, fails);
      if (response.status !== 410) continue;
      for (const name of COMMON) {
        if (response.headers[name] !== miss.headers[name]) fails(form, `has another ${name} than a miss`);
      }
      const tombstone = jsonOf(response);
      const uid = url.slice(url.lastIndexOf('/') + 1);
      if (!isJsonObject(tombstone) || tombstone['uid'] !== uid) fails(form, 'is not its own tombstone');
      else {
        const href = hrefOf(tombstone, 'version-history');
        const history = href === undefined ? undefined : await ask({ path: href });
        if (history?.status !== 200) fails(form, `leads to no history: ${href ?? 'no link'}`);
      }
    }
    await expectProblemHead(ask, 410, url, fails);
  }
};

/** What a browser asks before it lets a page of another origin send a header (Fetch, section 4.8). */
const PREFLIGHT = {
  Origin: 'https://pages.example.org',
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'if-none-match,x-rack-prettyjson',
} as const;

export const checkPreflight: Check = async ({ ask, sample, fails }) => {
  const sampled = [...sample.paths.slice(0, 3), ...sample.raw].map(({ url }) => url);
  for (const path of [...sampled, ...sample.latest.slice(0, 1)]) {
    const request = `OPTIONS ${path}`;
    const { status, headers, body } = await ask({ path, method: 'OPTIONS', headers: PREFLIGHT });
    if (status !== 204) {
      fails(request, `answers ${status}, not 204`);
      continue;
    }
    if (body.length > 0) fails(request, 'has a body');
    for (const name of ['allow', 'access-control-allow-headers']) {
      const wanted = Object.entries(PREFLIGHT_HEADERS).find(([header]) => header.toLowerCase() === name)?.[1];
      const missing = (wanted ?? '').split(', ').filter((each) => !isListed(each, headers[name] ?? ''));
      if (missing.length > 0) fails(request, `has ${name}: ${headers[name] ?? 'none'}, without ${missing.join(', ')}`);
    }
    const origin = headers['access-control-allow-origin'];
    if (origin !== '*') fails(request, `has access-control-allow-origin: ${origin ?? 'none'}, not *`);
  }
};

function isListed(wanted: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/\s*,\s*/)
    .includes(wanted.toLowerCase());
}

interface Refusable extends ProbeRequest {
  readonly request: string;
  /** What may be answered. */
  readonly statuses: readonly number[];
}

/** Longer than the line of a request may be on most servers. */
const LONG_QUERY = 10_000;

const REFUSABLE: readonly Refusable[] = [
  { request: '/%zz', path: '/%zz', statuses: [400, 404] },
  {
    request: '/ with two lines of If-None-Match',
    path: '/',
    headers: { 'If-None-Match': ['"a"', '"b"'] },
    statuses: [200, 400],
  },
  { request: '/ with If-Match', path: '/', headers: { 'If-Match': '"other"' }, statuses: [412, 200] },
  {
    request: '/ with a Range beyond its end',
    path: '/',
    headers: { Range: 'bytes=1000000000-' },
    statuses: [416, 200],
  },
  {
    request: `/ with a query of ${LONG_QUERY} characters`,
    path: `/?${'q'.repeat(LONG_QUERY)}`,
    statuses: [200, 414, 431],
  },
  { request: 'TRACE /', path: '/', method: 'TRACE', statuses: [405, 501] },
];

export const checkRefusals: Check = async ({ ask, fails }) => {
  for (const { request, statuses, ...asked } of REFUSABLE) {
    const response = await answerOf(ask, asked);
    if (!response) {
      fails(request, 'is not answered');
      continue;
    }
    const { status, headers, body } = response;
    if (!statuses.includes(status)) fails(request, `answers ${status}, not ${statuses.join(' or ')}`);
    else if (status >= 400 && body.length > 0) {
      const problem = jsonOf(response);
      if (mediaTypeOf(response) !== PROBLEM_MEDIA_TYPE)
        fails(request, `is ${status} as ${mediaTypeOf(response) || 'no media type'}`);
      else if (!isJsonObject(problem) || problem['status'] !== status)
        fails(request, 'has a problem document of another status');
    }
    const origin = headers['access-control-allow-origin'] ?? '*';
    if (origin !== '*') fails(request, `has access-control-allow-origin: ${origin}, not * once`);
  }
};

/** Undefined where there is no answer: some servers hang up on what they refuse, or keep silent. */
async function answerOf(ask: SendRequest, asked: ProbeRequest): Promise<ProbeResponse | undefined> {
  try {
    return await ask(asked);
  } catch (error) {
    if (isWithoutAnswer(error)) return undefined;
    throw error;
  }
}
