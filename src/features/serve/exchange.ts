import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { PROBLEM_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { commonHeaders, PREFLIGHT_HEADERS } from '../../core/tree/headers.ts';
import { singlePrefixes } from '../../core/tree/url-forms.ts';
import type { OpenTrees } from './served-tree.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly trees: OpenTrees;
  readonly host: string;
}

export function sendWhole(
  { request, response }: Exchange,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function sendProblem(
  exchange: Exchange,
  status: number,
  body: string,
  extra: Readonly<Record<string, string>> = {},
): void {
  sendWhole(exchange, status, { ...common(exchange), ...extra, 'Content-Type': PROBLEM_MEDIA_TYPE }, body);
}

export function redirect(
  exchange: Exchange,
  location: string,
  status = 307,
  extra: Readonly<Record<string, string>> = {},
): void {
  const headers = { ...common(exchange), ...extra, Location: location, 'Content-Length': 0 };
  exchange.response.writeHead(status, headers);
  exchange.response.end();
}

export function preflight(exchange: Exchange): void {
  exchange.response.writeHead(204, { ...common(exchange), ...PREFLIGHT_HEADERS });
  exchange.response.end();
}

export function common({ trees }: Exchange): Readonly<Record<string, string>> {
  const { dialect, hasExplorer, settings } = trees.known();
  return commonHeaders({ dialect, hasExplorer, ...settings });
}

interface Validators {
  readonly etag: string;
  /** Epoch seconds. */
  readonly modified: number;
}

/** Whether the document is another than the client must find. */
export function isRefused(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const wanted = headers['if-match'];
  if (wanted !== undefined) return !tagsIn(wanted).some((tag) => tag === '*' || tag === etag);
  const since = Date.parse(headers['if-unmodified-since'] ?? '');
  return Number.isFinite(since) && since < modified * 1000;
}

/** Whether the client has this very response already. */
export function isFresh(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return tagsIn(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && since >= modified * 1000;
}

function tagsIn(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}

interface RequestTarget {
  /** As it was sent, without what stands before every path. */
  readonly pathname: string;
  readonly query: string;
  /** What stood before the path: the base path, or nothing where the request left it out. */
  readonly before: string;
}

/** The scheme and the authority of the absolute form, which servers must take too (RFC 9112, section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** `isThere` tells whether a path is a document's. */
export function targetOf(sent: string, basePath: string, isThere: (url: string) => boolean): RequestTarget {
  const target = sent.replace(ORIGIN, '');
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return {
    pathname: singlePrefixes(path, basePath, isThere) || '/',
    query: at < 0 ? '' : target.slice(at + 1),
    before: `${path}/`.startsWith(`${basePath}/`) ? basePath : '',
  };
}

/** Whether a name or address leads to this machine alone (RFC 6761, section 6.3; RFC 1122; RFC 4291). */
function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  if (isIP(name) === 6) return name === '::1' || name.startsWith('::ffff:127.');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Whether a request is for a server that listens at `listening`: where that is this machine alone, its names only. */
export function isOwnHost(host: string | undefined, listening: string): boolean {
  return !isLoopback(listening) || host === undefined || isLoopback(host.replace(/:\d*$/, ''));
}
