/**
 * Getting the documents of a service over HTTP within bounds: a few requests at once and so many in all, each so long
 * and so large; tried again after failures that may pass. Redirects are followed on the same server, and no other server
 * is ever asked.
 */

import { jsonOf, type ProbeResponse } from '../../core/api/http-exchange.ts';
import type { ApiReader, FetchedDocument } from '../../core/client/pinned-reader.ts';
import { Failure, fail, isWithoutAnswer } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { tooLarge } from '../../core/diagnostics/words.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { httpClient, parseBase } from './http-client.ts';
import { type Tried, withRetries } from './retry.ts';

export interface ApiOverHttpOptions {
  /** With or without a path of its own, with or without a slash at its end. */
  readonly base: string;
  readonly timeoutMs: number;
  /** The most requests in all, those that are tried again included. */
  readonly limit: number;
  /** How long the first pause before another try is, about; each next is twice as long. */
  readonly pauseMs?: number;
  /** In bytes. */
  readonly largestBody?: number;
  /** The media types that are asked for; by default any, JSON the most. */
  readonly accept?: string;
}

export interface FetchedBytes {
  readonly url: string;
  /** The path that answered, after redirects. */
  readonly path: string;
  readonly status: number;
  readonly body: Uint8Array;
  /** The server's clock as it answered, in epoch seconds; this one's where it does not say. */
  readonly now: number;
}

export interface ApiOverHttp extends PublishedApi {
  /** What a path of the server itself answers: no redirect is followed. */
  readonly answer: (path: string) => Promise<ProbeResponse>;
  /** What a path answers, whatever it is: after redirects, and with its status. */
  readonly fetch: (target: string) => Promise<FetchedBytes>;
}

export interface PublishedApi extends ApiReader {
  readonly rootPath: string;
  /** From now on, caches are asked for what is there now. */
  readonly refresh: () => void;
  readonly close: () => void;
}

const AT_ONCE = 4;
const TRIES = 4;
const PAUSE_MS = 500;
/** The longest that a server may ask to be left alone for. */
const LONGEST_PAUSE_MS = 30_000;
const MOST_REDIRECTS = 5;
const NOT_THERE = [404, 410];
const REDIRECTS = [301, 302, 303, 307, 308];
const PASSING = [429, 500, 502, 503, 504];
const ACCEPT = 'application/json, */*;q=0.5';

export function apiOverHttp(options: ApiOverHttpOptions): ApiOverHttp {
  const { timeoutMs, limit, pauseMs = PAUSE_MS, largestBody, accept = ACCEPT } = options;
  const { origin, pathname } = parseBase(options.base);
  const bounds = largestBody === undefined ? {} : { largestBody };
  const asking = httpClient({ base: origin, rate: 0, timeoutMs, connections: AT_ONCE, ...bounds });
  const inTurn = atMost(AT_ONCE);
  let requests = 0;
  let headers: Readonly<Record<string, string>> = { Accept: accept };

  const once = async (path: string): Promise<ProbeResponse> => {
    requests++;
    if (requests > limit) return fail(finding('site-requests', { limit }));
    return await asking.ask({ path, headers });
  };
  const again = (path: string, tried: Tried<ProbeResponse>, tries: number): number | undefined => {
    if (tries >= TRIES || !mayPass(tried)) return undefined;
    const asked = 'value' in tried ? retryAfterMs(tried.value, Date.now()) : 0;
    if (asked > LONGEST_PAUSE_MS) fail(finding('site-busy', { url: origin + path, seconds: Math.ceil(asked / 1000) }));
    return asked;
  };
  const ask = (path: string): Promise<ProbeResponse> =>
    inTurn(() => withRetries(() => once(path), { again: (tried, tries) => again(path, tried, tries), pauseMs }));
  const pathOf = (target: string, from: string): string => {
    const url = URL.canParse(target, origin + from) ? new URL(target, origin + from) : undefined;
    if (url?.origin !== origin) return fail(finding('site-other-origin', { url: origin + from, target }));
    return url.pathname + url.search;
  };
  const answerAt = async (target: string) => {
    const first = pathOf(target, pathname);
    let path = first;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
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
    if (NOT_THERE.includes(answer.status)) return undefined;
    if (answer.status !== 200) return fail(finding('site-status', { url, status: answer.status }));
    const { length } = answer.body;
    if (length > DOCUMENT_BYTES)
      return fail(finding('too-large', { file: url, reason: tooLarge(length, DOCUMENT_BYTES), limit: undefined }));
    const body = jsonOf(answer);
    return isJsonObject(body) ? { url, path, body } : fail(finding('site-not-json', { url }));
  };
  const fetch = async (target: string): Promise<FetchedBytes> => {
    const { url, path, answer } = await answerAt(target);
    return { url, path, status: answer.status, body: answer.body, now: clockOf(answer) };
  };
  return {
    get,
    fetch,
    answer: ask,
    shown: (target) => origin + pathOf(target, pathname),
    rootPath: `${withoutTrailing(pathname, '/')}/`,
    refresh: () => {
      headers = { ...headers, 'Cache-Control': 'no-cache' };
    },
    close: asking.close,
  };
}

/** Whether another try may give more: after some statuses, and where there was no connection or no answer in time. */
function mayPass(tried: Tried<ProbeResponse>): boolean {
  if ('value' in tried) return PASSING.includes(tried.value.status);
  return isWithoutAnswer(tried.error);
}

/** How long a server asks to wait (RFC 9110, 10.2.3): seconds or a date; 0 when it does not say. */
export function retryAfterMs({ headers }: Pick<ProbeResponse, 'headers'>, now: number): number {
  const said = headers['retry-after'] ?? '';
  if (/^\d+$/.test(said)) return Number(said) * 1000;
  const date = Date.parse(said);
  return Number.isFinite(date) ? Math.max(0, date - now) : 0;
}

function clockOf({ headers }: Pick<ProbeResponse, 'headers'>): number {
  const said = Date.parse(headers['date'] ?? '');
  return (Number.isFinite(said) ? said : Date.now()) / 1000;
}

/** Lets so many calls run at once; the others wait for their turn. */
function atMost(most: number): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Does what asks for a whole tree: what a lock is told when there are too many requests does not fit there. */
export async function withinLimit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const [first] = error instanceof Failure ? error.findings : [];
    if (first?.code === 'site-requests') return fail(finding('verify-requests', first.args));
    throw error;
  }
}
