/** What a host is to gridpress: the files that make it answer the contract, and what it cannot do, said in words. */
import type { Variants } from '../tree/layout.ts';
import type { HostRules } from './rules.ts';

/** What the contract asks of a host, one by one. `gridpress probe` tests each, `gridpress hosts` lists them. */
export const CAPABILITIES = {
  'url-forms':
    'X, X/ and X.json return the same bytes, without a redirect; /docs/ and /explorer/ redirect to their pages',
  'media-types': 'each path has its media type',
  accept: 'legacy dialect: application/json for clients that accept it, the vendor media type for all others',
  'cache-classes':
    'Cache-Control matches the kind of document, also in responses to range requests; redirects and errors have none',
  headers:
    'every response has Allow, Vary, Link, CORS headers, X-Content-Type-Options: nosniff and the configured headers',
  etag: 'responses have an ETag; a matching If-None-Match returns 304',
  'last-modified': 'Last-Modified is the time of the revision; a matching If-Modified-Since returns 304',
  head: 'HEAD returns the headers of GET, without a body',
  'not-found': 'missing paths return 404 with application/problem+json',
  'method-not-allowed': 'methods other than GET, HEAD and OPTIONS return 405 with Allow',
  preflight: 'OPTIONS returns 204 with the allowed methods and headers, for every origin',
  refusals:
    'requests that the server rejects itself (400, 412, 414, 416, TRACE) get a problem document or an empty body',
  'pretty-query': '?pretty and ?pretty=yes return indented JSON',
  'pretty-header': 'X-Rack-PrettyJSON: yes returns indented JSON',
  'version-query':
    '?version={revision} redirects to the snapshot, or returns 404 if the document does not exist; ?deep=1 redirects to the deep document',
  precompressed:
    'gzip and brotli by Accept-Encoding with q-values, each with a separate ETag, never for vendor media types',
  gone: 'removed resources return 410 with a tombstone, at all forms of the path',
  latest: 'R/versions/latest redirects (307) to the newest version',
  prefixes: 'a base path or snapshot path that a URL repeats is ignored; histories are available below snapshots, too',
  queries: 'unknown query parameters are ignored',
} as const;

export type Capability = keyof typeof CAPABILITIES;

export const CAPABILITY_NAMES = Object.keys(CAPABILITIES).filter((name): name is Capability =>
  Object.hasOwn(CAPABILITIES, name),
);

/** Why a host cannot do something: not at all, or only in part. */
export type Shortcoming = NotAtAll | InPart;

interface NotAtAll {
  readonly capability: Capability;
  readonly extent: 'none';
  readonly why: string;
}

interface InPart {
  readonly capability: Capability;
  readonly extent: 'partly';
  readonly why: string;
  /** Matches what a probe says of the requests that the words are about, such as `/nope is 404 as text/html`, and nothing else. */
  readonly covers: RegExp;
}

/** A bound that a host sets, and where it is stated. */
export interface Limit {
  readonly of:
    | 'files'
    | 'file-size'
    | 'tree-size'
    | 'directory-files'
    | 'redirects'
    | 'header-rules'
    | 'configuration-size';
  readonly most: number;
  /** The bound for those who pay, where it is another. */
  readonly paid?: number;
  readonly source: string;
}

/** A document of the tree, or another path that answers with one. */
export interface HostDocument {
  /** The URL path without suffix. */
  readonly path: string;
  /** Its file in the tree. */
  readonly file: string;
}

/** A file with lines for every document, for hosts that are told of each of them. */
export interface PerDocumentFile {
  readonly file: string;
  /** The lines before any document's, each with its newline. */
  readonly head: (rules: HostRules) => string;
  /** The lines of one document, each with its newline. */
  readonly lines: (rules: HostRules, document: HostDocument) => string;
}

export interface Host {
  /** The name that `--host` takes. */
  readonly name: string;
  readonly title: string;
  /** What was tried: the server itself, the vendor's emulator, or only its documentation. */
  readonly evidence: 'server' | 'emulator' | 'documentation';
  /** The variants of documents that the host is given. */
  readonly variants: Variants;
  readonly shortcomings: readonly Shortcoming[];
  readonly limits: readonly Limit[];
  /** The host's files by their path in the tree. */
  readonly files: (rules: HostRules) => ReadonlyMap<string, string>;
  /** What the host is told of every document; it grows with the tree, so that it is written piece by piece. */
  readonly listing?: PerDocumentFile;
  /** Whether its rules can lead browsers to the explorer. */
  readonly leadsBrowsers?: boolean;
}
