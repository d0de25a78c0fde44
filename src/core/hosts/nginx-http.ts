import { SNAPSHOTS_PATH } from '../api/urls.ts';
import { CODINGS, PRETTY_FOLDER } from '../tree/layout.ts';
import {
  ACCEPTS_JSON,
  acceptsCoding,
  escapeRegExp,
  formPattern,
  historyInSnapshotPattern,
  immutablePattern,
  namesVendor,
  pcreRequestPattern,
  pcreRootPattern,
  prefersGzip,
  quotedArgument,
  satisfiableRangePattern,
  withPcreEnd,
} from './patterns.ts';
import {
  BROWSER_VALUE,
  DEEP_END,
  DEEP_QUERY,
  deepInPlacePattern,
  HISTORY_END,
  queriedPattern,
  revisionQuery,
  VIEW_EXCEPTIONS,
  viewedPattern,
} from './request-redirects.ts';
import { type HostRules, rulesName } from './rules.ts';

/** Names of groups in patterns. PCRE allows at most 32 characters. */
const STEM = 'gridpress_stem';
const SNAPSHOT = 'gridpress_snapshot';
const RANGE = 'gridpress_range';
const TARGET = 'gridpress_target';
const VIEW = 'gridpress_view';
const ASKED = 'gridpress_asked_revision';
const REVISION = 'gridpress_revision';
const RESOURCE = 'gridpress_resource';
const DEEP_RESOURCE = 'gridpress_deep_resource';
const PLACE = 'gridpress_place';

/** Writes a `map` directive. The name of the variable depends on the dialect and the prefix. */
function map(rules: HostRules, source: string, variable: string, rows: readonly string[], otherwise = '""'): string {
  const lines = [`default ${otherwise}`, ...rows].map((row) => `  ${row};\n`);
  return `map ${source} $${rulesName(rules)}_${variable} {\n${lines.join('')}}\n`;
}

export function httpFile(rules: HostRules): string {
  const { prefix, redirects } = rules;
  const name = `$${rulesName(rules)}`;
  const { gzip, br } = CODINGS;
  return [
    '# gridpress: for the http block. Generated; do not edit.\n',
    '# The path without prefix and suffix, "/index" for the root; empty for paths that cannot be documents.\n',
    map(rules, '$uri', 'path', [
      `"~${pcreRootPattern(rules)}" "/index"`,
      `"~${pcreRequestPattern(rules, STEM)}" $${STEM}`,
    ]),
    '# A document that must exist: the snapshot in the path of a history.\n',
    map(rules, '$uri', 'within', [`"~${historyInSnapshotPattern(rules, SNAPSHOT)}" $${SNAPSHOT}`], '"/index"'),
    browserMap(rules),
    map(rules, '"$http_x_rack_prettyjson:$args"', 'variant', [
      '":" ""',
      `"~^yes:" "/${PRETTY_FOLDER}"`,
      `"~[:&]pretty(?:=(?!(?:no|false|0)(?:&|$))|&|$)" "/${PRETTY_FOLDER}"`,
    ]),
    queryMaps(rules),
    typingMaps(rules),
    map(
      rules,
      `${name}_path`,
      'cache_class',
      [`"~${immutablePattern(rules)}" "${rules.cacheControl.immutable}"`],
      `"${rules.cacheControl.mutable}"`,
    ),
    '# Empty for unsatisfiable ranges: nginx rejects them after it sets the headers, and errors must not be cached.\n',
    map(rules, '"$http_range $sent_http_content_length"', 'range', [
      '"~*^(?!bytes=[^ ])" 1',
      `"~${satisfiableRangePattern(RANGE)}" 1`,
    ]),
    map(rules, '$http_range', 'has_range', ['"" 1'], `${name}_range`),
    map(
      rules,
      `"$status${name}_has_range"`,
      'cache_control',
      [2001, 304, 3041].map((status) => `${status} ${name}_cache_class`),
    ),
    '# The date of a version or of a document in a snapshot (RFC 7089).\n',
    map(
      rules,
      `"$status ${name}_cache_class"`,
      'memento',
      [200, 206].map((status) => `"${status} ${rules.cacheControl.immutable}" $sent_http_last_modified`),
    ),
    '# The ending of the accepted compressed file. Range requests get the uncompressed file.\n',
    map(rules, '$http_accept_encoding', 'coded', [
      '"" ""',
      `"~*${prefersGzip()}" "${gzip}"`,
      `"~*${acceptsCoding('br')}" "${br}"`,
      `"~*${acceptsCoding('gzip')}" "${gzip}"`,
    ]),
    map(rules, '$http_range', 'ending', [`"" ${name}_coded`]),
    map(
      rules,
      '"$status$uri"',
      'coding',
      Object.entries(CODINGS).map(([coding, ending]) => `"~^200/.*${escapeRegExp(ending)}\\z" "${coding}"`),
    ),
    map(rules, '$request_method', 'writes', ['GET ""', 'HEAD ""'], '1'),
    map(
      rules,
      `${name}_path`,
      'newest',
      redirects.map(({ from, to }) => `${quotedArgument(from)} ${quotedArgument(prefix + to)}`),
    ),
    '# The map ignores case, but paths are case-sensitive.\n',
    map(rules, `"${name}_path ${name}_newest"`, 'exact', [
      `"~^(.*)/latest (?<${TARGET}>${escapeRegExp(prefix)}\\1/[0-9a-f]{40})\\z" $${TARGET}`,
    ]),
    map(rules, `${name}_newest`, 'redirect', ['"" ""'], `${name}_exact`),
  ].join('');
}

function browserMap(rules: HostRules): string {
  if (!rules.redirectsBrowsers) return '';
  const viewed = withPcreEnd(viewedPattern(rules, VIEW)).slice(1);
  return map(rules, '"$http_sec_fetch_dest:$args:$uri"', 'view', [
    `"~${withPcreEnd(VIEW_EXCEPTIONS)}" ""`,
    `"~^${BROWSER_VALUE}::${viewed}" $${VIEW}`,
  ]);
}

function queryMaps(rules: HostRules): string {
  const { prefix, deep, resources } = rules;
  const name = `$${rulesName(rules)}`;
  const captured = `(?<${REVISION}>[^:]+)`;
  const snapshot = `${prefix}${SNAPSHOTS_PATH}/$${REVISION}`;
  const deepRows = [
    `"~^${captured}:deep:${withPcreEnd(queriedPattern(deep, DEEP_RESOURCE))}" "${snapshot}$${DEEP_RESOURCE}${DEEP_END}"`,
    `"~^:deep:${withPcreEnd(deepInPlacePattern(rules, PLACE))}" "${prefix}$${PLACE}${DEEP_END}"`,
  ];
  return [
    '# The revision in a query, and the target of the redirect: a snapshot or a deep document.\n',
    map(rules, '$args', 'revision', [`"~${revisionQuery(ASKED)}" $${ASKED}`]),
    map(rules, '$args', 'deep', [`"~${DEEP_QUERY}" "deep"`]),
    map(rules, `"${name}_revision:${name}_deep:${name}_path"`, 'queried', [
      '"~^::" ""',
      `"~${withPcreEnd(HISTORY_END)}" ""`,
      ...(deep.length === 0 ? [] : deepRows),
      `"~^${captured}:[^:]*:${withPcreEnd(queriedPattern(resources, RESOURCE))}" "${snapshot}$${RESOURCE}"`,
    ]),
    map(rules, `${name}_queried`, 'queried_file', ['"" ""'], `"${name}_queried.json"`),
    map(rules, `"${name}_revision${name}_queried"`, 'is_past', ['"~^[0-9A-Fa-f]{40}/" 1']),
    map(rules, '$uri', 'form', ['"~\\.json\\z" ".json"']),
    map(rules, `${name}_variant`, 'kept_query', ['"" ""'], '"?pretty"'),
  ].join('');
}

function typingMaps(rules: HostRules): string {
  const { vendorTypes } = rules;
  const name = `$${rulesName(rules)}`;
  if (!vendorTypes) return '';
  return [
    '# Paths that end in .json, and requests for application/json without a vendor media type, get application/json.\n',
    map(rules, '$http_accept', 'accepted', [
      '"" ""',
      '"*/*" ""',
      `"~*${namesVendor(vendorTypes)}" ""`,
      `"~*${ACCEPTS_JSON}" "plain"`,
    ]),
    map(rules, '$uri', 'asked', ['"~\\.json$" "plain"'], `${name}_accepted`),
    map(
      rules,
      `"${name}_asked${name}_path"`,
      'type',
      [
        '"~^plain" "plain"',
        `"~${formPattern(rules, 'collection')}" "collection"`,
        `"~${formPattern(rules, 'feed')}" "feed"`,
      ],
      '"item"',
    ),
  ].join('');
}
