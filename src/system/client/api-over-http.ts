/** Reads an API over HTTP. Follows a redirect only if it stays on the server. */

import { jsonOf, type ProbeResponse } from '../../core/api/http-exchange.ts';
import { parseBase } from '../../core/client/parse-base.ts';
import type { ApiReader, FetchedDocument } from '../../core/client/pinned-reader.ts';
import { Failure, fail, finding, isMissingResponse } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { concurrencyLimit } from '../../core/platform/concurrency-limit.ts';
import { DOCUMENT_BYTES, FILE_BYTES } from '../../core/platform/limits.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { httpClient, TARGET_PATTERN } from './http-client.ts';
import { retryAfterMs, type Tried, withRetries } from './retry.ts';

interface ApiOverHttpOptions {
  /** The base URL. The path and the slash at the end are optional. */
  readonly base: string;
  readonly timeoutMs: number;
  /** The maximum number of requests, including retries. */
  readonly maxRequests: number;
  /** The approximate pause before the first retry, in milliseconds. The pause doubles for each further retry. */
  readonly pauseMs?: number;
  /** The maximum size of a body, in bytes. */
  readonly largestBody?: number;
  /** The Accept header. By default, the header prefers JSON. */
  readonly accept?: string;
}

export interface FetchedBytes {
  readonly url: string;
  readonly path: string;
  readonly status: number;
  readonly body: Uint8Array;
  /** The time of the server's Date header in epoch seconds, or else the local time. */
  readonly now: number;
}

export interface ApiOverHttp extends PublishedApi {
  /** Requests a path without following redirects. */
  readonly answer: (path: string) => Promise<ProbeResponse>;
  /** Follows redirects, and returns the response even if its status is an error. */
  readonly fetch: (target: string) => Promise<FetchedBytes>;
}

export interface PublishedApi extends ApiReader {
  readonly rootPath: string;
  readonly refresh: () => void;
  readonly close: () => void;
}

const MAX_CONCURRENT = 4;
const MAX_ATTEMPTS = 4;
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const MAX_REDIRECTS = 5;
export const MISSING_STATUSES = [404, 410];
const REDIRECTS = [301, 302, 303, 307, 308];
const TRANSIENT_STATUSES = [429, 500, 502, 503, 504];
const ACCEPT = 'application/json, */*;q=0.5';

export function apiOverHttp(options: ApiOverHttpOptions): ApiOverHttp {
  const { timeoutMs, maxRequests, pauseMs = PAUSE_MS, largestBody, accept = ACCEPT } = options;
  const { origin, pathname } = parseBase(options.base);
  const rootPath = `${withoutTrailing(pathname, '/')}/`;
  const bounds = largestBody === undefined ? {} : { largestBody };
  const asking = httpClient({ base: origin, rate: 0, timeoutMs, connections: MAX_CONCURRENT, ...bounds });
  const inTurn = concurrencyLimit(MAX_CONCURRENT);
  let requests = 0;
  let headers: Readonly<Record<string, string>> = { Accept: accept };

  const once = async (path: string): Promise<ProbeResponse> => {
    requests++;
    if (requests > maxRequests) return fail(finding('site-requests', { limit: maxRequests }));
    return await asking.send({ path, headers });
  };
  const again = (path: string, tried: Tried<ProbeResponse>, tries: number): number | undefined => {
    if (tries >= MAX_ATTEMPTS || !isTransient(tried) || !TARGET_PATTERN.test(path)) return undefined;
    const asked = 'value' in tried ? retryAfterMs(tried.value.headers['retry-after'], Date.now()) : 0;
    if (asked > LONGEST_PAUSE_MS) fail(finding('site-busy', { url: origin + path, seconds: Math.ceil(asked / 1000) }));
    return asked;
  };
  const ask = (path: string): Promise<ProbeResponse> =>
    inTurn(() => withRetries(() => once(path), { nextDelay: (tried, tries) => again(path, tried, tries), pauseMs }));
  const pathOf = (target: string, from: string): string => {
    const url = URL.canParse(target, origin + from) ? new URL(target, origin + from) : undefined;
    if (url?.origin !== origin) return fail(finding('site-other-origin', { url: origin + from, target }));
    return url.pathname + url.search;
  };
  const answerAt = async (target: string) => {
    const first = pathOf(target, pathname);
    let path = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await ask(path);
      const url = origin + path;
      const location = answer.headers['location'];
      if (REDIRECTS.includes(answer.status) && location !== undefined) {
        path = pathOf(location, path);
        continue;
      }
      return { url, path, answer };
    }
    return fail(finding('site-redirects', { url: origin + first }));
  };
  const get = async (target: string): Promise<FetchedDocument | undefined> => {
    const { url, path, answer } = await answerAt(target);
    if (MISSING_STATUSES.includes(answer.status)) return undefined;
    if (answer.status !== 200) return fail(finding('site-status', { url, status: answer.status }));
    const { length } = answer.body;
    const most = path === rootPath ? FILE_BYTES : DOCUMENT_BYTES;
    if (length > most)
      return fail(finding('too-large', { file: url, reason: tooLargeReason(length, most), limit: undefined }));
    const body = jsonOf(answer);
    return isJsonObject(body) ? { url, path, body, size: length } : fail(finding('site-not-json', { url }));
  };
  const fetch = async (target: string): Promise<FetchedBytes> => {
    const { url, path, answer } = await answerAt(target);
    return { url, path, status: answer.status, body: answer.body, now: serverTime(answer) };
  };
  return {
    get,
    fetch,
    answer: ask,
    format: (target) => origin + pathOf(target, pathname),
    rootPath,
    refresh: () => {
      headers = { ...headers, 'Cache-Control': 'no-cache' };
    },
    close: asking.close,
  };
}

function isTransient(tried: Tried<ProbeResponse>): boolean {
  if ('value' in tried) return TRANSIENT_STATUSES.includes(tried.value.status);
  return isMissingResponse(tried.error);
}

function serverTime({ headers }: Pick<ProbeResponse, 'headers'>): number {
  const date = Date.parse(headers['date'] ?? '');
  return (Number.isFinite(date) ? date : Date.now()) / 1000;
}

/** Runs a verification. If it needs more requests than allowed, fails with a finding that suggests a remedy. */
export async function withinLimit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const [first] = error instanceof Failure ? error.findings : [];
    if (first?.code === 'site-requests') return fail(finding('verify-requests', first.args));
    throw error;
  }
}
