/**
 * Vercel: `vercel.json` with routes of the low level, which alone can tell hits from misses. They run in phases: first
 * in their order until one ends it, then by whether a file was found (`hit`) or not (`error`).
 */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import type { CacheClass } from '../api/endpoints.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import type { Host } from './host.ts';
import { literally, pathsPattern, rawPattern, requestPattern, rootPattern, SUFFIX, shadowPattern } from './patterns.ts';
import {
  COMPRESSED_ON_THE_WAY,
  FOREMOST_LATEST,
  foremostGone,
  foremostRedirects,
  NO_RULES,
  NO_VERSION_QUERY,
  namesOnly,
} from './plain-hosting.ts';
import { BROWSER_HEADER, BROWSER_VALUE, NOT_KEPT, NOT_VIEWED, viewedPattern, viewsUrl } from './request-redirects.ts';
import type { HostRules, PathClass } from './rules.ts';

const MOST_REDIRECTS = 500;
const MOST_ROUTES = 1024;
/** Each route of tombstones is for many of them: those beside each other, as long as the pattern of their paths may be. */
const MOST_GONE = 400;
const LONGEST_PATTERN = 4096;
const WRITING = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  evidence: 'emulator',
  variants: { ...namesOnly(), pretty: true },
  leadsBrowsers: true,
  shortcomings: [
    {
      capability: 'cache-classes',
      extent: 'partly',
      why: 'The edge takes s-maxage for itself, and may send Cache-Control without it.',
      covers: /, not public, max-age=\d+, s-maxage=\d+, /,
    },
    {
      capability: 'last-modified',
      extent: 'none',
      why: 'Files are kept without their times: if there is a Last-Modified, it is of the deployment.',
    },
    NO_VERSION_QUERY,
    COMPRESSED_ON_THE_WAY,
    ...NO_RULES.filter(({ capability }) => capability !== 'preflight'),
    {
      capability: 'gone',
      extent: 'partly',
      why: 'The number of routes is bounded: sites that were removed answer, then what stands directly below sites, then nodes (some 30,000 fit), while all of a level fit; the rest is 404.',
      covers: /^(?:HEAD )?\/sites\/[^/]+\/\S+ answers 404, not 410$/,
    },
    FOREMOST_LATEST,
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

/** The routes that answer by themselves, and the headers of everything. */
function requestRoutes(rules: HostRules): object[] {
  const { prefix } = rules;
  const redirects = foremostRedirects(rules, ({ length }) => length + rules.pages.length <= MOST_REDIRECTS);
  const hidden = `/(?:${PRETTY_FOLDER}|${HOSTS_FOLDER}|${rules.goneFolder})(?:/.*)?`;
  return [
    { src: matching(rules, '(?:/.*)?'), headers: rules.headers, continue: true },
    { src: matching(rules, '(?:/.*)?'), methods: ['OPTIONS'], status: 204, headers: PREFLIGHT_HEADERS },
    { src: matching(rules, '(?:/.*)?'), methods: WRITING, status: 405, ...problemRoute(rules, NOT_ALLOWED_FILE) },
    ...[matching(rules, hidden), shadowPattern(rules)].map((src) => ({
      src,
      status: 404,
      ...problemRoute(rules, NOT_FOUND_FILE),
    })),
    ...browserRoutes(rules),
    ...rules.pages.map(({ folder, page }) => ({
      src: matching(rules, `${literally(folder)}/?`),
      status: 307,
      headers: { Location: prefix + page },
    })),
    ...redirects.map(({ from, to }) => ({
      src: matching(rules, literally(from) + SUFFIX),
      status: 307,
      headers: { Location: prefix + to },
    })),
    ...goneRoutes(
      rules,
      foremostGone(rules, (gone) => goneRoutes(rules, gone).length <= MOST_GONE),
    ),
  ];
}

/** Browsers that navigate are led to the explorer. Routes cannot ask whether there is any query, but for one. */
function browserRoutes(rules: HostRules): object[] {
  if (!rules.redirectsBrowsers) return [];
  return [
    {
      src: `^(?!.*${NOT_VIEWED})${viewedPattern(rules).slice(1)}`,
      has: [{ type: 'header', key: BROWSER_HEADER.toLowerCase(), value: BROWSER_VALUE }],
      missing: [{ type: 'query', key: 'pretty' }],
      status: 302,
      headers: { 'Cache-Control': NOT_KEPT, Location: `${viewsUrl(rules)}$1` },
    },
  ];
}

function goneRoutes(rules: HostRules, gone: readonly string[]): object[] {
  const { prefix, goneFolder, problemType } = rules;
  const byParent = new Map<string, string[]>();
  for (const path of gone) {
    const parent = path.slice(0, path.lastIndexOf('/') + 1);
    const uids = byParent.get(parent) ?? [];
    uids.push(literally(path.slice(parent.length)));
    byParent.set(parent, uids);
  }
  return [...byParent].flatMap(([parent, uids]) => {
    const source = (some: readonly string[]) => matching(rules, `${literally(parent)}(${some.join('|')})${SUFFIX}`);
    return runsOf(uids, (some) => source(some).length <= LONGEST_PATTERN).map((some) => ({
      src: source(some),
      status: 410,
      dest: `${prefix}/${goneFolder}${parent}$1.json`,
      headers: { 'Content-Type': problemType },
    }));
  });
}

/** Cuts a list into parts that fit, of which each but the last could not be longer. */
function runsOf(all: readonly string[], fits: (some: readonly string[]) => boolean): string[][] {
  const runs: string[][] = [];
  for (const one of all) {
    const last = runs.at(-1);
    if (last && fits([...last, one])) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

/** In the legacy dialect the media type of a path's class, then application/json where it is asked for. */
function typeRoutes(rules: HostRules): object[] {
  const { classes, vendorTypes } = rules;
  if (!vendorTypes) return [];
  const plain = { headers: { 'Content-Type': JSON_MEDIA_TYPE }, continue: true };
  const accept = (value: string) => ({ type: 'header', key: 'accept', value });
  const json = literally(JSON_MEDIA_TYPE);
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
        ...Object.values(vendorTypes).map((type) => accept(`.*${literally(type)}.*`)),
        accept(`.*${json}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,.*)?`),
      ],
      ...plain,
    },
  ];
}

/** Which file answers: the indented one where the query or a header asks for it. */
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

/** Cache-Control of what was found, whether by its path or by its file's. */
function cacheRoutes(rules: HostRules): object[] {
  const route = (cache: CacheClass, pattern: string) => ({
    src: matching(rules, `(?:/${PRETTY_FOLDER})?(?:${pattern})`),
    headers: { 'Cache-Control': rules.cacheControl(cache) },
    continue: true,
  });
  const of = (cache: CacheClass, ...others: readonly string[]) => {
    const isOf = (each: Pick<PathClass, 'cache'>) => each.cache === cache;
    const raw = rules.raw.filter(isOf);
    const documents = inner(rules.classes.filter(isOf)) + SUFFIX;
    return [documents, ...others, ...(raw.length > 0 ? [inner(raw)] : [])].join('|');
  };
  return [route('mutable', of('mutable', '/index\\.json')), route('immutable', of('immutable'))];
}

function problemRoute({ prefix, problemType }: HostRules, file: string): object {
  return { dest: `${prefix}/${file}`, headers: { 'Content-Type': problemType } };
}

function matching({ prefix }: HostRules, pattern: string): string {
  return `^${literally(prefix)}(?:${pattern})$`;
}

/** A pattern of paths without its anchors. */
function inner(classes: readonly Pick<PathClass, 'templates'>[]): string {
  return pathsPattern(classes).slice(1, -1);
}
