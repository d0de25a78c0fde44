/** The file for the `http` block of nginx: all that a request asks for, as variables, worked out when they are needed. */
import { cacheControl } from '../../tree/headers.ts';
import { CODINGS, PRETTY_FOLDER } from '../../tree/layout.ts';
import { BROWSER_VALUE, NOT_VIEWED, viewedPattern } from '../browser-redirects.ts';
import {
  ACCEPTS_JSON,
  acceptsCoding,
  collectionsPattern,
  feedsPattern,
  immutablePattern,
  literally,
  namesVendor,
} from '../patterns.ts';
import {
  historyInSnapshotPattern,
  pcreRequestPattern,
  pcreRootPattern,
  prefersGzip,
  satisfiableRangePattern,
  toTheVeryEnd,
} from '../pcre-patterns.ts';
import { type HostRules, rulesName } from '../rules.ts';
import { quotedParameter } from './quoting.ts';

/** The names of groups in patterns, which may have 32 characters at the most. */
const STEM = 'gridpress_stem';
const SNAPSHOT = 'gridpress_snapshot';
const RANGE = 'gridpress_range';
const TARGET = 'gridpress_target';
const VIEW = 'gridpress_view';

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
${typingMaps(rules)}map $${name}_path $${name}_cache_class {
  default "${cacheControl('mutable')}";
  "~${immutablePattern(rules)}" "${cacheControl('immutable')}";
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
${redirects.map(({ from, to }) => `  ${quotedParameter(from)} ${quotedParameter(prefix + to)};\n`).join('')}}
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
