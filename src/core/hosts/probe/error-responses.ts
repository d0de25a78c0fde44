import { PROBLEM_MEDIA_TYPE } from '../../api/dialect.ts';
import {
  jsonOf,
  mediaTypeOf,
  type ProbeRequest,
  type ProbeResponse,
  type SendRequest,
} from '../../api/http-exchange.ts';
import { isMissingResponse } from '../../diagnostics/finding.ts';
import { isJsonObject } from '../../model/json.ts';
import { PREFLIGHT_HEADERS } from '../../tree/headers.ts';
import { tombstoneFile } from '../../tree/layout.ts';
import { answeredForms, FORM_ENDS } from '../../tree/url-forms.ts';
import { type Check, expectNoCache, NOT_ANSWERED, type Probing, someUrls } from './probing.ts';
import { hrefOf } from './sample.ts';

export const checkMisses: Check = async ({ ask, sample, report }) => {
  const noForms = sample.raw.flatMap(({ url }) => FORM_ENDS.filter(Boolean).map((end) => url + end));
  const tombstones = sample.gone.map((url) => `/${tombstoneFile(url)}`);
  for (const path of [...missingPaths(sample.snapshot), ...noForms, ...tombstones]) {
    const shown = path.length > LONGEST_SHOWN ? `${path.slice(0, 40)}… (${path.length} characters)` : path;
    expectProblem(await ask({ path }), 404, shown, report);
  }
  for (const path of MALFORMED) {
    const { status } = await ask({ path });
    if (status !== 400 && status !== 404) report(path, `answers ${status}, not 404 or 400`);
  }
  await expectProblemHead(ask, 404, '/nope', report);
};

function problemFault(response: ProbeResponse, status: number): string | undefined {
  if (response.status !== status) return `answers ${response.status}, not ${status}`;
  const type = mediaTypeOf(response);
  return type === PROBLEM_MEDIA_TYPE ? undefined : `is ${status} as ${type || 'no media type'}`;
}

async function expectProblemHead(ask: SendRequest, status: number, path: string, report: Probing['report']) {
  const fault = problemFault(await ask({ path, method: 'HEAD' }), status);
  if (fault !== undefined) report(`HEAD ${path}`, fault);
}

function expectProblem(response: ProbeResponse, status: number, request: string, report: Probing['report']): void {
  const fault = problemFault(response, status);
  const problem = jsonOf(response);
  if (fault !== undefined) report(request, fault);
  else if (!isJsonObject(problem) || typeof problem['detail'] !== 'string')
    report(request, 'has no detail in its problem document');
  else expectNoCache(response, request, report);
}

export const checkMethods: Check = async ({ ask, sample, report }) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of someUrls(sample)) {
      const response = await ask({ path, method });
      expectProblem(response, 405, `${method} ${path}`, report);
      if (response.status === 405 && !response.headers['allow']?.includes('GET'))
        report(`${method} ${path}`, 'is 405 without Allow');
    }
  }
};

/** The maximum length of a path in a message. Longer paths are abbreviated. */
const LONGEST_SHOWN = 160;

/** Names that no resource has: unknown names, long names, escaped names, and names with special characters. */
const ODD = [
  ...['nope', 'nope/', 'nope.json', 'nope/index.json', 'nope.json.json'],
  ...['x'.repeat(300), `${'x'.repeat(300)}.json`],
  ...['a%2Fb', 'a%20b', '%E2%82%AC', 'site*', '%5Bs%5Dites'],
];

/** Some servers reject malformed paths, such as paths with control characters, before they look for a file. */
const MALFORMED = ['/nope%0A', '/sites%0A', '/sites%00', '/%zz', '/sites%'];

function missingPaths(snapshot: string | undefined): string[] {
  const prefixes = ['/', '/sites/', '/versions/', ...(snapshot === undefined ? [] : [`${snapshot}/`])];
  return [
    ...prefixes.flatMap((prefix) => ODD.map((name) => prefix + name)),
    ...['//nope', '/sites//nope', '/./nope', '/sites/../nope', `/versions/${'0'.repeat(40)}`],
    ...['/SITES', '/INDEX.JSON', '/versions/LATEST', '/sites.json/', '/sites.json.json', '/sites.json.gz'],
    ...['/sites/.json', '/versions/latest/nope'],
    // Paths of files that are not documents.
    ...['/index', '/sites/index', '/404', '/404.json', '/405', '/405.json'],
    ...['/_pretty', '/_pretty/sites', '/_pretty/sites.json', '/%5Fpretty/sites.json'],
    ...['/_hosts', '/_hosts/', '/_gone', '/_gone/', '/.git/config'],
  ];
}

const COMMON = ['allow', 'vary', 'link', 'access-control-allow-origin', 'x-content-type-options'];

export const checkGone: Check = async ({ ask, sample, report }) => {
  const miss = await ask({ path: '/nope' });
  for (const url of sample.gone) {
    for (const form of answeredForms(url)) {
      const response = await ask({ path: form });
      expectProblem(response, 410, form, report);
      if (response.status !== 410) continue;
      for (const name of COMMON) {
        if (response.headers[name] !== miss.headers[name]) report(form, `has another ${name} than a miss`);
      }
      const tombstone = jsonOf(response);
      const uid = url.slice(url.lastIndexOf('/') + 1);
      if (!isJsonObject(tombstone) || tombstone['uid'] !== uid) {
        report(form, 'is not its own tombstone');
        continue;
      }
      const href = hrefOf(tombstone, 'version-history');
      const history = href === undefined ? undefined : await ask({ path: href });
      if (history?.status !== 200) report(form, `leads to no history: ${href ?? 'no link'}`);
    }
    await expectProblemHead(ask, 410, url, report);
  }
};

/** A browser sends a preflight request to ask whether another origin may send a header (Fetch, section 4.8). */
const PREFLIGHT = {
  Origin: 'https://pages.example.org',
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'if-none-match,x-rack-prettyjson',
} as const;

export const checkPreflight: Check = async ({ ask, sample, report }) => {
  for (const path of someUrls(sample)) {
    const request = `OPTIONS ${path}`;
    const { status, headers, body } = await ask({ path, method: 'OPTIONS', headers: PREFLIGHT });
    if (status !== 204) {
      report(request, `answers ${status}, not 204`);
      continue;
    }
    if (body.length > 0) report(request, 'has a body');
    for (const name of ['allow', 'access-control-allow-headers']) {
      const wanted = Object.entries(PREFLIGHT_HEADERS).find(([header]) => header.toLowerCase() === name)?.[1];
      const listed = (headers[name] ?? '').toLowerCase().split(/\s*,\s*/);
      const missing = (wanted ?? '').split(', ').filter((each) => !listed.includes(each.toLowerCase()));
      if (missing.length > 0) report(request, `has ${name}: ${headers[name] ?? 'none'}, without ${missing.join(', ')}`);
    }
    const origin = headers['access-control-allow-origin'];
    if (origin !== '*') report(request, `has access-control-allow-origin: ${origin ?? 'none'}, not *`);
  }
};

interface RejectableRequest extends ProbeRequest {
  readonly request: string;
  readonly statuses: readonly number[];
}

/** The length of a long query in characters. Most servers reject a request line of this length. */
const LONG_QUERY = 10_000;

/** A path of short segments that is longer than Linux allows (PATH_MAX). */
const LONG_PATH = `/${'segment/'.repeat(600)}`;

const REJECTABLE: readonly RejectableRequest[] = [
  { request: '/%ff', path: '/%ff', statuses: [400, 404] },
  { request: '/%00', path: '/%00', statuses: [400, 404] },
  { request: 'FOO /', path: '/', method: 'FOO', statuses: [400, 405, 501] },
  { request: 'a path of 4800 characters', path: LONG_PATH, statuses: [400, 404, 414, 431] },
  {
    request: '/ with a header of 9000 characters',
    path: '/',
    headers: { 'X-Long': 'x'.repeat(9000) },
    statuses: [200, 400, 431],
  },
  {
    request: '/ with If-Unmodified-Since',
    path: '/',
    headers: { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
    statuses: [412],
  },
  { request: '/%zz', path: '/%zz', statuses: [400, 404] },
  {
    request: '/ with two lines of If-None-Match',
    path: '/',
    headers: { 'If-None-Match': ['"a"', '"b"'] },
    statuses: [200, 400],
  },
  { request: '/ with If-Match', path: '/', headers: { 'If-Match': '"other"' }, statuses: [412] },
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

export const checkRefusals: Check = async ({ ask, report }) => {
  for (const { request, statuses, ...asked } of REJECTABLE) {
    const response = await responseOrUndefined(ask, asked);
    if (!response) {
      report(request, NOT_ANSWERED);
      continue;
    }
    const { status, headers, body } = response;
    if (!statuses.includes(status)) report(request, `answers ${status}, not ${statuses.join(' or ')}`);
    else if (status >= 400 && body.length > 0) {
      const problem = jsonOf(response);
      const fault = problemFault(response, status);
      if (fault !== undefined) report(request, fault);
      else if (!isJsonObject(problem) || problem['status'] !== status)
        report(request, 'has a problem document of another status');
    }
    if (status === 416 && headers['content-range'] === undefined) report(request, 'is 416 without Content-Range');
    const origin = headers['access-control-allow-origin'] ?? '*';
    if (origin !== '*') report(request, `has access-control-allow-origin: ${origin}, not * once`);
  }
};

/** Returns undefined without a response. Some servers close the connection or never respond. */
async function responseOrUndefined(ask: SendRequest, asked: ProbeRequest): Promise<ProbeResponse | undefined> {
  try {
    return await ask(asked);
  } catch (error) {
    if (isMissingResponse(error)) return undefined;
    throw error;
  }
}
