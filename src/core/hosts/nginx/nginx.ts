/** nginx: one file to include in the `http` block, one in the `server` block. */
import type { Form } from '../../api/endpoints.ts';
import { cacheControl } from '../../tree/headers.ts';
import {
  HOSTS_FOLDER,
  MANIFEST_FILE,
  NOT_ALLOWED_FILE,
  NOT_FOUND_FILE,
  PRETTY_FOLDER,
} from '../../tree/layout.ts';
import type { Host } from '../host.ts';
import {
  ACCEPTS_JSON,
  collectionsPattern,
  immutablePattern,
  literally,
  namesVendor,
  pcreRequestPattern,
  rawPattern,
  toTheVeryEnd,
} from '../patterns.ts';
import { type HostRules, rulesName } from '../rules.ts';

const FOLDER = `${HOSTS_FOLDER}/nginx`;

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  shortcomings: [],
  limits: [],
  files: (rules) =>
    new Map([
      [`${FOLDER}/hash.conf`, HASH_FILE],
      [`${FOLDER}/http.conf`, httpFile(rules)],
      [`${FOLDER}/server.conf`, serverFile(rules)],
      [
        `${FOLDER}/brotli.conf`,
        '# Include this beside server.conf where the module for it is loaded.\nbrotli_static on;\n',
      ],
    ]),
  recipe: `1. Copy the tree to the folder that \`root\` names (with a prefix: to the folder below it that the prefix leads to), keeping file
   times and links: \`rsync -rtcH --delete dist/ server:/srv/api/\`.
2. In the \`http\` block include \`_hosts/nginx/http.conf\`, and once, unless these sizes are set there already, \`_hosts/nginx/hash.conf\`.
   In the \`server\` block, beside \`root\`, include \`_hosts/nginx/server.conf\`; where the module \`ngx_http_brotli_static_module\` is loaded
   (Debian: \`libnginx-mod-http-brotli-static\`), also \`_hosts/nginx/brotli.conf\`.
   In the main context \`pcre_jit on;\` makes the patterns in them cheaper.
3. \`nginx -t && nginx -s reload\`, after each deployment too: the redirects stand in the included file.

One nginx serves several trees if they differ in dialect or prefix.`,
};

const HASH_FILE = `# gridpress: for the http block, once. The keys of the redirects are long. Generated; do not edit.
map_hash_max_size 1048576;
map_hash_bucket_size 512;
`;

/** The name that a media type has in variables and internal paths. */
type Typing = Form | 'plain';

/** The names of groups in patterns, which may have 32 characters at the most. */
const STEM = 'gridpress_stem';
const TARGET = 'gridpress_target';

/** Below it are paths that only rewriting leads to: one for each media type, and the problem documents. */
const INTERNAL = '_gridpress';
const NOT_FOUND_LOCATION = `${INTERNAL}/not-found`;
const NOT_ALLOWED_LOCATION = `${INTERNAL}/not-allowed`;

function httpFile(rules: HostRules): string {
  const { prefix, redirects } = rules;
  const name = rulesName(rules);
  return `# gridpress: for the http block. Generated; do not edit.
# The path without prefix and suffix, "/index" for the root; empty for what can be no document.
map $uri $${name}_path {
  default "";
  ${quoted(`${prefix}/`)} "/index";
  "~${pcreRequestPattern(rules, STEM)}" $${STEM};
  "~^${literally(prefix)}/index\\.json\\z" "/index";
}
map "$http_x_rack_prettyjson:$args" $${name}_variant {
  default "";
  ":" "";
  "~^yes:" "/${PRETTY_FOLDER}";
  "~[:&]pretty(?:=(?!(?:no|false|0)(?:&|$))|&|$)" "/${PRETTY_FOLDER}";
}
${typingMaps(rules)}map $${name}_path $${name}_cache_class {
  default "${cacheControl('mutable')}";
  "~${immutablePattern(rules)}" "${cacheControl('immutable')}";
}
# None for ranges, since those that cannot be had are refused after the headers are set, and errors must not be cached.
map "$status$http_range" $${name}_cache_control {
  default "";
  200 $${name}_cache_class;
  304 $${name}_cache_class;
}
map $request_method $${name}_writes {
  default 1;
  GET "";
  HEAD "";
}
map $${name}_path $${name}_newest {
  default "";
${redirects.map(({ from, to }) => `  ${quoted(from)} ${quoted(prefix + to)};\n`).join('')}}
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
}
`;
}

function serverFile(rules: HostRules): string {
  const { prefix, headers, plainType, goneFolder } = rules;
  const name = rulesName(rules);
  const sent = { ...headers, Vary: `${headers['Vary']}, Accept-Encoding` };
  // Broken requests are refused before a location is found, so that only the server can answer them.
  const broken = prefix === '' ? `error_page 400 =404 /${NOT_FOUND_LOCATION};\n` : '';
  return `# gridpress: for the server block, beside its root. Generated; do not edit.
${broken}${prefix === '' ? '' : `location = ${prefix} {\n  rewrite ^ ${prefix}/ last;\n}\n`}location ${prefix === '' ? '/' : `^~ ${prefix}/`} {
  absolute_redirect off;
  client_max_body_size 0;
  if_modified_since before;
  gzip off;
  gzip_static on;
  # What is asked for often stays open for a moment.
  open_file_cache max=128 inactive=10s;
  open_file_cache_valid 1s;
  types { }
  default_type ${plainType};
  add_header Cache-Control $${name}_cache_control always;
${Object.entries(sent)
  .map(([header, value]) => `  add_header ${header} ${quoted(value)} always;\n`)
  .join('')}  # What is not there may be gone: then its tombstone answers.
  recursive_error_pages on;
  error_page 400 403 =404 ${prefix}/${NOT_FOUND_LOCATION};
  error_page 404 =410 ${prefix}/${goneFolder}$${name}_path.json;
  error_page 405 ${prefix}/${NOT_ALLOWED_LOCATION};
  if ($${name}_writes) {
    return 405;
  }
  if ($${name}_path = "") {
    return 404;
  }
  if ($${name}_redirect) {
    return 307 $${name}_redirect$is_args$args;
  }
${answering(rules)}${rawLocations(rules)}  location = ${prefix}/${MANIFEST_FILE} {
  }
${goneLocation(rules)}${problemLocation(rules, NOT_FOUND_LOCATION, NOT_FOUND_FILE)}${problemLocation(rules, NOT_ALLOWED_LOCATION, NOT_ALLOWED_FILE)}}
`;
}

/** Leads to the file; by way of a location for each media type where there are several, since only those can set it. */
function answering(rules: HostRules): string {
  const { prefix, vendorTypes, plainType } = rules;
  const name = rulesName(rules);
  const found = `rewrite ^ ${prefix}$${name}_variant$${name}_path.json break;\n`;
  if (!vendorTypes) return `  ${found}`;
  const types: [Typing, string][] = [
    ['plain', plainType],
    ['item', `${vendorTypes.item}; charset=utf-8`],
    ['collection', `${vendorTypes.collection}; charset=utf-8`],
  ];
  const locations = types.map(
    ([typing, type]) => `  location = ${prefix}/${INTERNAL}/${typing} {
    internal;
    default_type ${quoted(type)};
    ${found}  }
`,
  );
  return `  rewrite ^ ${prefix}/${INTERNAL}/$${name}_type last;\n${locations.join('')}`;
}

/** A parameter. Inside quotes a backslash takes the meaning from these two; nothing takes it from a `$`, and no value has one. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** What is no JSON has a path of its own, which is its file's. */
function rawLocations(rules: HostRules): string {
  const locations = rules.raw.map(
    (each) => `  location ~ "${toTheVeryEnd(rawPattern(rules, each))}" {
    default_type "${each.mediaType}";
    if ($${rulesName(rules)}_writes) {
      return 405;
    }
  }
`,
  );
  return locations.join('');
}

/** The tombstones, and the end of the search for one. No uid begins as the name of their folder does. */
function goneLocation({ prefix, goneFolder, problemType }: HostRules): string {
  return `  location ^~ ${prefix}/${goneFolder} {
    internal;
    etag off;
    gzip_static off;
    default_type ${problemType};
    log_not_found off;
    recursive_error_pages off;
    error_page 400 403 404 =404 ${prefix}/${NOT_FOUND_LOCATION};
  }
`;
}

function problemLocation({ prefix, problemType }: HostRules, path: string, file: string): string {
  return `  location = ${prefix}/${path} {
    internal;
    etag off;
    gzip_static off;
    default_type ${problemType};
    rewrite ^ ${prefix}/${file} break;
  }
`;
}
