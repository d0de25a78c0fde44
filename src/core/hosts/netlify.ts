/**
 * Netlify: `_headers` and `_redirects` at the root of what is deployed. A path without a file is rewritten to its index
 * file; Netlify itself takes `X` and `X/` for one. Of two rules that set a header, the later one holds.
 */

import { NOT_FOUND } from '../api/problem.ts';
import { RAW_ENDING_PATTERN } from '../api/raw-forms.ts';
import { urlForms } from '../tree/url-forms.ts';
import type { Host } from './host.ts';
import { globOf } from './patterns.ts';
import {
  CHOSEN_BY_PATH,
  COMPRESSED_ON_THE_WAY,
  FOREMOST_LATEST,
  foremostGone,
  foremostRedirects,
  MISSES_SHARE_RULES,
  NO_ACCEPT,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
  plainHeaders,
} from './plain-hosting.ts';
import type { HostRules } from './rules.ts';

const MISSES_FILE = '404.html';
/** `/path` (which is `/path/` too) and `/path.json`. */
const FORM_RULES = ['', '.json'] as const;
/** Redirects and tombstones together. */
const MOST_RULES = 1000;

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  evidence: 'emulator',
  variants: namesOnly('{path}/index.json'),
  shortcomings: [
    {
      capability: 'media-types',
      extent: 'partly',
      why: 'In the legacy dialect paths that end in .json have the vendor type too.',
      covers: /\.json is application\/vnd\.\S+, not application\/json$/,
    },
    NO_ACCEPT,
    MISSES_SHARE_RULES,
    {
      capability: 'headers',
      extent: 'partly',
      why: 'Allow cannot be set: Netlify keeps it for itself. Redirects are sent without any of them.',
      covers: / has Allow: none$|\/latest has /,
    },
    { capability: 'last-modified', extent: 'none', why: 'Files are kept without their times.' },
    ONE_ETAG,
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'The problem document is a page for misses, with the media type of a page or of its path. Files of the tree that are no documents are answered, and a slash at the end is ignored.',
      covers: new RegExp(
        ` is 404 as | answers 404 with Cache-Control: |^/(?:sites\\.json/|404|40[45]\\.json|_gone/\\S+\\.json|\\.well-known/api-catalog/|\\S+${RAW_ENDING_PATTERN}/) answers 200, not 404$`,
      ),
    },
    {
      capability: 'method-not-allowed',
      extent: 'none',
      why: 'Other methods are answered as Netlify likes, without a problem document.',
    },
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    COMPRESSED_ON_THE_WAY,
    {
      capability: 'gone',
      extent: 'partly',
      why: 'The number of rules is bounded: sites that were removed answer, then what stands directly below sites, then nodes, while all of a level fit; the rest is 404. A tombstone may have the media type of its path, and the Cache-Control of everything.',
      covers:
        / is 410 as application\/(?:json|vnd\.\S+)$| answers 410 with Cache-Control: public, max-age=\d+, s-maxage=|^(?:HEAD )?\/sites\/[^/]+\/\S+ answers 404, not 410$/,
    },
    FOREMOST_LATEST,
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
  const { prefix, problemType, goneFolder } = rules;
  const { Allow: _, ...common } = plainHeaders(rules);
  return [
    '# gridpress: headers by path. Generated; do not edit.',
    rule(`${prefix}/*`, {
      ...common,
      'Cache-Control': rules.cacheControl('mutable'),
      ...(rules.vendorTypes ? {} : { 'Content-Type': rules.plainType }),
    }),
    ...(rules.vendorTypes ? mediaTypeRules(rules) : []),
    ...rules.raw.flatMap(({ mediaType, templates }) =>
      templates.map((template) => rule(rules.prefix + globOf(template), { 'Content-Type': mediaType })),
    ),
    rule(`${prefix}/${goneFolder}/*`, { 'Content-Type': problemType }),
    rule(`/${MISSES_FILE}`, { 'Content-Type': problemType }),
    '',
  ].join('\n');
}

/** Rules for paths and for their index files, since it is not said which of the two is looked at. */
function mediaTypeRules(rules: HostRules): string[] {
  return (['item', 'collection', 'feed'] as const).flatMap((form) =>
    rules.classes
      .filter((each) => each.form === form)
      .flatMap(({ mediaType, templates }) =>
        templates.flatMap((template) => {
          const path = rules.prefix + globOf(template);
          return [path, `${path}${path.endsWith('/') ? '' : '/'}index.json`].map((each) =>
            rule(each, { 'Content-Type': mediaType }),
          );
        }),
      ),
  );
}

function redirectsFile(rules: HostRules): string {
  const { prefix, goneFolder, pages } = rules;
  const most = MOST_RULES - pages.length;
  const redirects = foremostRedirects(rules, ({ length }) => length * FORM_RULES.length <= most);
  const gone = foremostGone(rules, ({ length }) => (redirects.length + length) * FORM_RULES.length <= most);
  return [
    '# gridpress: redirects and rewrites. Generated; do not edit.',
    ...redirects.flatMap(({ from, to }) =>
      urlForms(from, FORM_RULES).map((form) => `${prefix}${form} ${prefix}${to} 307!`),
    ),
    ...gone.flatMap((path) =>
      urlForms(path, FORM_RULES).map((form) => `${prefix}${form} ${prefix}/${goneFolder}${path}.json 410`),
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
