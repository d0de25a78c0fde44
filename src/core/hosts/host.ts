import type { Variants } from '../tree/layout.ts';
import type { HostRules } from './rules.ts';

/** The parts of the API contract that a host can support. `gridpress probe` tests these capabilities. */
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
  'last-modified':
    'Last-Modified is in the two hours before the time of the revision; only an equal If-Modified-Since returns 304; Memento-Datetime of older revisions',
  head: 'HEAD returns the headers of GET, without a body',
  'not-found': 'missing paths return 404 with application/problem+json',
  'method-not-allowed': 'methods other than GET, HEAD and OPTIONS return 405 with Allow',
  preflight: 'OPTIONS returns 204 with the allowed methods and headers, for every origin',
  refusals:
    'requests that the server rejects itself (400, 412, 414, 416, 431, 501, TRACE) get a problem document or an empty body',
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

/** A capability that a host does not support fully. */
export interface Shortcoming {
  readonly capability: Capability;
  readonly extent: 'partly' | 'none';
  readonly why: string;
  /** Matches only the failures that this shortcoming explains, such as `/nope is 404 as text/html`. */
  readonly covers: RegExp;
}

/**
 * Without rules, Apache and Caddy return 304 if the time in If-Modified-Since is later than the file's time. So rules
 * remove this header unless it contains the time of the newest file.
 */
export const ONLY_NEWEST_DATE = partly(
  'last-modified',
  'If-Modified-Since returns 304 only for documents with the time of the newest revision. Use If-None-Match for others.',
  /^\/\S* with its own, older time in If-Modified-Since answers 200, not 304$/,
);

export function partly(capability: Capability, why: string, covers: RegExp): Shortcoming {
  return { capability, extent: 'partly', why, covers };
}

export function unsupported(capability: Capability, why: string): Shortcoming {
  return { capability, extent: 'none', why, covers: /^/ };
}

/** A limit of a host, with the page that documents the limit. Sizes are in bytes. */
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
  readonly paid?: number;
  readonly source: string;
}

/** A document of the tree, or an alias. */
export interface HostDocument {
  /** The URL path without a suffix. */
  readonly path: string;
  readonly file: string;
}

/** A file with lines for every document of the tree. The file can be long, so gridpress writes it in pieces. */
export interface PerDocumentFile {
  readonly file: string;
  /** The first lines of the file, before the lines for documents. Each line ends with a newline. */
  readonly head: (rules: HostRules) => string;
  /** Returns the lines for one document. Every line ends with a newline. */
  readonly lines: (rules: HostRules, document: HostDocument) => string;
}

export interface Host {
  readonly name: string;
  readonly title: string;
  /** How the configuration was tested. If there are several tests, the value names the most reliable one. */
  readonly evidence: 'server' | 'emulator' | 'documentation';
  readonly variants: Variants;
  readonly shortcomings: readonly Shortcoming[];
  readonly limits: readonly Limit[];
  /** The configuration files by their path in the tree. */
  readonly files: (rules: HostRules) => ReadonlyMap<string, string>;
  readonly listing?: PerDocumentFile;
  readonly canRedirectBrowsers?: boolean;
  /** The command that tests and loads changed `.conf` and `.caddy` files. Undefined if the host needs no command. */
  readonly reload?: string;
}

export const SERVER = {
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  canRedirectBrowsers: true,
  limits: [],
} as const;
