/**
 * Netlify reads `_headers` and `_redirects`. Netlify rewrites a path without a file to the index file of a folder.
 * Netlify treats `X` and `X/` as the same path. If two rules set the same header, the later rule applies.
 */

import { NOT_FOUND } from '../api/problem.ts';
import { RAW_ENDING_PATTERN } from '../api/raw-forms.ts';
import { urlForms } from '../tree/url-forms.ts';
import { type Host, partly, unsupported } from './host.ts';
import { globOf } from './patterns.ts';
import {
  HOST_COMPRESSION,
  NO_FILE_TIMES,
  namesOnly,
  ONE_ETAG,
  PATH_ONLY,
  plainHeaders,
  RULES_MATCH_ERRORS,
  TOP_LEVEL_LATEST,
  topLevelRedirects,
  topLevelTombstones,
} from './plain-hosting.ts';
import { FORMS, type HostRules } from './rules.ts';

const MISSES_FILE = '404.html';
/** The forms of a path that need a rule. The rule for `/path` also matches `/path/`. */
const FORM_RULES = ['', '.json'] as const;
/** The maximum number of redirects and tombstones together. */
const MOST_RULES = 1000;

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  evidence: 'emulator',
  variants: namesOnly('{path}/index.json'),
  shortcomings: [
    partly(
      'media-types',
      'In the legacy dialect, .json paths also have the vendor media type.',
      /\.json is application\/vnd\.\S+, not application\/json$/,
    ),
    RULES_MATCH_ERRORS,
    partly('headers', 'Allow cannot be set. Redirects have none of the headers.', / has Allow: none$|\/latest has /),
    NO_FILE_TIMES,
    ONE_ETAG,
    partly(
      'not-found',
      'The problem document is an HTML page, or has the media type of its path. The host also serves files of the tree that are not documents. A trailing slash is ignored.',
      new RegExp(
        ` is 404 as | answers 404 with Cache-Control: |^/(?:sites\\.json/|404|40[45]\\.json|_gone/\\S+\\.json|\\.well-known/api-catalog/|\\S+${RAW_ENDING_PATTERN}/) answers 200, not 404$`,
      ),
    ),
    unsupported('method-not-allowed', 'The host handles other methods by its own rules, without a problem document.'),
    ...PATH_ONLY,
    HOST_COMPRESSION,
    partly(
      'gone',
      'The number of rules is limited: removed sites are first, then other children of sites, then nodes, as many whole levels as fit. The rest returns 404. A tombstone can have the media type of its path, and has the Cache-Control of documents.',
      / is 410 as application\/(?:json|vnd\.\S+)$| answers 410 with Cache-Control: public, max-age=\d+, s-maxage=|^(?:HEAD )?\/sites\/[^/]+\/\S+ answers 404, not 410$/,
    ),
    TOP_LEVEL_LATEST,
  ],
  limits: [
    {
      of: 'directory-files',
      most: 54_000,
      source: 'docs.netlify.com/deploy/deploy-overview: 54,000 files in one directory',
    },
  ],
  files: (rules) =>
    new Map([
      ['_headers', headersFile(rules)],
      ['_redirects', redirectsFile(rules)],
      [MISSES_FILE, NOT_FOUND],
    ]),
};

function headersFile(rules: HostRules): string {
  const { prefix, problemType, tombstoneFolder } = rules;
  const { Allow: _, ...common } = plainHeaders(rules);
  return [
    '# gridpress: headers by path. Generated; do not edit.',
    rule(`${prefix}/*`, {
      ...common,
      'Cache-Control': rules.cacheControl.mutable,
      ...(rules.vendorTypes ? {} : { 'Content-Type': rules.plainType }),
    }),
    ...(rules.vendorTypes ? mediaTypeRules(rules) : []),
    ...rules.raw.flatMap(({ mediaType, templates }) =>
      templates.map((template) => rule(rules.prefix + globOf(template), { 'Content-Type': mediaType })),
    ),
    rule(`${prefix}/${tombstoneFolder}/*`, { 'Content-Type': problemType }),
    rule(`/${MISSES_FILE}`, { 'Content-Type': problemType }),
    '',
  ].join('\n');
}

/** Writes rules for a path and for its index file, because Netlify does not document which path the rules match. */
function mediaTypeRules({ prefix, classes }: HostRules): string[] {
  const ordered = FORMS.flatMap((form) => classes.filter((each) => each.form === form));
  return ordered.flatMap(({ mediaType, templates }) =>
    templates.map(globOf).flatMap((glob) => {
      const paths = [prefix + glob, `${prefix}${glob}${glob.endsWith('/') ? '' : '/'}index.json`];
      return paths.map((path) => rule(path, { 'Content-Type': mediaType }));
    }),
  );
}

function redirectsFile(rules: HostRules): string {
  const { prefix, tombstoneFolder, pages } = rules;
  const most = MOST_RULES - pages.length;
  const redirects = topLevelRedirects(rules, ({ length }) => length * FORM_RULES.length <= most);
  const gone = topLevelTombstones(rules, ({ length }) => (redirects.length + length) * FORM_RULES.length <= most);
  return [
    '# gridpress: redirects and rewrites. Generated; do not edit.',
    ...redirects.flatMap(({ from, to }) =>
      urlForms(from, FORM_RULES).map((form) => `${prefix}${form} ${prefix}${to} 307!`),
    ),
    ...gone.flatMap((path) =>
      urlForms(path, FORM_RULES).map((form) => `${prefix}${form} ${prefix}/${tombstoneFolder}${path}.json 410`),
    ),
    ...pages.map(({ folder, page }) => `${prefix}${folder} ${prefix}${page} 307!`),
    `${prefix}/ ${prefix}/index.json 200`,
    `${prefix}/* ${prefix}/:splat/index.json 200`,
    '',
  ].join('\n');
}

function rule(path: string, headers: Readonly<Record<string, string>>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');
}
