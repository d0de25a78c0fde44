/**
 * Serving a tree over HTTP with serve-handler, which streams the files; which file answers what, with which headers,
 * comes from the tree's manifest.
 */
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import serveHandler from 'serve-handler';
import { JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE } from '../api/dialect.ts';
import { endpointOf } from '../api/endpoints.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../api/problem.ts';
import { finding } from '../diagnostics/finding.ts';
import { httpDate } from '../model/revision.ts';
import { cacheControl, commonHeaders, prefersPlainJson, wantsPretty } from '../site/headers.ts';
import { MANIFEST_FILE, urlOfRequest } from '../site/layout.ts';
import { openTree, type ServedDocument, type ServedTree } from '../site/served-tree.ts';
import { fail, reasonOf, systemCode } from './failure.ts';
import { readManifest } from './manifest-file.ts';

export interface ServeOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  /** The value of Strict-Transport-Security, if it is to be sent. */
  readonly strictTransportSecurity?: string | undefined;
}

export interface Serving {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves a tree until it is closed. A tree that is swapped for another while it is served is taken up at once. */
export async function serveTree(options: ServeOptions): Promise<Serving> {
  const tree = treeReader(options.folder);
  tree();
  const server = createServer((request, response) => {
    const now = tree();
    const headers = commonHeaders(now.dialect, options.strictTransportSecurity);
    answer({ request, response, tree: now, headers, folder: options.folder }).catch(() => {
      // The file went between two trees, or the client went away: there is nothing to say but that it failed.
      if (!response.headersSent) response.writeHead(503, { 'Retry-After': '1' });
      response.end();
    });
  });
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { port, host }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      try {
        if (systemCode(error) === 'EADDRINUSE') fail(finding('port-taken', { port }));
        fail(finding('port-refused', { port, reason: reasonOf(error) }));
      } catch (failure) {
        reject(failure);
      }
    });
    server.listen(port, host, resolve);
  });
}

/** Gives the tree that is in the folder now; reads the manifest again only when another one stands there. */
function treeReader(folder: string): () => ServedTree {
  let known: { readonly id: string; readonly tree: ServedTree } | undefined;
  return () => {
    const id = identity(join(folder, MANIFEST_FILE));
    if (known && (id === undefined || known.id === id)) return known.tree;
    const manifest = id === undefined ? undefined : readManifest(folder);
    if (!manifest && !known) {
      if (identity(folder) === undefined || id === undefined) fail(finding('no-tree', { folder }));
      fail(finding('tree-incomplete', { folder, reason: `${MANIFEST_FILE} cannot be read` }));
    }
    if (!manifest || id === undefined) return known?.tree ?? fail(finding('no-tree', { folder }));
    if (!known) checkFiles(folder, manifest.documents);
    known = { id, tree: openTree(manifest) };
    return known.tree;
  };
}

function identity(path: string): string | undefined {
  try {
    const { ino, size, ctimeMs } = statSync(path);
    return `${ino} ${size} ${ctimeMs}`;
  } catch {
    return undefined;
  }
}

function checkFiles(
  folder: string,
  documents: readonly { readonly file: string; readonly size?: number }[],
): void {
  for (const { file, size } of documents) {
    const status = statSync(join(folder, file), { throwIfNoEntry: false });
    if (!status) fail(finding('tree-incomplete', { folder, reason: `${file} is missing` }));
    if (size !== undefined && status?.size !== size) {
      fail(
        finding('tree-incomplete', {
          folder,
          reason: `${file} does not have the size that ${MANIFEST_FILE} says`,
        }),
      );
    }
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tree: ServedTree;
  readonly headers: Readonly<Record<string, string>>;
  readonly folder: string;
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, tree, headers } = exchange;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return problem(exchange, 405, METHOD_NOT_ALLOWED);
  const [pathname = '/', query = ''] = splitOnce(request.url ?? '/', '?');
  const url = urlOfRequest(pathname);
  const document = tree.documents.get(url);
  if (!document) return problem(exchange, 404, NOT_FOUND);
  if (document.target !== undefined && endpointOf(url)?.content === 'latest-version') {
    response.writeHead(307, {
      ...headers,
      Location: query === '' ? document.target : `${document.target}?${query}`,
      'Content-Length': 0,
    });
    response.end();
    return;
  }
  const isPretty = wantsPretty(query, request.headers['x-rack-prettyjson']);
  const type =
    pathname.endsWith('.json') || prefersPlainJson(request.headers.accept, document.type)
      ? JSON_MEDIA_TYPE
      : document.type;
  const sent = {
    ...headers,
    'Content-Type': type,
    'Cache-Control': cacheControl(document.cache),
    'Last-Modified': httpDate(document.modified),
    ETag: `"${document.sha256.slice(0, 32)}${isPretty ? '-pretty' : ''}"`,
  };
  if (isFresh(request, sent.ETag, document)) {
    const { 'Content-Type': _, ...validators } = sent;
    response.writeHead(304, validators);
    response.end();
  } else if (isPretty) sendPretty(exchange, document, sent);
  else await sendFile(exchange, document, sent);
}

async function sendFile(
  { request, response, folder }: Exchange,
  { file }: ServedDocument,
  headers: Record<string, string>,
): Promise<void> {
  request.url = `/${file}`;
  const list = Object.entries(headers).map(([key, value]) => ({ key, value }));
  await serveHandler(request, response, {
    public: folder,
    cleanUrls: false,
    directoryListing: false,
    headers: [{ source: '**', headers: list }],
  });
}

function sendPretty(
  { request, response, folder }: Exchange,
  { file }: ServedDocument,
  headers: Record<string, string>,
): void {
  const text = JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8')), null, 2);
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Whether the client has this very response already (RFC 9110, section 13). */
function isFresh({ headers }: IncomingMessage, etag: string, { modified }: ServedDocument): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) {
    return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && since >= modified * 1000;
}

function problem({ request, response, headers }: Exchange, status: number, body: string): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': PROBLEM_MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
