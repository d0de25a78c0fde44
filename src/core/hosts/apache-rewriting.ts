import type { Form } from '../api/endpoints.ts';
import { latestVersionUrl, SNAPSHOTS_PATH } from '../api/urls.ts';
import { CODINGS, PRETTY_FOLDER } from '../tree/layout.ts';
import {
  ACCEPTS_JSON,
  acceptsCoding,
  escapeRegExp,
  formPattern,
  historyInSnapshotPattern,
  immutablePattern,
  manifestPattern,
  namesVendor,
  optionalPrefix,
  pcreRawPattern,
  pcreRequestPattern,
  pcreRootPattern,
  prefersGzip,
  STEM_GROUP,
  withPcreEnd,
} from './patterns.ts';
import {
  BROWSER_HEADER,
  BROWSER_VALUE,
  DEEP_END,
  DEEP_QUERY,
  deepInPlacePattern,
  HISTORY_END,
  queriedPattern,
  revisionQuery,
  VIEW_EXCEPTIONS,
  viewedPattern,
  viewsUrl,
} from './request-redirects.ts';
import type { HostRules } from './rules.ts';

/** The directives that differ between a virtual host and a `.htaccess`. */
export interface DirectiveContext {
  readonly scope: string;
  readonly tree: string;
  readonly flags: string;
  readonly variablePrefix: string;
  /** The rules that redirect to the newest version. They follow a RewriteCond that checks the requested path. */
  readonly latestRedirect: string;
  /** The expression for the Last-Modified header of documents that show the head. */
  readonly lastModified: string;
  /** Returns the end of a RewriteRule that redirects (302) to the path in gridpress_target and appends `query`. */
  readonly queryRedirect: (query: string) => string;
}

const PRETTY_QUERY = '(?:^|&)pretty(?:=(?!(?:no|false|0)(?:&|$))|&|\\z)';

function ruleWriter(scope: string) {
  const rule = (change: string, flag: string) => `RewriteRule "${scope}" "${change}" "[${flag}]"\n`;
  const when = (subject: string, pattern: string, flag = '') =>
    `RewriteCond %{${subject}} "${withPcreEnd(pattern)}"${flag}\n`;
  const ruleIf = (subject: string, pattern: string, flag: string) => when(subject, pattern) + rule('-', flag);
  return { rule, when, ruleIf };
}

export function rewriting(
  rules: HostRules,
  { scope, tree, flags, latestRedirect, queryRedirect }: DirectiveContext,
): string {
  const { prefix, tombstoneFolder } = rules;
  const { rule, when, ruleIf } = ruleWriter(scope);
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
        return `${condition}RewriteCond %{HTTP:Accept-Encoding} "${pattern}" [NC,NV]
RewriteCond "${tree}${file}" -f
${rule(prefix + file, `E=gridpress_coding:${coding},${flags}`)}`;
      })
      .join('');
  return [
    '# Error documents and rewritten requests.\n',
    ruleIf('ENV:REDIRECT_STATUS', '.', 'END'),
    'RewriteCond %{REQUEST_METHOD} "=OPTIONS"\n',
    rule('-', 'R=204,L'),
    'RewriteCond %{REQUEST_METHOD} "!^(?:GET|HEAD)$"\n',
    rule('-', 'R=405,L'),
    '# The system rejects longer paths.\n',
    ruleIf('REQUEST_URI', '^.{2000}', 'R=404,L'),
    '# The path without prefix and suffix, "/index" for the root; unset for paths that cannot be documents.\n',
    ruleIf('REQUEST_URI', manifestPattern(rules), 'END'),
    browserRedirect(rules, scope),
    ...rules.pages.map(
      ({ folder, page }) =>
        when('REQUEST_URI', `^${escapeRegExp(prefix)}${optionalPrefix(prefix)}${escapeRegExp(folder)}/?$`) +
        rule(prefix + page, 'R=307,L'),
    ),
    ruleIf('REQUEST_URI', pcreRawPattern(rules, rules.raw), 'E=gridpress_raw:%1'),
    ...(rules.raw.some(({ cache }) => cache === 'immutable')
      ? [ruleIf('ENV:gridpress_raw', immutablePattern(rules), 'E=gridpress_immutable:1')]
      : []),
    coded(raw, when('ENV:gridpress_raw', '.')),
    when('ENV:gridpress_raw', '.') + rule(`${prefix}${raw}`, flags),
    ruleIf('REQUEST_URI', pcreRequestPattern(rules), `E=gridpress_path:%${STEM_GROUP}`),
    ruleIf('REQUEST_URI', pcreRootPattern(rules), 'E=gridpress_path:/index'),
    '# The path of a history below a snapshot excludes the snapshot, which must exist.\n',
    when('REQUEST_URI', historyInSnapshotPattern(rules)),
    `RewriteCond "${tree}%1.json" !-f\n`,
    rule('-', 'R=404,L'),
    ruleIf('ENV:gridpress_path', '^$', 'R=404,L'),
    when('ENV:gridpress_path', `${escapeRegExp(latestVersionUrl(''))}$`),
    latestRedirect,
    queryRules(rules, { scope, tree, queryRedirect }),
    '# Removed resources return their tombstone.\n',
    `RewriteCond "${tree}%{ENV:gridpress_path}.json" !-f\n`,
    `RewriteCond "${tree}/${tombstoneFolder}%{ENV:gridpress_path}.json" -f\n`,
    rule('-', 'R=410,L'),
    '# A revision without such a document returns 404.\n',
    'RewriteCond "%{ENV:gridpress_revision}%{ENV:gridpress_queried}" "^[0-9A-Fa-f]{40}/"\n',
    rule('-', 'R=404,L'),
    ruleIf('ENV:gridpress_path', immutablePattern(rules), 'E=gridpress_immutable:1'),
    typing(rules, scope),
    `RewriteCond %{QUERY_STRING} "${PRETTY_QUERY}" [OR]\n`,
    when('HTTP:X-Rack-PrettyJSON', '^yes$', ' [NV]'),
    rule('-', `E=gridpress_variant:/${PRETTY_FOLDER}`),
    // Excludes vendor media types. Clients of these types cannot decompress, even if they send Accept-Encoding.
    coded(file, rules.vendorTypes ? when('ENV:gridpress_type', `^${escapeRegExp(rules.plainType)}$`) : ''),
    rule(`${prefix}${file}`, flags),
  ].join('');
}

function browserRedirect(rules: HostRules, scope: string): string {
  if (!rules.redirectsBrowsers) return '';
  return `RewriteCond %{HTTP:${BROWSER_HEADER}} "=${BROWSER_VALUE}" [NV]
RewriteCond %{QUERY_STRING} "^$"
RewriteCond %{REQUEST_URI} "!${withPcreEnd(VIEW_EXCEPTIONS)}"
RewriteCond %{REQUEST_URI} "${withPcreEnd(viewedPattern(rules))}"
RewriteRule "${scope}" "${viewsUrl(rules)}%1" "[R=302,NE,L]"
`;
}

function queryRules(
  rules: HostRules,
  { scope, tree, queryRedirect }: Pick<DirectiveContext, 'scope' | 'tree' | 'queryRedirect'>,
): string {
  const set = (name: string, value: string) => `RewriteRule "${scope}" "-" "[E=gridpress_${name}:${value}]"\n`;
  const queried = '%{ENV:gridpress_queried}';
  const asked = `RewriteCond "%{ENV:gridpress_revision}:%{ENV:gridpress_deep}:%{ENV:gridpress_path}"`;
  const captured = '([^:]+)';
  const isNoHistory = `RewriteCond %{ENV:gridpress_path} "!${withPcreEnd(HISTORY_END)}"\n`;
  const ofDeep =
    rules.deep.length === 0
      ? []
      : [
          `${asked} "^${captured}:deep:${withPcreEnd(queriedPattern(rules.deep))}"\n`,
          set('queried', `${SNAPSHOTS_PATH}/%1%2${DEEP_END}`),
          `${asked} "^:deep:${withPcreEnd(deepInPlacePattern(rules))}"\n`,
          set('queried', `%1${DEEP_END}`),
        ];
  return [
    '# The revision in a query, and the target of the redirect: a snapshot or a deep document.\n',
    isNoHistory,
    `RewriteCond %{QUERY_STRING} "${revisionQuery()}"\n`,
    set('revision', '%1'),
    isNoHistory,
    `RewriteCond %{QUERY_STRING} "${DEEP_QUERY}"\n`,
    set('deep', 'deep'),
    `${asked} "^${captured}:[^:]*:${withPcreEnd(queriedPattern(rules.resources))}"\n`,
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
      `RewriteRule "${scope}" ${queryRedirect(kept)}\n`,
    ]),
  ].join('');
}

function typing(rules: HostRules, scope: string): string {
  const { vendorTypes, plainType } = rules;
  if (!vendorTypes) return '';
  const { rule, when, ruleIf } = ruleWriter(scope);
  const typed = (form: Form) => `E=gridpress_type:${vendorTypes[form]}; charset=utf-8`;
  return [
    '# Paths that end in .json, and requests for application/json without a vendor media type, get application/json.\n',
    rule('-', typed('item')),
    ruleIf('ENV:gridpress_path', formPattern(rules, 'collection'), typed('collection')),
    ruleIf('ENV:gridpress_path', formPattern(rules, 'feed'), typed('feed')),
    `RewriteCond %{HTTP:Accept} "!${namesVendor(vendorTypes)}" [NC,NV]\n`,
    when('HTTP:Accept', ACCEPTS_JSON, ' [NC,NV]'),
    rule('-', `E=gridpress_type:${plainType}`),
    ruleIf('REQUEST_URI', '\\.json$', `E=gridpress_type:${plainType}`),
  ].join('');
}
