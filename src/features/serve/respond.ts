import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import serveHandler from 'serve-handler';
import { JSON_MEDIA_TYPE, vendorIn } from '../../core/api/dialect.ts';
import { endpointOf, rawFormOf } from '../../core/api/endpoints.ts';
import { EXPLORER_PATHS } from '../../core/api/explorer/explorer-paths.ts';
import { pageOfFolder } from '../../core/api/page-folders.ts';
import {
  BAD_REQUEST,
  METHOD_NOT_ALLOWED,
  MISDIRECTED,
  NOT_FOUND,
  PRECONDITION_FAILED,
  RANGE_NOT_SATISFIABLE,
  UNAVAILABLE,
} from '../../core/api/problem.ts';
import {
  BROWSER_VALUE,
  NO_STORE,
  queryTarget,
  VIEW_EXCEPTIONS,
  viewedPattern,
} from '../../core/hosts/request-redirects.ts';
import { httpDate } from '../../core/model/revision.ts';
import {
  type Coding,
  isPrettyRequested,
  PREFLIGHT_HEADERS,
  preferredCoding,
  prefersPlainJson,
  requestedRange,
} from '../../core/tree/headers.ts';
import { MANIFEST_URL } from '../../core/tree/layout.ts';
import type { ServedDocument } from '../../core/tree/served-documents.ts';
import { urlOfRequest } from '../../core/tree/url-forms.ts';
import { codeOf } from '../../system/files/system-errors.ts';
import {
  type Exchange,
  isNotModified,
  isOwnHost,
  isPreconditionFailed,
  redirect,
  responseHeaders,
  sendEmpty,
  sendProblem,
  sendWhole,
  targetOf,
} from './exchange.ts';
import type { OpenableDocument, OpenBody } from './served-tree.ts';

/** The maximum number of attempts to read a document. Its file can be missing for a moment while a tree is replaced. */
const ATTEMPTS = 10;
const PAUSE_MS = 10;

export async function respond(exchange: Exchange): Promise<void> {
  const { request, trees, host } = exchange;
  // Node.js keeps only the first of several Host headers. RFC 9112, section 3.2, requires exactly one.
  const hosts = request.headersDistinct['host']?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) return sendProblem(exchange, 400, BAD_REQUEST);
  if (!isOwnHost(request.headers.host, host)) return sendProblem(exchange, 421, MISDIRECTED);
  if (request.method === 'OPTIONS')
    return sendEmpty(exchange, 204, { ...responseHeaders(exchange), ...PREFLIGHT_HEADERS });
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendProblem(exchange, 405, METHOD_NOT_ALLOWED);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reply = await replyTo(exchange);
    // The document and its file must come from the same tree.
    if (reply && trees.isCurrent()) return reply.send();
    reply?.drop();
    if (!reply) await setTimeout(PAUSE_MS);
    trees.reload();
  }
  return sendProblem(exchange, 503, UNAVAILABLE, { 'Retry-After': '1' });
}

interface Reply {
  readonly send: () => void | Promise<void>;
  /** Closes the open file of a reply that is not sent. */
  readonly drop: () => void;
}

const replyWith = (send: Reply['send']): Reply => ({ send, drop: () => {} });

/** Returns undefined if a file of the tree is missing. */
async function replyTo(exchange: Exchange): Promise<Reply | undefined> {
  const { request, trees } = exchange;
  const tree = trees.current();
  const { pathname, query, before } = targetOf(request.url ?? '/', tree.settings.basePath, tree.has);
  const missing = replyWith(() => sendProblem(exchange, 404, NOT_FOUND));
  const url = urlOfRequest(pathname);
  if (url === undefined) return missing;
  if (isExplorerNavigation(exchange, url, pathname, query) && tree.hasExplorer) {
    const view = `${before}${EXPLORER_PATHS.page}#${url}`;
    return replyWith(() => redirect(exchange, view, 302, { 'Cache-Control': NO_STORE }));
  }
  const page = pageOfFolder(url);
  if (page !== undefined && tree.has(page)) return replyWith(() => redirect(exchange, before + page));
  const queried = queryTarget(url, query);
  if (queried && tree.has(queried.url)) {
    const form = pathname.endsWith('.json') ? '.json' : '';
    const location = `${before}${queried.url}${form}${isPrettyRequested(query, undefined) ? '?pretty' : ''}`;
    return replyWith(() => redirect(exchange, location, 302));
  }
  // If the query names a revision, no other document may be returned.
  const document = queried?.namesRevision ? undefined : await tree.get(url);
  if (!document) {
    if (!tree.isGone(url)) return missing;
    const body = tree.tombstone(url);
    return body === undefined ? undefined : replyWith(() => sendProblem(exchange, 410, body));
  }
  if (document.target !== undefined && endpointOf(url)?.content === 'latest-version') {
    const location = before + document.target + (query === '' ? '' : `?${query}`);
    return replyWith(() => redirect(exchange, location));
  }
  const isText = url === MANIFEST_URL || rawFormOf(url) !== undefined;
  const isPretty = !isText && isPrettyRequested(query, request.headers['x-rack-prettyjson']);
  const type = typeOf(exchange, pathname, document);
  const { range, 'accept-encoding': accepted } = request.headers;
  // Ranges apply to the uncompressed document. Clients that request a vendor media type do not decompress.
  const coding = range === undefined && vendorIn(type) === undefined ? preferredCoding(accepted) : undefined;
  const headers = documentHeaders(exchange, document, { isPretty, coding, type });
  const validators = { etag: headers.ETag, modified: document.modified };
  if (isPreconditionFailed(request.headers, validators))
    return replyWith(() => sendProblem(exchange, 412, PRECONDITION_FAILED));
  if (isNotModified(request.headers, validators)) {
    const { 'Content-Type': _, ...others } = headers;
    return replyWith(() => sendEmpty(exchange, 304, others));
  }
  return documentReply(exchange, document, headers, { isPretty, coding });
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
    ...responseHeaders(exchange),
    'Content-Type': type,
    'Cache-Control': document.cacheControl,
    'Last-Modified': httpDate(document.modified),
    // RFC 7089 defines Memento-Datetime for versions and for documents of snapshots.
    ...(document.cache === 'immutable' ? { 'Memento-Datetime': httpDate(document.modified) } : {}),
    ETag: `"${document.sha256.slice(0, 32)}${isPretty ? '-pretty' : ''}${coding === undefined ? '' : `-${coding}`}"`,
    ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
    ...(isPretty || coding !== undefined ? {} : { 'Accept-Ranges': 'bytes' }),
  };
}

type DocumentHeaders = ReturnType<typeof documentHeaders>;

/** Bodies above this size are streamed. */
const STREAMED_FROM_BYTES = 1 << 20;

function documentReply(
  exchange: Exchange,
  document: OpenableDocument,
  headers: DocumentHeaders,
  { isPretty, coding }: Form,
): Reply | undefined {
  const { request } = exchange;
  const { size } = document;
  const range = request.method === 'GET' && !isPretty ? requestedRange(request.headers, headers, size) : 'none';
  if (range === 'unsatisfiable') {
    const unmet = { 'Content-Range': `bytes */${size}` };
    return replyWith(() => sendProblem(exchange, 416, RANGE_NOT_SATISFIABLE, unmet));
  }
  const opened = document.open();
  if (!opened) return undefined;
  const drop = opened.close;
  if (range !== 'none' || (size >= STREAMED_FROM_BYTES && !isPretty)) {
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
  return replyWith(() => sendWhole(exchange, 200, headers, compressBody(body, coding)));
}

/** Streams an open file, even if another file replaced the open file at its path. */
async function stream(
  { request, response }: Exchange,
  { file, modified }: ServedDocument,
  headers: DocumentHeaders,
  opened: OpenBody,
): Promise<void> {
  let isOpen = true;
  request.url = `/${file}`;
  // Removes a header that serve-handler would add.
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
        // `pipe` does not close its source when the client disconnects.
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

const EXPLORER_PATTERN = new RegExp(viewedPattern({ prefix: '' }));
const NOT_EXPLORER_PATTERN = new RegExp(VIEW_EXCEPTIONS);

/** Detects browsers by the header Sec-Fetch-Dest, which only browsers send. */
function isExplorerNavigation(exchange: Exchange, url: string, pathname: string, query: string): boolean {
  const { request, trees } = exchange;
  if (!trees.current().settings.redirectsBrowsers || query !== '' || pathname.endsWith('.json')) return false;
  const isNavigation = request.headers['sec-fetch-dest'] === BROWSER_VALUE;
  return isNavigation && EXPLORER_PATTERN.test(url) && !NOT_EXPLORER_PATTERN.test(url);
}

/** Prefers speed to size, because each request compresses again. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

function compressBody(body: Buffer, coding: Coding | undefined): Buffer {
  if (coding === undefined) return body;
  return coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body);
}

/** Sends no Content-Length, because the compressed length is not known yet. */
async function streamCompressed(
  { request, response }: Exchange,
  headers: DocumentHeaders,
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
    // A disconnected client is not an error.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
