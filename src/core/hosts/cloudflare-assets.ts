/**
 * Cloudflare's `_redirects`. Rules without an asterisk come first, and the first that matches is followed whether or
 * not there is a file. The last three find `X.json` for `X.json`, `X/` and `X`, so that no document needs another name;
 * those before them leave what is no JSON as it is.
 */

import { NOT_FOUND } from '../api/problem.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import { ANSWERED_ENDS, answeredForms } from '../tree/url-forms.ts';
import { headersFile } from './cloudflare-headers.ts';
import type { Host, Limit } from './host.ts';
import { rawGlobs } from './patterns.ts';
import {
  CHOSEN_BY_PATH,
  COMPRESSED_ON_THE_WAY,
  FOREMOST_LATEST,
  foremostRedirects,
  MISSES_SHARE_RULES,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
} from './plain-hosting.ts';
import type { HostRules, Redirect } from './rules.ts';

const MOST_STATIC = 2000;
/** That of the root, and that of a prefix. */
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

/** Each form of a path is a rule. */
function redirectsWithin(rules: HostRules): readonly Redirect[] {
  const rewrites = ROOT_REWRITES + rawRewrites(rules).exact.length + 2 * rules.pages.length;
  return foremostRedirects(rules, ({ length }) => length * ANSWERED_ENDS.length + rewrites <= MOST_STATIC);
}

/** What leaves raw documents where they are. */
function rawRewrites({ prefix, raw }: HostRules) {
  const globs = raw.flatMap(rawGlobs);
  const [exact, others] = [false, true].map((isGlob) =>
    globs
      .filter((glob) => glob.includes('*') === isGlob)
      .map((glob) => `${prefix}${glob} ${prefix}${glob.replace('*', ':splat')} 200`),
  );
  return { exact: exact ?? [], others: others ?? [] };
}

function redirectsFile(rules: HostRules, redirects: readonly Redirect[]): string {
  const { prefix, pages } = rules;
  const { exact, others } = rawRewrites(rules);
  const lines = [
    '# gridpress: redirects and rewrites. Generated; do not edit.',
    ...redirects.flatMap(({ from, to }) => answeredForms(from).map((form) => `${prefix}${form} ${prefix}${to} 307`)),
    ...pages.flatMap(({ folder, page }) =>
      [folder, `${folder}/`].map((form) => `${prefix}${form} ${prefix}${page} 307`),
    ),
    `${prefix}/ ${prefix}/index.json 200`,
    ...(prefix === '' ? [] : [`${prefix} ${prefix}/index.json 200`]),
    ...exact,
    ...others,
    `${prefix}/*.json ${prefix}/:splat.json 200`,
    `${prefix}/*/ ${prefix}/:splat.json 200`,
    `${prefix}/* ${prefix}/:splat.json 200`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Limits and configuration files of Cloudflare's hosts. */
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

/** The newest behaviour of the runtime that is asked for. */
const COMPATIBILITY_DATE = '2025-04-01';

/** The deployed folder as seen from the folder of a host's files, which stands in the tree. */
function deployedFolder({ prefix }: HostRules): string {
  return `../..${prefix.replaceAll(/\/[^/]+/g, '/..')}`;
}

export function wranglerFile(
  rules: HostRules,
  program: Readonly<Record<string, string>>,
  assets: Readonly<Record<string, string | boolean>>,
): string {
  const configuration = {
    name: 'testbed-api',
    ...program,
    compatibility_date: COMPATIBILITY_DATE,
    assets: { directory: deployedFolder(rules), html_handling: 'none', ...assets },
  };
  return `// gridpress: how to deploy the tree. Generated; do not edit.\n${JSON.stringify(configuration, null, 2)}\n`;
}

/** `.assetsignore`, written like `.gitignore`: what is not uploaded. */
export function ignoreFile({ prefix }: HostRules, more: readonly string[]): string {
  const folders = [HOSTS_FOLDER, ...more].map((name) => `${prefix}/${name}`);
  return `# gridpress: what is not deployed. Generated; do not edit.\n${['*.gz', '*.br', ...folders].join('\n')}\n`;
}

/** Cloudflare Pages: `_headers`, `_redirects` and the page for misses, all at the root of what is deployed. */
export const cloudflarePages: Host = {
  name: 'cloudflare-pages',
  title: 'Cloudflare Pages',
  evidence: 'emulator',
  variants: namesOnly(),
  shortcomings: [
    NO_ACCEPT,
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    { capability: 'last-modified', extent: 'none', why: 'Assets are kept without file times.' },
    {
      capability: 'etag',
      extent: 'partly',
      why: 'If-None-Match is understood with one ETag, not with a list of them, and a 304 does not repeat it.',
      covers: / with If-None-Match: [^ ]+, \S+ answers 200, not 304$| is 304 with etag: none$/,
    },
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Rules for headers hold for misses too: a miss has the media type of its path. Files of the tree that are no documents, such as 404.json, are answered, and /index is the root.',
      covers: / is 404 as |^\/(?:index|40[45](?:\.json)?|_gone\/\S+) answers 200, not 404$/,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are 405 with Allow, without a problem document; redirects answer them too.',
      covers: / is 405 as | answers 307, not 405$/,
    },
    COMPRESSED_ON_THE_WAY,
    NO_GONE,
    FOREMOST_LATEST,
  ],
  limits: [...assetLimits('pages'), ...RULE_LIMITS],
  files: (rules) => {
    const redirects = redirectsWithin(rules);
    return new Map([
      ['_headers', headersFile(rules, { redirects, missesAreApart: true })],
      ['_redirects', redirectsFile(rules, redirects)],
      ['404.html', NOT_FOUND],
    ]);
  },
};

/** Cloudflare Workers with static assets alone: `_headers`, `_redirects` and a configuration that says where they are. */
export const cloudflareWorkers: Host = {
  name: 'cloudflare-workers',
  title: 'Cloudflare Workers, static assets',
  evidence: 'emulator',
  variants: namesOnly(),
  shortcomings: [
    NO_ACCEPT,
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    MISSES_SHARE_RULES,
    { capability: 'last-modified', extent: 'none', why: 'Assets are kept without file times.' },
    ONE_ETAG,
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Rules for headers hold for misses too: a miss has the media type of its path. Paths with escapes are redirected first, and /index is the root.',
      covers: / is 404 as |^\/index answers 200, not 404$|^\S*%\S* answers 307, /,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are 405 with Allow where there is a document, without a problem document; redirects answer them too.',
      covers: / is 405 as | answers 307, not 405$/,
    },
    COMPRESSED_ON_THE_WAY,
    NO_GONE,
    FOREMOST_LATEST,
  ],
  limits: [...assetLimits('workers'), ...RULE_LIMITS],
  files: (rules) => {
    const redirects = redirectsWithin(rules);
    const ignored = [PRETTY_FOLDER, rules.goneFolder, NOT_FOUND_FILE, NOT_ALLOWED_FILE];
    return new Map([
      ['_headers', headersFile(rules, { redirects, missesAreApart: false })],
      ['_redirects', redirectsFile(rules, redirects)],
      ['404.html', NOT_FOUND],
      ['.assetsignore', ignoreFile(rules, ignored)],
      [
        `${HOSTS_FOLDER}/cloudflare-workers/wrangler.jsonc`,
        wranglerFile(rules, {}, { not_found_handling: '404-page' }),
      ],
    ]);
  },
};
