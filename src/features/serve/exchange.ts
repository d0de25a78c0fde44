import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEM_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { commonHeaders, PREFLIGHT_HEADERS } from '../../core/tree/headers.ts';
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
