/**
 * The response to one request, from the tree that is served now: status, headers and body as the contract's
 * section 7 wants them. Small bodies are answered at once; serve-handler streams large ones and ranges. What is compressed
 * is compressed on request, so that a tree that was built for no host is served as quickly.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import serveHandler from 'serve-handler';
import { JSON_MEDIA_TYPE, vendorIn } from '../../core/api/dialect.ts';
import { endpointOf, rawFormOf } from '../../core/api/endpoints.ts';
import { EXPLORER_PATHS } from '../../core/api/explorer/explorer-paths.ts';
import { pageOfFolder } from '../../core/api/page-folders.ts';
import {
  METHOD_NOT_ALLOWED,
  MISDIRECTED,
  NOT_FOUND,
  PRECONDITION_FAILED,
  RANGE_NOT_SATISFIABLE,
  UNAVAILABLE,
} from '../../core/api/problem.ts';
import { BROWSER_VALUE, NOT_KEPT, NOT_VIEWED, queryTarget, viewedPattern } from '../../core/hosts/request-redirects.ts';
import { httpDate } from '../../core/model/revision.ts';
import { type Coding, codingWanted, prefersPlainJson, rangeWanted, wantsPretty } from '../../core/tree/headers.ts';
import { MANIFEST_URL } from '../../core/tree/layout.ts';
import type { ServedDocument } from '../../core/tree/served-documents.ts';
import { urlOfRequest } from '../../core/tree/url-forms.ts';
import { codeOf } from '../../system/files/system-errors.ts';
import {
  common,
  type Exchange,
  isFresh,
  isOwnHost,
  isRefused,
  preflight,
  redirect,
  sendProblem,
  sendWhole,
  targetOf,
} from './exchange.ts';
import type { OpenableDocument, OpenBody, ServedTree } from './served-tree.ts';

/** How often a file is looked for again when it is not there, because one tree is being swapped for another. */
const ATTEMPTS = 10;
const PAUSE_MS = 10;

export async function respond(exchange: Exchange): Promise<void> {
  const { request, trees, host } = exchange;
  if (!isOwnHost(request.headers.host, host)) return sendProblem(exchange, 421, MISDIRECTED);
  if (request.method === 'OPTIONS') return preflight(exchange);
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendProblem(exchange, 405, METHOD_NOT_ALLOWED);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reply = await replyTo(exchange);
    // What was looked up in one tree and opened in another would be a false answer.
    if (reply && trees.isStill()) return reply.send();
    reply?.drop();
    if (!reply) await setTimeout(PAUSE_MS);
    trees.renew();
  }
  return sendProblem(exchange, 503, UNAVAILABLE, { 'Retry-After': '1' });
}

interface Reply {
  readonly send: () => void | Promise<void>;
  /** Gives up what the reply holds open. */
  readonly drop: () => void;
}

const replyBy = (send: Reply['send']): Reply => ({ send, drop: () => {} });

/** What the known tree answers; undefined when a file of it is not there. */
async function replyTo(exchange: Exchange): Promise<Reply | undefined> {
  const { request, trees } = exchange;
  const tree = trees.known();
  const { pathname, query, before } = targetOf(request.url ?? '/', tree.settings.basePath, tree.has);
  const url = urlOfRequest(pathname);
  if (url === undefined) return missReply(exchange);
  if (isLedToView(exchange, url, pathname, query) && tree.hasExplorer) {
    const view = `${before}${EXPLORER_PATHS.page}#${url}`;
    return replyBy(() => redirect(exchange, view, 302, { 'Cache-Control': NOT_KEPT }));
  }
  const page = pageOfFolder(url);
  if (page !== undefined && tree.has(page)) return replyBy(() => redirect(exchange, before + page));
  const queried = queryTarget(url, query);
  if (queried && tree.has(queried.url)) {
    const form = pathname.endsWith('.json') ? '.json' : '';
    const location = `${before}${queried.url}${form}${wantsPretty(query, undefined) ? '?pretty' : ''}`;
    return replyBy(() => redirect(exchange, location, 302));
  }
  // A revision without such a document has no other answer.
  const document = queried?.isOfRevision ? undefined : await tree.get(url);
  if (!document) return tree.isGone(url) ? goneReply(exchange, tree, url) : missReply(exchange);
  if (document.target !== undefined && endpointOf(url)?.content === 'latest-version') {
    const location = before + document.target + (query === '' ? '' : `?${query}`);
    return replyBy(() => redirect(exchange, location));
  }
  const isText = url === MANIFEST_URL || rawFormOf(url) !== undefined;
  const isPretty = !isText && wantsPretty(query, request.headers['x-rack-prettyjson']);
  const type = typeOf(exchange, pathname, document);
  const { range, 'accept-encoding': accepted } = request.headers;
  // A range is one of the document as it is. Clients that ask for a vendor's types decode nothing, whatever they accept.
  const coding = range === undefined && vendorIn(type) === undefined ? codingWanted(accepted) : undefined;
  const headers = documentHeaders(exchange, document, { isPretty, coding, type });
  const validators = { etag: headers.ETag, modified: document.modified };
  if (isRefused(request.headers, validators)) {
    return replyBy(() => sendProblem(exchange, 412, PRECONDITION_FAILED));
  }
  if (isFresh(request.headers, validators)) {
    return replyBy(() => notModified(exchange, headers));
  }
  return documentReply(exchange, document, headers, { isPretty, coding });
}

function missReply(exchange: Exchange): Reply {
  return replyBy(() => sendProblem(exchange, 404, NOT_FOUND));
}

/** Undefined when the tombstone is not there. */
function goneReply(exchange: Exchange, tree: ServedTree, url: string): Reply | undefined {
  const body = tree.tombstone(url);
  return body === undefined ? undefined : replyBy(() => sendProblem(exchange, 410, body));
}

interface Form {
  readonly isPretty: boolean;
  readonly coding: Coding | undefined;
}

function typeOf({ request }: Exchange, pathname: string, { type }: ServedDocument): string {
  const isPlain =
    rawFormOf(pathname) === undefined &&
    (decodeURIComponent(pathname).endsWith('.json') || prefersPlainJson(request.headers.accept, type));
  return isPlain ? JSON_MEDIA_TYPE : type;
}

function documentHeaders(
  exchange: Exchange,
  document: ServedDocument,
  { isPretty, coding, type }: Form & { readonly type: string },
) {
  return {
    ...common(exchange),
    'Content-Type': type,
    'Cache-Control': document.cacheControl,
    'Last-Modified': httpDate(document.modified),
    ETag: `"${document.sha256.slice(0, 32)}${isPretty ? '-pretty' : ''}${coding === undefined ? '' : `-${coding}`}"`,
    ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
    ...(isPretty || coding !== undefined ? {} : { 'Accept-Ranges': 'bytes' }),
  };
}

type DocumentHeaders = ReturnType<typeof documentHeaders>;

/** From this many bytes on a file is streamed. */
const LARGE = 1 << 20;

function documentReply(
  exchange: Exchange,
  document: OpenableDocument,
  headers: DocumentHeaders,
  { isPretty, coding }: Form,
): Reply | undefined {
  const { request } = exchange;
  const { size } = document;
  const range = request.method === 'GET' && !isPretty ? rangeWanted(request.headers, headers, size) : 'none';
  if (range === 'unsatisfiable') {
    const unmet = { 'Content-Range': `bytes */${size}` };
    return replyBy(() => sendProblem(exchange, 416, RANGE_NOT_SATISFIABLE, unmet));
  }
  const opened = document.open();
  if (!opened) return undefined;
  const drop = opened.close;
  if (range !== 'none' || (size >= LARGE && !isPretty)) {
    if (range === 'none') delete request.headers.range;
    else request.headers.range = `bytes=${range.first}-${range.last}`;
    return {
      send: () =>
        coding === undefined
          ? stream(exchange, document, headers, opened)
          : streamCompressed(exchange, headers, opened, coding),
      drop,
    };
  }
  const bytes = opened.bytes();
  if (!bytes) return undefined;
  const body = isPretty ? Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8')), null, 2)) : bytes;
  return replyBy(() => sendWhole(exchange, 200, headers, compressed(body, coding)));
}

/** Lets serve-handler stream what is open, whatever stands at its path meanwhile. */
async function stream(
  { request, response }: Exchange,
  { file, modified }: ServedDocument,
  headers: DocumentHeaders,
  opened: OpenBody,
): Promise<void> {
  let isOpen = true;
  request.url = `/${file}`;
  // It would send one that only browsers understand, and that no other host sends.
  const sent = { ...headers, 'Content-Disposition': null };
  const list = Object.entries(sent).map(([key, value]) => ({ key, value }));
  await serveHandler(
    request,
    response,
    { public: '/', cleanUrls: false, directoryListing: false, headers: [{ source: '**', headers: list }] },
    {
      lstat: async () => ({
        size: opened.size(),
        mtime: new Date(modified * 1000),
        isDirectory: () => false,
        isSymbolicLink: () => false,
      }),
      createReadStream: (_, part) => {
        isOpen = false;
        const streamed = opened.stream(part);
        // pipe() leaves its source open when the client goes away.
        response.once('close', () => streamed.destroy());
        return streamed;
      },
      sendError: async () => {
        response.writeHead(503, { 'Retry-After': '1' });
        response.end();
      },
    },
  );
  if (isOpen) opened.close();
}

function notModified({ response }: Exchange, headers: DocumentHeaders): void {
  const { 'Content-Type': _, ...validators } = headers;
  response.writeHead(304, validators);
  response.end();
}

const VIEWED = new RegExp(viewedPattern({ prefix: '' }));
const NOT_VIEWED_PATHS = new RegExp(NOT_VIEWED);

/** Browsers say what they want a document for when they navigate, and nobody else does. */
function isLedToView(exchange: Exchange, url: string, pathname: string, query: string): boolean {
  const { request, trees } = exchange;
  if (!trees.known().settings.redirectsBrowsers || query !== '' || pathname.endsWith('.json')) return false;
  const isNavigation = request.headers['sec-fetch-dest'] === BROWSER_VALUE;
  return isNavigation && VIEWED.test(url) && !NOT_VIEWED_PATHS.test(url);
}

/** Fast rather than small: it is done for each request. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

function compressed(body: Buffer, coding: Coding | undefined): Buffer {
  if (coding === undefined) return body;
  return coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body);
}

interface Requested {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Its length is known only at its end, and so is not said. */
async function streamCompressed(
  { request, response }: Requested,
  headers: Readonly<Record<string, string>>,
  body: OpenBody,
  coding: Coding,
): Promise<void> {
  response.writeHead(200, headers);
  if (request.method === 'HEAD') {
    body.close();
    response.end();
    return;
  }
  const encoder = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
  try {
    await pipeline(body.stream({}), encoder, response);
  } catch (error) {
    // The client went away.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
