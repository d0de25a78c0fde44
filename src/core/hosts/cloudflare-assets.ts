/** Writes `_headers`, `_redirects` and other configuration files for Cloudflare Pages and Cloudflare Workers. */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import { endpointOf, type Form } from '../api/endpoints.ts';
import { PAGE_PARAMETER } from '../api/nodes/node-paths.ts';
import { NOT_FOUND } from '../api/problem.ts';
import {
  changesPageUrl,
  latestVersionUrl,
  SNAPSHOTS_PATH,
  snapshotUrl,
  timemapUrl,
  versionsPageUrl,
  versionsUrl,
  versionUrl,
} from '../api/urls.ts';
import { assertDefined } from '../platform/lookups.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import { ANSWERED_ENDS, answeredForms, INDEX_END, urlForms } from '../tree/url-forms.ts';
import { type Host, type Limit, partly, type Shortcoming } from './host.ts';
import { globOf, rawGlobs } from './patterns.ts';
import {
  HOST_COMPRESSION,
  NO_FILE_TIMES,
  NO_TOMBSTONES,
  namesOnly,
  ONE_ETAG,
  PATH_ONLY,
  plainHeaders,
  RULES_MATCH_ERRORS,
  TOP_LEVEL_LATEST,
  topLevelRedirects,
} from './plain-hosting.ts';
import type { HostRules, Redirect } from './rules.ts';

const MOST_STATIC = 2000;
const ROOT_REWRITES = 2;

const RULE_LIMITS: readonly Limit[] = [
  {
    of: 'header-rules',
    most: 100,
    source: 'developers.cloudflare.com/workers/static-assets/headers: 100 header rules',
  },
  {
    of: 'redirects',
    most: MOST_STATIC + 100,
    source: 'developers.cloudflare.com/workers/static-assets/redirects: 2,000 static and 100 dynamic redirects',
  },
];

/** Returns as many redirects as the rule limit allows. Each form of a path needs one rule. */
function redirectsWithin(rules: HostRules): readonly Redirect[] {
  const rewrites = ROOT_REWRITES + rawRewrites(rules).exact.length + 2 * rules.pages.length;
  return topLevelRedirects(rules, ({ length }) => length * ANSWERED_ENDS.length + rewrites <= MOST_STATIC);
}

/** Rewrites each path of a raw document to itself, so that no later rule changes the path. */
function rawRewrites({ prefix, raw }: HostRules) {
  const globs = raw.flatMap(rawGlobs);
  const rewrite = (glob: string) => `${prefix}${glob} ${prefix}${glob.replace('*', ':splat')} 200`;
  return {
    exact: globs.filter((glob) => !glob.includes('*')).map(rewrite),
    others: globs.filter((glob) => glob.includes('*')).map(rewrite),
  };
}

/**
 * Rules without an asterisk have precedence. Among all other rules, the first matching rule applies, even if a file
 * exists at the path. The last three rules map `X.json`, `X/` and `X` to `X.json`.
 */
function redirectsFile(rules: HostRules, redirects: readonly Redirect[]): string {
  const { prefix, pages } = rules;
  const { exact, others } = rawRewrites(rules);
  const lines = [
    '# gridpress: redirects and rewrites. Generated; do not edit.',
    ...redirects.flatMap(({ from, to }) => answeredForms(from).map((form) => `${prefix}${form} ${prefix}${to} 307`)),
    ...pages.flatMap(({ folder, page }) => ['', '/'].map((end) => `${prefix}${folder}${end} ${prefix}${page} 307`)),
    `${prefix}/ ${prefix}/index.json 200`,
    ...(prefix === '' ? [] : [`${prefix} ${prefix}/index.json 200`]),
    ...exact,
    ...others,
    ...['.json', '/', ''].map((end) => `${prefix}/*${end} ${prefix}/:splat.json 200`),
  ];
  return `${lines.join('\n')}\n`;
}

export function assetLimits(product: 'pages' | 'workers'): readonly Limit[] {
  const source = `developers.cloudflare.com/${product}/platform/limits`;
  return [
    {
      of: 'files',
      most: 20_000,
      paid: 100_000,
      source: `${source}: 20,000 files on the free plan, 100,000 on paid ones`,
    },
    { of: 'file-size', most: 25 * 1024 * 1024, source: `${source}: 25 MiB for one asset` },
  ];
}

const COMPATIBILITY_DATE = '2025-04-01';

export function wranglerFile(
  { prefix }: HostRules,
  program: Readonly<Record<string, string>>,
  assets: Readonly<Record<string, string | boolean>>,
): string {
  // A relative path from the configuration file to the deployed folder, which contains the base path as subfolders.
  const directory = `../..${prefix.replaceAll(/\/[^/]+/g, '/..')}`;
  const configuration = {
    name: 'testbed-api',
    ...program,
    compatibility_date: COMPATIBILITY_DATE,
    assets: { directory, html_handling: 'none', ...assets },
  };
  return `// gridpress: how to deploy the tree. Generated; do not edit.\n${JSON.stringify(configuration, null, 2)}\n`;
}

/** Returns the file `.assetsignore`, in the syntax of `.gitignore`. */
export function ignoreFile({ prefix }: HostRules, more: readonly string[]): string {
  const folders = [HOSTS_FOLDER, ...more].map((name) => `${prefix}/${name}`);
  return `# gridpress: files that are not deployed. Generated; do not edit.\n${['*.gz', '*.br', ...folders].join('\n')}\n`;
}

const ASSETS_ONLY: readonly Shortcoming[] = [
  ...[...PATH_ONLY, NO_FILE_TIMES, HOST_COMPRESSION, NO_TOMBSTONES, TOP_LEVEL_LATEST],
];

function assetFiles(rules: HostRules, errorsAreSeparate: boolean): ReadonlyMap<string, string> {
  const redirects = redirectsWithin(rules);
  return new Map([
    ['_headers', headersFile(rules, { redirects, errorsAreSeparate })],
    ['_redirects', redirectsFile(rules, redirects)],
    ['404.html', NOT_FOUND],
  ]);
}

export const cloudflarePages: Host = {
  name: 'cloudflare-pages',
  title: 'Cloudflare Pages',
  evidence: 'emulator',
  variants: namesOnly(),
  shortcomings: [
    ...ASSETS_ONLY,
    partly(
      'etag',
      'If-None-Match works with one ETag. A 304 response has no ETag.',
      / with If-None-Match: [^ ]+, \S+ answers 200, not 304$| is 304 with etag: none$/,
    ),
    partly(
      'not-found',
      'A 404 has the media type of its path. The host also serves files of the tree that are not documents, such as 404.json. /index is the root.',
      / is 404 as |^\/(?:index|40[45](?:\.json)?|_gone\/\S+) answers 200, not 404$/,
    ),
    partly(
      'method-not-allowed',
      '405 has Allow, but no problem document. Redirects answer other methods, too.',
      / is 405 as | answers 307, not 405$/,
    ),
  ],
  limits: [...assetLimits('pages'), ...RULE_LIMITS],
  files: (rules) => assetFiles(rules, true),
};

export const cloudflareWorkers: Host = {
  name: 'cloudflare-workers',
  title: 'Cloudflare Workers, static assets',
  evidence: 'emulator',
  variants: namesOnly(),
  shortcomings: [
    ...ASSETS_ONLY,
    RULES_MATCH_ERRORS,
    ONE_ETAG,
    partly(
      'not-found',
      'A 404 has the media type of its path. Paths with escapes are redirected first. /index is the root.',
      / is 404 as |^\/index answers 200, not 404$|^\S*%\S* answers 307, /,
    ),
    partly(
      'method-not-allowed',
      '405 has Allow, but no problem document, and only at paths of documents. Redirects answer other methods, too.',
      / is 405 as | answers 307, not 405$/,
    ),
  ],
  limits: [...assetLimits('workers'), ...RULE_LIMITS],
  files: (rules) =>
    new Map([
      ...assetFiles(rules, false),
      ['.assetsignore', ignoreFile(rules, [PRETTY_FOLDER, rules.tombstoneFolder, NOT_FOUND_FILE, NOT_ALLOWED_FILE])],
      [
        `${HOSTS_FOLDER}/cloudflare-workers/wrangler.jsonc`,
        wranglerFile(rules, {}, { not_found_handling: '404-page' }),
      ],
    ]),
};

interface HeadersFileOptions {
  readonly redirects: readonly Redirect[];
  /** Whether the host sends its own Cache-Control for errors. Rules may then use `immutable`. */
  readonly errorsAreSeparate: boolean;
}

/** All rules that match a path apply. Cloudflare joins values of the same header unless `! Name` removes the header. */
function headersFile(rules: HostRules, options: HeadersFileOptions): string {
  const templates = new Set(options.redirects.map(({ from }) => assertDefined(endpointOf(from)).template));
  const redirected = [...templates].map((template) => `${globOf(template)}*`);
  const common = {
    ...plainHeaders(rules),
    'Cache-Control': rules.cacheControl.mutable,
    'Content-Type': rules.classes.find(({ form }) => form === 'item')?.mediaType ?? JSON_MEDIA_TYPE,
  };
  return [
    '# gridpress: headers by path. Generated; do not edit.',
    rule(`${rules.prefix}/*`, Object.entries(common)),
    ...(rules.vendorTypes ? mediaTypeRules(rules) : []),
    ...(options.errorsAreSeparate ? cacheRules(rules, redirected) : []),
    ...rawRules(rules, options.errorsAreSeparate),
    ...redirected.map((glob) => rule(rules.prefix + glob, [['Cache-Control', undefined]])),
    '',
  ].join('\n');
}

/** The rules for raw documents follow more general rules, which also match raw documents. */
function rawRules({ prefix, raw, cacheControl }: HostRules, hasCacheRules: boolean): string[] {
  return raw.flatMap((each) => {
    const headers: [name: string, value: string][] = [['Content-Type', each.mediaType]];
    if (hasCacheRules) headers.push(['Cache-Control', cacheControl[each.cache]]);
    const detached = headers.map(([name]) => [name, undefined] as const);
    return rawGlobs(each).map((glob) => rule(prefix + glob, [...detached, ...headers]));
  });
}

/** Sets the media types of collections and feeds after the rule for items. Rules for `.json` paths come last. */
function mediaTypeRules({ prefix, classes }: HostRules): string[] {
  const ofForm = (wanted: Form) => classes.filter(({ form }) => form === wanted);
  const typed = (mediaType: string, globs: readonly string[]) =>
    globs.flatMap((glob) => [glob, `${glob}/`]).map((glob) => replacing(prefix + glob, 'Content-Type', mediaType));
  const items = ofForm('item').flatMap(({ mediaType, templates }) =>
    templates.map((template) => ({ mediaType, template })),
  );
  return [
    ...ofForm('collection').flatMap(({ mediaType, templates }) => {
      const { wide, narrow } = collectionGlobs(templates);
      const among = items.filter(({ template }) => wide.some((glob) => matchesGlob(template, glob)));
      return [
        ...typed(mediaType, wide),
        ...among.flatMap((item) => typed(item.mediaType, [globOf(item.template)])),
        ...typed(mediaType, narrow),
      ];
    }),
    ...ofForm('feed').flatMap(({ mediaType, templates }) => typed(mediaType, templates.map(globOf))),
    replacing(`${prefix}/*.json`, 'Content-Type', JSON_MEDIA_TYPE),
  ];
}

/** At least this many collections of a parent share a glob. Items that match the glob need their own rule. */
const MANY = 4;

/** Groups the globs of collections, because the number of rules is limited. */
function collectionGlobs(templates: readonly string[]) {
  const below = new Map<string, string[]>();
  const narrow = new Set<string>();
  for (const template of templates) {
    const glob = shortGlobOf(template);
    const above = template.slice(0, template.lastIndexOf('/'));
    if (glob !== globOf(template) || !/^$|\}$/.test(above)) narrow.add(glob);
    else below.set(above, [...(below.get(above) ?? []), glob]);
  }
  const wide: string[] = [];
  for (const [above, globs] of below) {
    if (globs.length >= MANY) wide.push(`${globOf(above)}/:collection`);
    else for (const glob of globs) narrow.add(glob);
  }
  return { wide, narrow: [...narrow] };
}

function matchesGlob(template: string, glob: string): boolean {
  if (template === '/') return false;
  const segments = template.split('/');
  const wanted = glob.split('/');
  return (
    segments.length === wanted.length &&
    wanted.every((want, i) => want.startsWith(':') || segments[i]?.startsWith('{') || want === segments[i])
  );
}

/**
 * Sets Cache-Control first for immutable documents, then for mutable documents that match the same globs. An asterisk
 * can stand for any resource, because no uid is `versions`. Cloudflare ignores repeated paths, and globs with two
 * asterisks.
 */
function cacheRules({ prefix, cacheControl }: HostRules, redirected: readonly string[]): string[] {
  const id = ':version_id';
  const immutable = [
    ...['', '*'].flatMap((path) => [versionUrl(path, id), `${versionUrl(path, id)}/`]),
    snapshotUrl(id),
    `${snapshotUrl(id)}/*`,
  ];
  const ends = [...ANSWERED_ENDS, INDEX_END] as const;
  const mutable = [
    `${latestVersionUrl('')}*`,
    ...urlForms(latestVersionUrl('*'), ends),
    `${timemapUrl('')}*`,
    ...urlForms(timemapUrl('*'), ends),
    ...['', '*'].map((path) => `${versionsUrl(path)}/index.json`),
    `${SNAPSHOTS_PATH}/index.json`,
  ];
  return [
    ...immutable.map((glob) => replacing(prefix + glob, 'Cache-Control', cacheControl.immutable)),
    ...mutable
      .filter((glob) => !redirected.includes(glob))
      .map((glob) => replacing(prefix + glob, 'Cache-Control', cacheControl.mutable)),
  ];
}

/** Returns one glob for all histories below the root, one for their pages, and one for all pages of changes. */
function shortGlobOf(template: string): string {
  for (const url of [versionsPageUrl, changesPageUrl])
    if (template.endsWith(url('', PAGE_PARAMETER))) return globOf(url('', PAGE_PARAMETER)).replace('/', '/*');
  const isBelow = template.endsWith(versionsUrl('')) && template !== versionsUrl('');
  return isBelow ? versionsUrl('*') : globOf(template);
}

function replacing(path: string, name: string, value: string): string {
  return rule(path, [
    [name, undefined],
    [name, value],
  ]);
}

/** A rule removes each header that has no value. */
function rule(path: string, headers: readonly (readonly [name: string, value: string | undefined])[]): string {
  const lines = headers.map(([name, value]) => (value === undefined ? `  ! ${name}` : `  ${name}: ${value}`));
  return [path, ...lines].join('\n');
}
