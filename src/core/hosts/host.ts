/** What a host is to gridpress: the files that make it answer the contract, and what it cannot do, said in words. */
import type { Variants } from '../tree/layout.ts';
import type { HostRules } from './rules.ts';

/** What the contract asks of a host, one by one. `gridpress probe` tests each, `gridpress hosts` lists them. */
export const CAPABILITIES = {
  'url-forms':
    'X, X/ and X.json answer 200 with the same bytes, without a redirect; /docs/ and /explorer/ lead to their pages',
  'media-types': 'each path has the media type of its class',
  accept: 'legacy: application/json to those who ask for it, the vendor type to the rest',
  'cache-classes': 'Cache-Control by class, of ranges too, and none on redirects and errors',
  headers:
    'Allow, Vary, Link to the changes, CORS (headers that pages may read too), nosniff and configured headers on every response',
  etag: 'ETag, and 304 for If-None-Match',
  'last-modified': "Last-Modified is the revision's time, and 304 for If-Modified-Since",
  head: 'HEAD answers as GET does, without the body',
  'not-found': '404 with application/problem+json, whatever the path',
  'method-not-allowed': '405 with Allow on other methods than GET, HEAD and OPTIONS',
  preflight: 'OPTIONS answers 204 with what is allowed, to pages of other origins too',
  refusals: 'requests that the server itself refuses (400, 412, 414, 416, TRACE) get a problem document or no body',
  'pretty-query': '?pretty and ?pretty=yes give indented JSON',
  'pretty-header': 'X-Rack-PrettyJSON: yes gives indented JSON',
  'version-query':
    '?version={revision} leads to the path in that snapshot, and is a miss where there is none; ?deep=1 leads from an item to all that is below it',
  precompressed:
    'gzip and brotli as Accept-Encoding asks, q-values honoured, each with an ETag of its own; never of vendor media types',
  gone: '410 with a tombstone for what was removed, at all forms of its path',
  latest: '307 from R/versions/latest to the newest version',
  prefixes:
    'what stands before all links, a prefix or a snapshot, may be there twice, and histories answer in snapshots too',
  queries: 'query strings that mean nothing are ignored',
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
  /** How to deploy, as steps of Markdown. */
  readonly recipe: string;
}
