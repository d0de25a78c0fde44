/**
 * Cloudflare's `_redirects`. Rules without an asterisk come first, and the first that matches is followed whether or
 * not there is a file. The last three find `X.json` for `X.json`, `X/` and `X`, so that no document needs another name;
 * those before them leave what is no JSON as it is.
 */
import { atomUrl, timemapLinksUrl } from '../../api/endpoints.ts';
import { ANSWERED_ENDS, answeredForms } from '../../tree/url-forms.ts';
import { foremostRedirects } from '../foremost-redirects.ts';
import type { Limit } from '../host.ts';
import type { HostRules, Redirect } from '../rules.ts';

const MOST_STATIC = 2000;
/** The ends of the paths of raw documents, which are their files'. */
const RAW_PATHS = [timemapLinksUrl(''), atomUrl('')];
const STATIC_REWRITES = 2 + RAW_PATHS.length;

export const RULE_LIMITS: readonly Limit[] = [
  {
    of: 'header-rules',
    most: 100,
    source: 'developers.cloudflare.com/workers/static-assets/headers: 100 header rules',
  },
  {
    of: 'redirects',
    most: MOST_STATIC + 100,
    source:
      'developers.cloudflare.com/workers/static-assets/redirects: 2,000 static and 100 dynamic redirects',
  },
];

/** Each form of a path is a rule. */
export function redirectsWithin(rules: HostRules): readonly Redirect[] {
  return foremostRedirects(
    rules,
    ({ length }) => length * ANSWERED_ENDS.length + STATIC_REWRITES <= MOST_STATIC,
  );
}

export function redirectsFile({ prefix }: HostRules, redirects: readonly Redirect[]): string {
  const lines = [
    '# gridpress: redirects and rewrites. Generated; do not edit.',
    ...redirects.flatMap(({ from, to }) =>
      answeredForms(from).map((form) => `${prefix}${form} ${prefix}${to} 307`),
    ),
    `${prefix}/ ${prefix}/index.json 200`,
    ...(prefix === '' ? [] : [`${prefix} ${prefix}/index.json 200`]),
    ...RAW_PATHS.map((path) => `${prefix}${path} ${prefix}${path} 200`),
    ...RAW_PATHS.map((path) => `${prefix}/*${path} ${prefix}/:splat${path} 200`),
    `${prefix}/*.json ${prefix}/:splat.json 200`,
    `${prefix}/*/ ${prefix}/:splat.json 200`,
    `${prefix}/* ${prefix}/:splat.json 200`,
  ];
  return `${lines.join('\n')}\n`;
}
