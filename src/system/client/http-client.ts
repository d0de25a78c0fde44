/** Asking a server over HTTP exactly what is to be asked: bounded in time, in size and in rate. */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ProbeRequest, ProbeResponse, SendRequest } from '../../core/api/http-exchange.ts';
import { Failure, fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { grouped } from '../../core/diagnostics/words.ts';
import { certain } from '../../core/platform/certain.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { withoutTrailing } from '../../core/platform/text.ts';

export interface HttpClientOptions {
  readonly base: string;
  /** Requests per second at the most; 0 for no bound. */
  readonly rate: number;
  /** How long an answer may take as a whole. */
  readonly timeoutMs: number;
  readonly connections?: number;
  /** In bytes; as many as a listing may have unless told. */
  readonly largestBody?: number;
}

export interface HttpClient {
  readonly ask: SendRequest;
  readonly close: () => void;
}

export function httpClient(options: HttpClientOptions): HttpClient {
  const { base, rate, timeoutMs, connections = 1, largestBody = LISTING_BYTES } = options;
  const url = parseBase(base);
  const isSecure = url.protocol === 'https:';
  const kept = { keepAlive: true, maxSockets: connections };
  const agent = isSecure ? new HttpsAgent(kept) : new HttpAgent(kept);
  const prefix = withoutTrailing(url.pathname, '/');
  const gap = rate > 0 ? 1000 / rate : 0;
  let next = 0;
  const ask = async (asked: ProbeRequest): Promise<ProbeResponse> => {
    const wait = next - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    next = performance.now() + gap;
    return await exchange({ url, agent, isSecure, asked, timeoutMs, largestBody, path: prefix + asked.path });
  };
  return { ask, close: () => agent.destroy() };
}

export function parseBase(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return fail(finding('bad-url', { url: base }));
  return url;
}

interface Exchange {
  readonly url: URL;
  readonly agent: HttpAgent;
  readonly isSecure: boolean;
  readonly path: string;
  readonly asked: ProbeRequest;
  readonly timeoutMs: number;
  readonly largestBody: number;
}

/** What a request target may be made of (RFC 9112, section 3.2), and what Node sends. */
const SENDABLE = /^[!-~]+$/;

function exchange(given: Exchange): Promise<ProbeResponse> {
  const { url, agent, isSecure, path, asked, timeoutMs, largestBody } = given;
  const { method = 'GET', headers = {} } = asked;
  return new Promise((resolve, reject) => {
    const shown = `${url.origin}${path}`;
    const refuse = (error: Error | string) => {
      const reason = typeof error === 'string' ? error : error.message;
      const found =
        error instanceof TooLarge
          ? finding('too-large', { file: shown, reason, limit: undefined })
          : finding('no-answer', { url: shown, reason });
      reject(new Failure([found]));
    };
    // Who asks may have the path from a document of others.
    if (!SENDABLE.test(path)) return refuse('its path has characters that no request can have');
    const send = isSecure ? httpsRequest : httpRequest;
    const options = {
      agent,
      method,
      path,
      headers: { Accept: '*/*', ...headers },
      host: hostName(url),
      port: url.port || undefined,
    };
    // A server that sends a byte now and then is never idle: only the whole can be bounded.
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), timeoutMs);
    const outgoing = send(options, (response) => collect(response, largestBody, resolve, refuse));
    outgoing.on('error', (error) => {
      // The server may have closed a connection while it was idle: what only reads is asked again, on another one.
      if (outgoing.reusedSocket && isReset(error) && READING.has(method)) resolve(exchange(given));
      else refuse(error);
    });
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.end();
  });
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET';
}

function hostName(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** More than is read, which another try would not make less. */
class TooLarge extends Error {}

function collect(
  response: IncomingMessage,
  largestBody: number,
  resolve: (response: ProbeResponse) => void,
  refuse: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largestBody)
      response.destroy(new TooLarge(`the response has more than the ${grouped(largestBody)} bytes that are read`));
    else chunks.push(chunk);
  });
  response.on('error', refuse);
  response.on('end', () => {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers))
      headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
    resolve({ status: certain(response.statusCode), headers, body: Buffer.concat(chunks) });
  });
}
