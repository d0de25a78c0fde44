/**
 * Writes `vercel.json`. Its low-level routes can distinguish existing files from missing files. Vercel tries the routes
 * in order, until one route ends the phase. The next phase is `hit` if Vercel found a file, and otherwise `error`.
 */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import type { CacheClass } from '../api/endpoints.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import { type Host, partly, unsupported } from './host.ts';
import {
  escapeRegExp,
  pathsPattern,
  rawPattern,
  requestPattern,
  rootPattern,
  SUFFIX,
  shadowPattern,
} from './patterns.ts';
import {
  HOST_COMPRESSION,
  NO_RULES,
  NO_VERSION_QUERY,
  namesOnly,
  TOP_LEVEL_LATEST,
  topLevelRedirects,
  topLevelTombstones,
} from './plain-hosting.ts';
import {
  BROWSER_HEADER,
  BROWSER_VALUE,
  NO_STORE,
  VIEW_EXCEPTIONS,
  viewedPattern,
  viewsUrl,
} from './request-redirects.ts';
import type { HostRules, PathClass } from './rules.ts';

const MOST_REDIRECTS = 500;
const MOST_ROUTES = 1024;
/** Vercel limits the number of routes and the length of a pattern, so each tombstone route covers several resources. */
const MOST_TOMBSTONE_ROUTES = 400;
const LONGEST_PATTERN = 4096;
const WRITE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  evidence: 'emulator',
  variants: { ...namesOnly(), pretty: true },
  canRedirectBrowsers: true,
  shortcomings: [
    partly(
      'cache-classes',
      'The host uses s-maxage itself and may remove it from Cache-Control.',
      /, not public, max-age=\d+, s-maxage=\d+, /,
    ),
    unsupported(
      'last-modified',
      'The host does not keep file times. Last-Modified, if present, is the time of the deployment.',
    ),
    NO_VERSION_QUERY,
    HOST_COMPRESSION,
    ...NO_RULES.filter(({ capability }) => capability !== 'preflight'),
    partly(
      'gone',
      'The number of rules is limited: removed sites are first, then other children of sites, then nodes (about 30,000), as many whole levels as fit. The rest returns 404.',
      /^(?:HEAD )?\/sites\/[^/]+\/\S+ answers 404, not 410$/,
    ),
    TOP_LEVEL_LATEST,
  ],
  limits: [
    {
      of: 'redirects',
      most: MOST_ROUTES,
      source: 'vercel.com/docs/limits/overview (2024): 1,024 routes in one deployment',
    },
    {
      of: 'tree-size',
      most: 100_000_000,
      paid: 1_000_000_000,
      source: 'vercel.com/docs/limits/overview (2024): 100 MB of static files on Hobby, 1 GB on Pro',
    },
  ],
  files: (rules) => {
    const routes = [
      ...requestRoutes(rules),
      ...typeRoutes(rules),
      ...rules.raw.map((each) => ({
        src: rawPattern(rules, each),
        headers: { 'Content-Type': each.mediaType },
        dest: `${rules.prefix}$1`,
      })),
      ...fileRoutes(rules),
      { handle: 'filesystem' },
      { handle: 'hit' },
      ...cacheRoutes(rules),
      { handle: 'error' },
      { status: 404, src: matching(rules, '(?:/.*)?'), ...problemRoute(rules, NOT_FOUND_FILE) },
    ];
    const settings = { framework: null, buildCommand: null, installCommand: null, outputDirectory: '.' };
    return new Map([['vercel.json', `${JSON.stringify({ ...settings, routes }, null, 2)}\n`]]);
  },
};

/** Returns the routes that do not depend on files, and the route that sets the headers of all responses. */
function requestRoutes(rules: HostRules): object[] {
  const { prefix } = rules;
  const all = matching(rules, '(?:/.*)?');
  const redirects = topLevelRedirects(rules, ({ length }) => length + rules.pages.length <= MOST_REDIRECTS);
  const gone = topLevelTombstones(rules, (some) => tombstoneRoutes(rules, some).length <= MOST_TOMBSTONE_ROUTES);
  const hidden = `/(?:${PRETTY_FOLDER}|${HOSTS_FOLDER}|${rules.tombstoneFolder})(?:/.*)?`;
  const missing = { status: 404, ...problemRoute(rules, NOT_FOUND_FILE) };
  const redirect = (pattern: string, target: string) => ({
    src: matching(rules, pattern),
    status: 307,
    headers: { Location: prefix + target },
  });
  return [
    { src: all, headers: rules.headers, continue: true },
    { src: all, methods: ['OPTIONS'], status: 204, headers: PREFLIGHT_HEADERS },
    { src: all, methods: WRITE_METHODS, status: 405, ...problemRoute(rules, NOT_ALLOWED_FILE) },
    ...[matching(rules, hidden), shadowPattern(rules)].map((src) => ({ src, ...missing })),
    ...browserRoutes(rules),
    ...rules.pages.map(({ folder, page }) => redirect(`${escapeRegExp(folder)}/?`, page)),
    ...redirects.map(({ from, to }) => redirect(escapeRegExp(from) + SUFFIX, to)),
    ...tombstoneRoutes(rules, gone),
  ];
}

/**
 * Returns the routes that redirect browsers to the explorer. Unlike other hosts, Vercel also redirects URLs with a
 * query, except `?pretty`.
 */
function browserRoutes(rules: HostRules): object[] {
  if (!rules.redirectsBrowsers) return [];
  return [
    {
      src: `^(?!.*${VIEW_EXCEPTIONS})${viewedPattern(rules).slice(1)}`,
      has: [{ type: 'header', key: BROWSER_HEADER.toLowerCase(), value: BROWSER_VALUE }],
      missing: [{ type: 'query', key: 'pretty' }],
      status: 302,
      headers: { 'Cache-Control': NO_STORE, Location: `${viewsUrl(rules)}$1` },
    },
  ];
}

function tombstoneRoutes(rules: HostRules, gone: readonly string[]): object[] {
  const { prefix, tombstoneFolder, problemType } = rules;
  const byParent = new Map<string, string[]>();
  for (const path of gone) {
    const parent = path.slice(0, path.lastIndexOf('/') + 1);
    const uids = byParent.get(parent) ?? [];
    uids.push(escapeRegExp(path.slice(parent.length)));
    byParent.set(parent, uids);
  }
  return [...byParent].flatMap(([parent, uids]) => {
    const source = (some: readonly string[]) => matching(rules, `${escapeRegExp(parent)}(${some.join('|')})${SUFFIX}`);
    return runsOf(uids, (some) => source(some).length <= LONGEST_PATTERN).map((some) => ({
      src: source(some),
      status: 410,
      dest: `${prefix}/${tombstoneFolder}${parent}$1.json`,
      headers: { 'Content-Type': problemType },
    }));
  });
}

function runsOf(all: readonly string[], fits: (some: readonly string[]) => boolean): string[][] {
  const runs: string[][] = [];
  for (const one of all) {
    const last = runs.at(-1);
    if (last && fits([...last, one])) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

/** Sets legacy media types. If a request prefers application/json, a later route replaces the legacy media type. */
function typeRoutes(rules: HostRules): object[] {
  const { classes, vendorTypes } = rules;
  if (!vendorTypes) return [];
  const plain = { headers: { 'Content-Type': JSON_MEDIA_TYPE }, continue: true };
  const accept = (value: string) => ({ type: 'header', key: 'accept', value });
  const json = escapeRegExp(JSON_MEDIA_TYPE);
  return [
    ...classes.map((each) => ({
      src: matching(rules, `${inner([each])}/?`),
      headers: { 'Content-Type': each.mediaType },
      continue: true,
    })),
    { src: matching(rules, '/.*\\.json'), ...plain },
    {
      src: matching(rules, '(?:/.*)?'),
      has: [accept(`.*${json}.*`)],
      missing: [
        ...Object.values(vendorTypes).map((type) => accept(`.*${escapeRegExp(type)}.*`)),
        accept(`.*${json}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,.*)?`),
      ],
      ...plain,
    },
  ];
}

function fileRoutes(rules: HostRules): object[] {
  const query = (value?: string) => ({ type: 'query', key: 'pretty', ...(value === undefined ? {} : { value }) });
  const conditions = [
    { folder: `/${PRETTY_FOLDER}`, has: [{ type: 'header', key: 'x-rack-prettyjson', value: 'yes' }] },
    { folder: `/${PRETTY_FOLDER}`, has: [query()], missing: [query('no|false|0')] },
    { folder: '' },
  ];
  return conditions.flatMap(({ folder, ...condition }) => [
    { src: rootPattern(rules), ...condition, dest: `${rules.prefix}${folder}/index.json` },
    { src: requestPattern(rules), ...condition, dest: `${rules.prefix}${folder}$1.json` },
  ]);
}

function cacheRoutes(rules: HostRules): object[] {
  const route = (cache: CacheClass, ...others: readonly string[]) => {
    const isOf = (each: Pick<PathClass, 'cache'>) => each.cache === cache;
    const raw = rules.raw.filter(isOf);
    const patterns = [inner(rules.classes.filter(isOf)) + SUFFIX, ...others, ...(raw.length > 0 ? [inner(raw)] : [])];
    return {
      src: matching(rules, `(?:/${PRETTY_FOLDER})?(?:${patterns.join('|')})`),
      headers: { 'Cache-Control': rules.cacheControl[cache] },
      continue: true,
    };
  };
  return [route('mutable', '/index\\.json'), route('immutable')];
}

function problemRoute({ prefix, problemType }: HostRules, file: string): object {
  return { dest: `${prefix}/${file}`, headers: { 'Content-Type': problemType } };
}

function matching({ prefix }: HostRules, pattern: string): string {
  return `^${escapeRegExp(prefix)}(?:${pattern})$`;
}

function inner(classes: readonly Pick<PathClass, 'templates'>[]): string {
  return pathsPattern(classes).slice(1, -1);
}
