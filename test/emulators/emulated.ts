/** Results of the emulators on 2026-11-30. Written by `BLESS=1 npm run test:emulators`; do not edit. */
import type { Capability } from '../../src/core/hosts/host.ts';

/** A difference between a host's emulator and the documented service. */
export interface Emulation {
  /** The name of the host. */
  readonly host: string;
  readonly emulator: string;
  readonly differences: readonly { readonly capability: Capability; readonly why: string }[];
}

export const EMULATIONS: readonly Emulation[] = [
  {
    host: 'netlify',
    emulator: 'netlify-cli@27.10.2 dev',
    differences: [
      { capability: 'media-types', why: 'It does not apply rules for Content-Type.' },
      { capability: 'cache-classes', why: 'It sends a Cache-Control of its own, whatever the rules say.' },
      { capability: 'etag', why: 'Its ETags are made up by the server behind it.' },
      { capability: 'head', why: 'The ETag of HEAD is that of an empty body.' },
      {
        capability: 'not-found',
        why: 'What begins with two slashes is the root. Paths that are no file names are 403: it looks for files.',
      },
      { capability: 'not-found', why: 'A path with a broken escape ends it: it is not asked for one.' },
      { capability: 'precompressed', why: 'It compresses nothing.' },
      { capability: 'gone', why: 'It does not apply rules for Content-Type.' },
    ],
  },
  {
    host: 'cloudflare-pages',
    emulator: 'wrangler@4.164.0 pages dev',
    differences: [
      {
        capability: 'not-found',
        why: 'Paths that are no file names, or go on behind one, end in 502: it looks for files, where the service looks into a list.',
      },
    ],
  },
  { host: 'cloudflare-workers', emulator: 'wrangler@4.164.0 dev', differences: [] },
  { host: 'cloudflare-worker', emulator: 'wrangler@4.164.0 dev', differences: [] },
  {
    host: 'vercel',
    emulator: '@vercel/routing-utils@6.6.0 and a simulation of the routing',
    differences: [
      { capability: 'etag', why: 'The server behind the routes is our own.' },
      { capability: 'head', why: 'The server behind the routes is our own.' },
      { capability: 'precompressed', why: 'The server behind the routes is our own, and compresses nothing.' },
    ],
  },
  {
    host: 'firebase',
    emulator: 'superstatic@9.2.0',
    differences: [
      { capability: 'etag', why: 'It never answers with 304, and its ETags have no quotes.' },
      {
        capability: 'not-found',
        why: 'A broken escape ends it: it is not asked for one. Names that are too long for a file end in 500. What is not deployed it answers.',
      },
      { capability: 'queries', why: 'A broken escape ends it: it is not asked for one.' },
      { capability: 'precompressed', why: 'It compresses nothing.' },
    ],
  },
  {
    host: 'azure',
    emulator: '@azure/static-web-apps-cli@2.0.10 start',
    differences: [
      {
        capability: 'url-forms',
        why: 'It redirects X to X/, here and elsewhere: that is followed. The service answers both, as documented.',
      },
      { capability: 'media-types', why: 'It goes by the ending of the path, not of the file, where a uid has a dot.' },
      { capability: 'cache-classes', why: 'Its misses have a Cache-Control of its own.' },
      { capability: 'headers', why: 'Its misses and redirects are sent without the configured headers.' },
      { capability: 'etag', why: 'All documents have the same ETag.' },
      { capability: 'last-modified', why: 'It sends the time of the local file.' },
      {
        capability: 'not-found',
        why: 'It takes no notice of mimeTypes for the page of a response override. What begins with two slashes is the root.',
      },
      { capability: 'not-found', why: 'A path with a broken escape ends it: it is not asked for one.' },
      {
        capability: 'method-not-allowed',
        why: 'It refuses other methods before it looks at the routes, but for OPTIONS.',
      },
    ],
  },
];

/** The outcomes of each capability, in the order of EMULATIONS. */
export const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  'url-forms': ['holds', 'holds', 'holds', 'holds', 'holds', 'holds', 'emulator'],
  'media-types': ['emulator', 'holds', 'holds', 'holds', 'holds', 'holds', 'partly \\*'],
  accept: ['- / cannot', '- / cannot', '- / cannot', '- / holds', '- / holds', '- / cannot', '- / cannot'],
  'cache-classes': ['emulator', 'holds', 'partly', 'holds', 'holds', 'partly', 'partly \\*'],
  headers: ['partly', 'holds', 'holds', 'holds', 'holds', 'partly', 'holds \\*'],
  etag: ['emulator', 'partly', 'partly', 'holds', 'emulator', 'emulator', 'emulator'],
  'last-modified': ['cannot', 'cannot', 'cannot', 'cannot', 'cannot', 'cannot', 'emulator'],
  head: ['holds \\*', 'holds', 'holds', 'holds', 'emulator', 'holds', 'holds'],
  'not-found': ['partly \\*', 'partly \\*', 'partly', 'holds', 'holds', 'partly \\*', 'partly \\*'],
  'method-not-allowed': ['cannot', 'partly', 'partly', 'holds', 'holds', 'cannot', 'partly \\*'],
  preflight: ['cannot', 'cannot', 'cannot', 'holds', 'holds', 'cannot', 'cannot'],
  refusals: ['cannot', 'cannot', 'cannot', 'cannot', 'cannot', 'cannot', 'cannot'],
  'pretty-query': ['cannot', 'cannot', 'cannot', 'holds', 'holds', 'cannot', 'cannot'],
  'pretty-header': ['cannot', 'cannot', 'cannot', 'holds', 'holds', 'cannot', 'cannot'],
  'version-query': ['cannot', 'cannot', 'cannot', 'holds', 'cannot', 'cannot', 'cannot'],
  precompressed: ['emulator', 'partly', 'partly', 'partly', 'emulator', 'emulator', 'cannot'],
  gone: ['holds \\*', 'cannot', 'cannot', 'holds', 'holds', 'cannot', 'cannot'],
  latest: ['partly', 'partly', 'partly', 'holds', 'partly', 'partly', 'partly'],
  prefixes: ['cannot', 'cannot', 'cannot', 'holds', 'cannot', 'cannot', 'cannot'],
  queries: ['holds', 'holds', 'holds', 'holds', 'holds', 'holds \\*', 'holds'],
};
