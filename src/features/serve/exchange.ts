import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { isIP } from 'node:net';
import { PROBLEM_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { BAD_REQUEST, HEADERS_TOO_LARGE, METHOD_NOT_ALLOWED, VERSION_NOT_SUPPORTED } from '../../core/api/problem.ts';
import { commonHeaders } from '../../core/tree/headers.ts';
import { withoutRepeatedPrefixes } from '../../core/tree/url-forms.ts';
import type { OpenTrees } from './served-tree.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly trees: OpenTrees;
  readonly host: string;
}

type Headers = Readonly<Record<string, string>>;

export function sendWhole(
  { request, response }: Exchange,
  status: number,
  headers: Headers,
  body: string | Buffer,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function sendProblem(exchange: Exchange, status: number, body: string, extra: Headers = {}): void {
  sendWhole(exchange, status, { ...responseHeaders(exchange), ...extra, 'Content-Type': PROBLEM_MEDIA_TYPE }, body);
}

export function redirect(exchange: Exchange, location: string, status = 307, extra: Headers = {}): void {
  sendEmpty(exchange, status, { ...responseHeaders(exchange), ...extra, Location: location, 'Content-Length': '0' });
}

export function sendEmpty({ response }: Exchange, status: number, headers: Headers): void {
  response.writeHead(status, headers).end();
}

/** Returns the response to a request that the HTTP parser rejects. `code` is the parser's error code. */
export function rejection(trees: OpenTrees, code: string | undefined): string {
  const [status, body] = REJECTIONS[code ?? ''] ?? ([400, BAD_REQUEST] as const);
  const headers = {
    ...responseHeaders({ trees }),
    'Content-Type': PROBLEM_MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

const REJECTIONS: Readonly<Record<string, readonly [status: number, body: string]>> = {
  HPE_INVALID_METHOD: [405, METHOD_NOT_ALLOWED],
  HPE_HEADER_OVERFLOW: [431, HEADERS_TOO_LARGE],
  HPE_INVALID_VERSION: [505, VERSION_NOT_SUPPORTED],
};

export function responseHeaders({ trees }: Pick<Exchange, 'trees'>): Headers {
  const { dialect, hasExplorer, settings } = trees.current();
  return commonHeaders({ dialect, hasExplorer, ...settings });
}

interface Validators {
  readonly etag: string;
  /** The modification time in epoch seconds. */
  readonly modified: number;
}

export function isPreconditionFailed(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const wanted = headers['if-match'];
  if (wanted !== undefined) return !tagsIn(wanted).some((tag) => tag === '*' || tag === etag);
  const since = Date.parse(headers['if-unmodified-since'] ?? '');
  return Number.isFinite(since) && since < modified * 1000;
}

export function isNotModified(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return tagsIn(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return since === modified * 1000;
}

function tagsIn(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}

interface RequestTarget {
  /** The path without the base path. Percent-encoded characters stay encoded. */
  readonly pathname: string;
  readonly query: string;
  /** The base path if the request path begins with it. Otherwise empty. */
  readonly before: string;
}

/** Matches the scheme and authority of an absolute request target. Servers must accept this form (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Splits the target of a request. `isThere` returns true for paths of documents. */
export function targetOf(sent: string, basePath: string, isThere: (url: string) => boolean): RequestTarget {
  const target = sent.replace(ORIGIN, '');
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return {
    pathname: withoutRepeatedPrefixes(path, basePath, isThere) || '/',
    query: at < 0 ? '' : target.slice(at + 1),
    before: `${path}/`.startsWith(`${basePath}/`) ? basePath : '',
  };
}

/** Whether a host is a name or an address of this machine (RFC 6761, section 6.3; RFC 1122; RFC 4291). */
function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  if (isIP(name) === 6) return name === '::1' || name.startsWith('::ffff:127.');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Prevents DNS rebinding. A server that listens only on this machine rejects the names of other hosts. */
export function isOwnHost(host: string | undefined, listening: string): boolean {
  return !isLoopback(listening) || host === undefined || isLoopback(host.replace(/:\d*$/, ''));
}
