/** The file for the `http` block of nginx: all that a request asks for, as variables, worked out when they are needed. */

import { SNAPSHOTS_PATH } from '../api/urls.ts';
import { CODINGS, PRETTY_FOLDER } from '../tree/layout.ts';
import {
  ACCEPTS_JSON,
  acceptsCoding,
  collectionsPattern,
  feedsPattern,
  historyInSnapshotPattern,
  immutablePattern,
  literally,
  namesVendor,
  pcreRequestPattern,
  pcreRootPattern,
  prefersGzip,
  quotedArgument,
  satisfiableRangePattern,
  toTheVeryEnd,
} from './patterns.ts';
import {
  BROWSER_VALUE,
  DEEP_END,
  DEEP_QUERY,
  deepInPlacePattern,
  HISTORY_END,
  NOT_VIEWED,
  queriedPattern,
  revisionQuery,
  viewedPattern,
} from './request-redirects.ts';
import { type HostRules, rulesName } from './rules.ts';

/** The names of groups in patterns, which may have 32 characters at the most. */
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

export function httpFile(rules: HostRules): string {
  const { prefix, redirects } = rules;
  const name = rulesName(rules);
  return `# gridpress: for the http block. Generated; do not edit.
# The path without prefix and suffix, "/index" for the root; empty for what can be no document.
map $uri $${name}_path {
  default "";
  "~${pcreRootPattern(rules)}" "/index";
  "~${pcreRequestPattern(rules, STEM)}" $${STEM};
}
# What must be there besides: the snapshot in which a history is asked for.
map $uri $${name}_within {
  default "/index";
  "~${historyInSnapshotPattern(rules, SNAPSHOT)}" $${SNAPSHOT};
}
${browserMap(rules)}map "$http_x_rack_prettyjson:$args" $${name}_variant {
  default "";
  ":" "";
  "~^yes:" "/${PRETTY_FOLDER}";
  "~[:&]pretty(?:=(?!(?:no|false|0)(?:&|$))|&|$)" "/${PRETTY_FOLDER}";
}
${queryMaps(rules)}${typingMaps(rules)}map $${name}_path $${name}_cache_class {
  default "${rules.cacheControl('mutable')}";
  "~${immutablePattern(rules)}" "${rules.cacheControl('immutable')}";
}
# None for ranges that cannot be had: they are refused after the headers are set, and errors must not be cached.
map "$http_range $sent_http_content_length" $${name}_has_range {
  default "";
  "~^ " 1;
  "~${satisfiableRangePattern(RANGE)}" 1;
}
map "$status$${name}_has_range" $${name}_cache_control {
  default "";
  2001 $${name}_cache_class;
  304 $${name}_cache_class;
  3041 $${name}_cache_class;
}
# The end of the compressed file that is wanted. Of ranges there is one form, since a client has them of one.
map $http_accept_encoding $${name}_coded {
  default "";
  "" "";
  "~*${prefersGzip()}" "${CODINGS.gzip}";
  "~*${acceptsCoding('br')}" "${CODINGS.br}";
  "~*${acceptsCoding('gzip')}" "${CODINGS.gzip}";
}
map $http_range $${name}_ending {
  default "";
  "" $${name}_coded;
}
map "$status$uri" $${name}_coding {
  default "";
${Object.entries(CODINGS)
  .map(([coding, ending]) => `  "~^200/.*${literally(ending)}\\z" "${coding}";\n`)
  .join('')}}
map $request_method $${name}_writes {
  default 1;
  GET "";
  HEAD "";
}
map $${name}_path $${name}_newest {
  default "";
${redirects.map(({ from, to }) => `  ${quotedArgument(from)} ${quotedArgument(prefix + to)};\n`).join('')}}
# These were found in any case of letters, and paths are of one.
map "$${name}_path $${name}_newest" $${name}_exact {
  default "";
  "~^(.*)/latest (?<${TARGET}>${literally(prefix)}\\1/[0-9a-f]{40})\\z" $${TARGET};
}
map $${name}_newest $${name}_redirect {
  default $${name}_exact;
  "" "";
}
`;
}

/** The view to which a browser is led; empty for who is not. */
function browserMap(rules: HostRules): string {
  if (!rules.redirectsBrowsers) return '';
  const asked = `^${BROWSER_VALUE}::`;
  const viewed = toTheVeryEnd(viewedPattern(rules, VIEW)).slice(1);
  return `map "$http_sec_fetch_dest:$args:$uri" $${rulesName(rules)}_view {
  default "";
  "~${toTheVeryEnd(NOT_VIEWED)}" "";
  "~${asked}${viewed}" $${VIEW};
}
`;
}

/** Where a query leads, the file that must be there, and whether there is no other answer: it is of a revision. */
function queryMaps(rules: HostRules): string {
  const { prefix } = rules;
  const name = rulesName(rules);
  const captured = `(?<${REVISION}>[^:]+)`;
  const snapshot = `${prefix}${SNAPSHOTS_PATH}/$${REVISION}`;
  const ofDeep =
    rules.deep.length === 0
      ? ''
      : `  "~^${captured}:deep:${toTheVeryEnd(queriedPattern(rules.deep, DEEP_RESOURCE))}" "${snapshot}$${DEEP_RESOURCE}${DEEP_END}";
  "~^:deep:${toTheVeryEnd(deepInPlacePattern(rules, PLACE))}" "${prefix}$${PLACE}${DEEP_END}";
`;
  return `# The revision that a query asks for, and where it leads: to a snapshot, or to all that is below an item.
map $args $${name}_revision {
  default "";
  "~${revisionQuery(ASKED)}" $${ASKED};
}
map $args $${name}_deep {
  default "";
  "~${DEEP_QUERY}" "deep";
}
map "$${name}_revision:$${name}_deep:$${name}_path" $${name}_queried {
  default "";
  "~^::" "";
  "~${toTheVeryEnd(HISTORY_END)}" "";
${ofDeep}  "~^${captured}:[^:]*:${toTheVeryEnd(queriedPattern(rules.resources, RESOURCE))}" "${snapshot}$${RESOURCE}";
}
map $${name}_queried $${name}_queried_file {
  default "$${name}_queried.json";
  "" "";
}
map "$${name}_revision$${name}_queried" $${name}_is_past {
  default "";
  "~^[0-9A-Fa-f]{40}/" 1;
}
map $uri $${name}_form {
  default "";
  "~\\.json\\z" ".json";
}
map $${name}_variant $${name}_kept_query {
  default "?pretty";
  "" "";
}
`;
}

function typingMaps(rules: HostRules): string {
  const { vendorTypes } = rules;
  const name = rulesName(rules);
  if (!vendorTypes) return '';
  return `# Paths that end in .json, and requests for application/json and not for the vendor's types, get application/json.
map $http_accept $${name}_accepted {
  default "";
  "" "";
  "*/*" "";
  "~*${namesVendor(vendorTypes)}" "";
  "~*${ACCEPTS_JSON}" "plain";
}
map $uri $${name}_asked {
  default $${name}_accepted;
  "~\\.json$" "plain";
}
map "$${name}_asked$${name}_path" $${name}_type {
  default "item";
  "~^plain" "plain";
  "~${collectionsPattern(rules)}" "collection";
  "~${feedsPattern(rules)}" "feed";
}
`;
}
