import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ProbeRequest, ProbeResponse, SendRequest } from '../../core/api/http-exchange.ts';
import { parseBase } from '../../core/client/parse-base.ts';
import { Failure, finding } from '../../core/diagnostics/finding.ts';
import { formatCount } from '../../core/diagnostics/words.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { assertDefined } from '../../core/platform/lookups.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { codeOf } from '../files/system-errors.ts';

interface HttpClientOptions {
  readonly base: string;
  /** The maximum number of requests per second. 0 means no limit. */
  readonly rate: number;
  /** The maximum time for a complete response, in milliseconds. */
  readonly timeoutMs: number;
  readonly connections?: number;
  /** The maximum size of a body, in bytes. */
  readonly largestBody?: number;
}

export interface HttpClient {
  readonly send: SendRequest;
  readonly close: () => void;
}

export function httpClient(options: HttpClientOptions): HttpClient {
  const { base, rate, timeoutMs, connections = 1, largestBody = LISTING_BYTES } = options;
  const url = parseBase(base);
  const pool = { keepAlive: true, maxSockets: connections };
  const agent = url.protocol === 'https:' ? new HttpsAgent(pool) : new HttpAgent(pool);
  const prefix = withoutTrailing(url.pathname, '/');
  const gap = rate > 0 ? 1000 / rate : 0;
  let next = 0;
  const send = async (asked: ProbeRequest): Promise<ProbeResponse> => {
    const wait = next - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    next = performance.now() + gap;
    return await exchange({ url, agent, asked, timeoutMs, largestBody, path: prefix + asked.path });
  };
  return { send, close: () => agent.destroy() };
}

interface Exchange {
  readonly url: URL;
  readonly agent: HttpAgent;
  readonly path: string;
  readonly asked: ProbeRequest;
  readonly timeoutMs: number;
  readonly largestBody: number;
}

/** Matches the characters that Node.js can send in a request target (RFC 9112, section 3.2). */
export const TARGET_PATTERN = /^[!-~]+$/;

function exchange(given: Exchange): Promise<ProbeResponse> {
  const { url, agent, path, asked, timeoutMs, largestBody } = given;
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
    // Checks the path, because the path can come from a foreign document.
    if (!TARGET_PATTERN.test(path)) return refuse('its path has characters that no request can have');
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const options = {
      agent,
      method,
      path,
      headers: { Accept: '*/*', ...headers },
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || undefined,
    };
    // Limits the time of the whole response, because a slow server can keep a connection active.
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), timeoutMs);
    const outgoing = send(options, (response) => collect(response, largestBody, resolve, refuse));
    outgoing.on('error', (error) => {
      // Repeats safe requests on a new connection, because the server may have closed an idle connection.
      if (outgoing.reusedSocket && codeOf(error) === 'ECONNRESET' && SAFE_METHODS.has(method)) resolve(exchange(given));
      else refuse(error);
    });
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      refuse('it asks for another protocol (status 101)');
    });
    outgoing.on('close', () => {
      clearTimeout(timer);
      // `setImmediate` lets the response report its own error first.
      setImmediate(refuse, 'it closed the connection');
    });
    outgoing.end();
  });
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The error for a response that exceeds the maximum size. A retry would fail, too. */
class TooLarge extends Error {}

/** A server can send chunks of one byte, and each chunk takes more than a hundred bytes of memory. */
const MOST_LOOSE_CHUNKS = 1024;

function collect(
  response: IncomingMessage,
  largestBody: number,
  resolve: (response: ProbeResponse) => void,
  refuse: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let loose = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largestBody) {
      response.destroy(new TooLarge(`the response has more than the ${formatCount(largestBody)} bytes that are read`));
      return;
    }
    chunks.push(chunk);
    loose++;
    if (loose < MOST_LOOSE_CHUNKS) return;
    chunks.push(Buffer.concat(chunks.splice(-loose)));
    loose = 0;
  });
  response.on('error', refuse);
  response.on('end', () => {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers))
      headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
    resolve({ status: assertDefined(response.statusCode), headers, body: Buffer.concat(chunks) });
  });
}
