/** How Apache comes from a request to the file that answers it, and notes in variables what its headers must be. */

import { latestVersionUrl, SNAPSHOTS_PATH } from '../api/urls.ts';
import { CODINGS, PRETTY_FOLDER } from '../tree/layout.ts';
import {
  ACCEPTS_JSON,
  acceptsCoding,
  collectionsPattern,
  feedsPattern,
  historyInSnapshotPattern,
  immutablePattern,
  literally,
  manifestPattern,
  namesVendor,
  optionally,
  pcreRawPattern,
  pcreRequestPattern,
  pcreRootPattern,
  prefersGzip,
  STEM_GROUP,
  toTheVeryEnd,
} from './patterns.ts';
import {
  BROWSER_HEADER,
  BROWSER_VALUE,
  DEEP_END,
  DEEP_QUERY,
  deepInPlacePattern,
  HISTORY_END,
  NOT_VIEWED,
  queriedPattern,
  revisionQuery,
  viewedPattern,
  viewsUrl,
} from './request-redirects.ts';
import type { HostRules } from './rules.ts';

/** Where rules stand, which decides what they match, how they end, and under which names their variables come back. */
export interface DirectiveContext {
  /** What rules match besides their conditions. */
  readonly scope: string;
  /** The folder of the tree. */
  readonly tree: string;
  /** How a rule leads to a file. */
  readonly flags: string;
  /** What stands before the names of variables when headers are set. */
  readonly before: string;
  /** What redirects, after a condition that the path is of a latest version. */
  readonly redirecting: string;
  /** The change and the flags of a rule that leads by 302 to the path in the variable gridpress_target, with a query. */
  readonly leading: (query: string) => string;
}

const PRETTY_QUERY = '(?:^|&)pretty(?:=(?!(?:no|false|0)(?:&|$))|&|\\z)';

export function rewriting(rules: HostRules, { scope, tree, flags, redirecting, leading }: DirectiveContext): string {
  const { prefix, goneFolder } = rules;
  const rule = (change: string, flag: string) => `RewriteRule "${scope}" "${change}" "[${flag}]"\n`;
  const when = (subject: string, pattern: string, flag = '') =>
    `RewriteCond %{${subject}} "${toTheVeryEnd(pattern)}"${flag}\n`;
  const file = '%{ENV:gridpress_variant}%{ENV:gridpress_path}.json';
  const raw = '%{ENV:gridpress_raw}';
  const wanted = [
    ['gzip', prefersGzip()],
    ['br', acceptsCoding('br')],
    ['gzip', acceptsCoding('gzip')],
  ] as const;
  const coded = (text: string, condition: string) =>
    wanted
      .map(([coding, pattern]) => {
        const file = text + CODINGS[coding];
        return [
          condition,
          `RewriteCond %{HTTP:Accept-Encoding} "${pattern}" [NC,NV]\n`,
          `RewriteCond "${tree}${file}" -f\n`,
          rule(prefix + file, `E=gridpress_coding:${coding},${flags}`),
        ].join('');
      })
      .join('');
  return [
    '# Error documents, and what was rewritten already.\n',
    when('ENV:REDIRECT_STATUS', '.'),
    rule('-', 'END'),
    'RewriteCond %{REQUEST_METHOD} "=OPTIONS"\n',
    rule('-', 'R=204,L'),
    'RewriteCond %{REQUEST_METHOD} "!^(?:GET|HEAD)$"\n',
    rule('-', 'R=405,L'),
    '# The path without prefix and suffix, "/index" for the root; none for what can be no document.\n',
    when('REQUEST_URI', manifestPattern(rules)),
    rule('-', 'END'),
    browserRedirect(rules, scope),
    ...rules.pages.map(
      ({ folder, page }) =>
        when('REQUEST_URI', `^${literally(prefix)}${optionally(prefix)}${literally(folder)}/?$`) +
        rule(prefix + page, 'R=307,L'),
    ),
    when('REQUEST_URI', pcreRawPattern(rules, rules.raw)),
    rule('-', 'E=gridpress_raw:%1'),
    ...(rules.raw.some(({ cache }) => cache === 'immutable')
      ? [when('ENV:gridpress_raw', immutablePattern(rules)), rule('-', 'E=gridpress_immutable:1')]
      : []),
    coded(raw, when('ENV:gridpress_raw', '.')),
    when('ENV:gridpress_raw', '.') + rule(`${prefix}${raw}`, flags),
    when('REQUEST_URI', pcreRequestPattern(rules)),
    rule('-', `E=gridpress_path:%${STEM_GROUP}`),
    when('REQUEST_URI', pcreRootPattern(rules)),
    rule('-', 'E=gridpress_path:/index'),
    '# A history in a snapshot is that of the registry, where there is that snapshot.\n',
    when('REQUEST_URI', historyInSnapshotPattern(rules)),
    `RewriteCond "${tree}%1.json" !-f\n`,
    rule('-', 'R=404,L'),
    when('ENV:gridpress_path', '^$'),
    rule('-', 'R=404,L'),
    when('ENV:gridpress_path', `${literally(latestVersionUrl(''))}$`),
    redirecting,
    queryRules(rules, { scope, tree, leading }),
    '# What is not there may be gone: then its tombstone answers.\n',
    `RewriteCond "${tree}%{ENV:gridpress_path}.json" !-f\n`,
    `RewriteCond "${tree}/${goneFolder}%{ENV:gridpress_path}.json" -f\n`,
    rule('-', 'R=410,L'),
    '# A revision without such a document has no other answer.\n',
    'RewriteCond "%{ENV:gridpress_revision}%{ENV:gridpress_queried}" "^[0-9A-Fa-f]{40}/"\n',
    rule('-', 'R=404,L'),
    when('ENV:gridpress_path', immutablePattern(rules)),
    rule('-', 'E=gridpress_immutable:1'),
    typing(rules, rule, when),
    `RewriteCond %{QUERY_STRING} "${PRETTY_QUERY}" [OR]\n`,
    when('HTTP:X-Rack-PrettyJSON', '^yes$', ' [NV]'),
    rule('-', `E=gridpress_variant:/${PRETTY_FOLDER}`),
    // Clients that ask for the vendor's types decode nothing, whatever they say that they accept.
    coded(file, rules.vendorTypes ? when('ENV:gridpress_type', `^${literally(rules.plainType)}$`) : ''),
    rule(`${prefix}${file}`, flags),
  ].join('');
}

/** Browsers that navigate are led to the explorer. */
function browserRedirect(rules: HostRules, scope: string): string {
  if (!rules.redirectsBrowsers) return '';
  return [
    `RewriteCond %{HTTP:${BROWSER_HEADER}} "=${BROWSER_VALUE}" [NV]\n`,
    'RewriteCond %{QUERY_STRING} "^$"\n',
    `RewriteCond %{REQUEST_URI} "!${toTheVeryEnd(NOT_VIEWED)}"\n`,
    `RewriteCond %{REQUEST_URI} "${toTheVeryEnd(viewedPattern(rules))}"\n`,
    `RewriteRule "${scope}" "${viewsUrl(rules)}%1" "[R=302,NE,L]"\n`,
  ].join('');
}

/** Where a query leads: to a snapshot, or to all that is below an item. */
function queryRules(
  rules: HostRules,
  { scope, tree, leading }: Pick<DirectiveContext, 'scope' | 'tree' | 'leading'>,
): string {
  const set = (name: string, value: string) => `RewriteRule "${scope}" "-" "[E=gridpress_${name}:${value}]"\n`;
  const queried = '%{ENV:gridpress_queried}';
  const asked = `RewriteCond "%{ENV:gridpress_revision}:%{ENV:gridpress_deep}:%{ENV:gridpress_path}"`;
  const captured = '([^:]+)';
  const isNoHistory = `RewriteCond %{ENV:gridpress_path} "!${toTheVeryEnd(HISTORY_END)}"\n`;
  const ofDeep =
    rules.deep.length === 0
      ? []
      : [
          `${asked} "^${captured}:deep:${toTheVeryEnd(queriedPattern(rules.deep))}"\n`,
          set('queried', `${SNAPSHOTS_PATH}/%1%2${DEEP_END}`),
          `${asked} "^:deep:${toTheVeryEnd(deepInPlacePattern(rules))}"\n`,
          set('queried', `%1${DEEP_END}`),
        ];
  return [
    '# The revision that a query asks for, and where it leads: to a snapshot, or to all that is below an item.\n',
    isNoHistory,
    `RewriteCond %{QUERY_STRING} "${revisionQuery()}"\n`,
    set('revision', '%1'),
    isNoHistory,
    `RewriteCond %{QUERY_STRING} "${DEEP_QUERY}"\n`,
    set('deep', 'deep'),
    `${asked} "^${captured}:[^:]*:${toTheVeryEnd(queriedPattern(rules.resources))}"\n`,
    set('queried', `${SNAPSHOTS_PATH}/%1%2`),
    ...ofDeep,
    `RewriteCond "${queried}" "."\n`,
    `RewriteCond "${tree}${queried}.json" -f\n`,
    set('target', `${rules.prefix}${queried}`),
    'RewriteCond %{ENV:gridpress_target} "."\n',
    'RewriteCond %{REQUEST_URI} "\\.json\\z"\n',
    set('target', '%{ENV:gridpress_target}.json'),
    ...(['?pretty', ''] as const).flatMap((kept) => [
      'RewriteCond %{ENV:gridpress_target} "."\n',
      kept === '' ? '' : `RewriteCond %{QUERY_STRING} "${PRETTY_QUERY}"\n`,
      `RewriteRule "${scope}" ${leading(kept)}\n`,
    ]),
  ].join('');
}

function typing(
  rules: HostRules,
  rule: (change: string, flag: string) => string,
  when: (subject: string, pattern: string, flag?: string) => string,
): string {
  const { vendorTypes, plainType } = rules;
  if (!vendorTypes) return '';
  return [
    "# Paths that end in .json, and requests for application/json and not for the vendor's types, get application/json.\n",
    rule('-', `E=gridpress_type:${vendorTypes.item}; charset=utf-8`),
    when('ENV:gridpress_path', collectionsPattern(rules)),
    rule('-', `E=gridpress_type:${vendorTypes.collection}; charset=utf-8`),
    when('ENV:gridpress_path', feedsPattern(rules)),
    rule('-', `E=gridpress_type:${vendorTypes.feed}; charset=utf-8`),
    `RewriteCond %{HTTP:Accept} "!${namesVendor(vendorTypes)}" [NC,NV]\n`,
    when('HTTP:Accept', ACCEPTS_JSON, ' [NC,NV]'),
    rule('-', `E=gridpress_type:${plainType}`),
    when('REQUEST_URI', '\\.json$'),
    rule('-', `E=gridpress_type:${plainType}`),
  ].join('');
}
