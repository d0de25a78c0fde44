/**
 * Cloudflare's `_redirects`. Rules without an asterisk come first, and the first that matches is followed whether or
 * not there is a file. The last three find `X.json` for `X.json`, `X/` and `X`, so that no document needs another name;
 * those before them leave what is no JSON as it is.
 */
import { ANSWERED_ENDS, answeredForms } from '../../tree/url-forms.ts';
import { foremostRedirects } from '../foremost-redirects.ts';
import type { Limit } from '../host.ts';
import { rawGlobs } from '../patterns.ts';
import type { HostRules, Redirect } from '../rules.ts';

const MOST_STATIC = 2000;
/** That of the root, and that of a prefix. */
const ROOT_REWRITES = 2;

export const RULE_LIMITS: readonly Limit[] = [
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
export function redirectsWithin(rules: HostRules): readonly Redirect[] {
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

export function redirectsFile(rules: HostRules, redirects: readonly Redirect[]): string {
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
