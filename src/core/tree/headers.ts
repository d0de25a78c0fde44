/** Computes the response headers that all hosts send, and interprets request headers. */

import { licenseUrl } from '../api/citation.ts';
import { CATALOG_PATH, LINKS_PATH, OPENAPI_PATH, REFERENCE_PATH } from '../api/description/description-paths.ts';
import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import { EXPLORER_PATHS } from '../api/explorer/explorer-paths.ts';
import { changesUrl } from '../api/urls.ts';
import type { Configuration, Sunset } from '../model/configuration.ts';
import { epochSeconds, httpDate } from '../model/revision.ts';

const PRETTY_HINT = 'Use ?pretty=yes or the request header X-Rack-PrettyJSON: yes for indented JSON.';

/** The targets of the `Link` header: the changes (RFC 5989), the descriptions (RFC 8631) and the list of all links. */
const LINKED: readonly (readonly [path: string, rel: string])[] = [
  [changesUrl(''), 'monitor'],
  [`${OPENAPI_PATH}.json`, 'service-desc'],
  [REFERENCE_PATH, 'service-doc'],
  [`${LINKS_PATH}.json`, 'describedby'],
];

/** The `Link` targets for the explorer, and for programs (https://signposting.org/FAIR/). */
const EXPLORER = [
  [EXPLORER_PATHS.page, 'alternate; type="text/html"'],
  [EXPLORER_PATHS.linkset, 'linkset; type="application/linkset+json"'],
] as const;
/** RFC 9727, section 3. */
const CATALOG = [CATALOG_PATH, 'api-catalog'] as const;

export interface CommonHeaders {
  readonly dialect: Configuration['dialect'];
  readonly strictTransportSecurity: string | undefined;
  readonly basePath: string;
  readonly license: string | undefined;
  readonly sunset: Sunset | undefined;
  readonly hasExplorer: boolean;
  /** Whether the host redirects browsers from a document to the explorer. */
  readonly redirectsBrowsers?: boolean;
}

export function commonHeaders(options: CommonHeaders): Readonly<Record<string, string>> {
  const { dialect, strictTransportSecurity, basePath, license, sunset, hasExplorer } = options;
  const { redirectsBrowsers = false } = options;
  const linked = [...LINKED, ...(hasExplorer ? EXPLORER : []), ...(basePath === '' ? [CATALOG] : [])];
  const links = [
    ...linked.map(([path, rel]) => [basePath + path, rel]),
    ...(license === undefined ? [] : [[licenseUrl(license), 'license']]),
    ...(sunset?.link === undefined ? [] : [[sunset.link, 'sunset']]),
  ];
  return {
    Allow: 'GET',
    Vary: `Accept, X-Rack-PrettyJSON${redirectsBrowsers ? ', Sec-Fetch-Dest' : ''}, Accept-Encoding`,
    Link: links.map(([target, rel]) => `<${target}>; rel=${rel}`).join(', '),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': `ETag, Link, Last-Modified, Content-Length${sunset ? ', Deprecation, Sunset' : ''}`,
    'X-Content-Type-Options': 'nosniff',
    ...(dialect === 'legacy' ? { 'X-Info': PRETTY_HINT } : {}),
    ...(strictTransportSecurity === undefined ? {} : { 'Strict-Transport-Security': strictTransportSecurity }),
    ...(sunset ? sunsetHeaders(sunset) : {}),
  };
}

/** Sunset (RFC 8594) contains an HTTP date. Deprecation (RFC 9745) contains `@`, followed by epoch seconds. */
function sunsetHeaders({ date, deprecated }: Sunset): Readonly<Record<string, string>> {
  return {
    ...(deprecated === undefined ? {} : { Deprecation: `@${epochSeconds(deprecated)}` }),
    Sunset: httpDate(epochSeconds(date)),
  };
}

/** The additional headers of the response to `OPTIONS` (Fetch, section 3.2). */
export const PREFLIGHT_HEADERS = {
  Allow: 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Accept, If-Modified-Since, If-None-Match, If-Range, Range, X-Rack-PrettyJSON',
  'Access-Control-Max-Age': '86400',
} as const;

/** `X-Rack-PrettyJSON: yes` requests indented JSON. So does `?pretty`, if its value is not `no`, `false` or `0`. */
export function isPrettyRequested(query: string, header: string | readonly string[] | undefined): boolean {
  if (header === 'yes') return true;
  const value = new URLSearchParams(query).get('pretty');
  return value !== null && !['no', 'false', '0'].includes(value);
}

export function prefersPlainJson(accept: string | undefined, type: string): boolean {
  const [vendor = type] = type.split(';');
  if (vendor === JSON_MEDIA_TYPE || accept === undefined) return false;
  return (qualityOf(accept, JSON_MEDIA_TYPE) ?? 0) > (qualityOf(accept, vendor) ?? 0);
}

/** The content codings of variants. Brotli comes first, because it is usually smaller. */
const COMPRESSED = ['br', 'gzip'] as const;
export type Coding = (typeof COMPRESSED)[number];

/** Returns undefined if the response must be uncompressed, as for a request without Accept-Encoding. */
export function preferredCoding(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const wants = (coding: string) => qualityOf(acceptEncoding, coding);
  const others = wants('*') ?? 0;
  let best: { readonly coding: Coding | undefined; readonly q: number } = {
    coding: undefined,
    q: wants('identity') ?? 0,
  };
  for (const coding of COMPRESSED) {
    const q = wants(coding) ?? others;
    if (q > best.q || (q === best.q && q > 0 && best.coding === undefined)) best = { coding, q };
  }
  return best.coding;
}

function qualityOf(header: string, wanted: string): number | undefined {
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (name !== wanted) continue;
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return undefined;
}

/** Matches one byte range. Several ranges and invalid ranges are ignored, as RFC 9110 (section 14.2) allows. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/** Returns the first and last byte of the requested range, or `none` for the whole document. `size` is in bytes. */
export function requestedRange(
  request: { readonly range?: string | undefined; readonly 'if-range'?: string | undefined },
  document: { readonly ETag: string; readonly 'Last-Modified': string },
  size: number,
): { readonly first: number; readonly last: number } | 'none' | 'unsatisfiable' {
  const [whole, from, to, length] = RANGE.exec(request.range ?? '') ?? [];
  const state = request['if-range'];
  const isSame = state === undefined || state === document.ETag || state === document['Last-Modified'];
  if (whole === undefined || !isSame || (to && Number(to) < Number(from))) return 'none';
  const first = from === undefined ? Math.max(0, size - Number(length)) : Number(from);
  return first < size ? { first, last: Math.min(to ? Number(to) : size, size - 1) } : 'unsatisfiable';
}
