/** The checks of what servers answer by themselves: who asks what is allowed, and requests that they refuse. */
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
import type { Check } from './probing.ts';

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
