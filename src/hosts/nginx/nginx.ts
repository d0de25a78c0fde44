/** nginx: one file to include in the `http` block, one in the `server` block. */
import type { Form } from '../../api/endpoints.ts';
import { cacheControl } from '../../site/headers.ts';
import {
  HOSTS_FOLDER,
  MANIFEST_FILE,
  NOT_ALLOWED_FILE,
  NOT_FOUND_FILE,
  PRETTY_FOLDER,
} from '../../site/layout.ts';
import type { Host } from '../host.ts';
import {
  ACCEPTS_JSON,
  collectionsPattern,
  immutablePattern,
  literally,
  manifestPattern,
  namesVendor,
  requestPattern,
  rootPattern,
  shadowPattern,
  toTheVeryEnd,
} from '../patterns.ts';
import type { HostRules } from '../rules.ts';

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
      [`${FOLDER}/http.conf`, httpFile(rules)],
      [`${FOLDER}/server.conf`, serverFile(rules)],
      [
        `${FOLDER}/brotli.conf`,
        '# Include this beside server.conf where the module for it is loaded.\nbrotli_static on;\n',
      ],
    ]),
  recipe: `1. Copy the tree to the folder that \`root\` names, keeping file times and links: \`rsync -rtH --delete dist/ server:/srv/api/\`.
2. Include \`_hosts/nginx/http.conf\` in the \`http\` block and \`_hosts/nginx/server.conf\` in the \`server\` block; where the module
   \`ngx_http_brotli_static_module\` is loaded (Debian: \`libnginx-mod-http-brotli-static\`), also \`_hosts/nginx/brotli.conf\`.
3. \`nginx -t && nginx -s reload\`.`,
};

/** The name that a media type has in variables and internal paths. */
type Typing = Form | 'plain';

/** Below it are paths that only rewriting leads to, one folder for each media type. */
const TYPED = '_gridpress';

function httpFile(rules: HostRules): string {
  const { prefix, redirects } = rules;
  const answered = '^(?:200|304)::';
  return `# gridpress: for the http block. Generated; do not edit.
map_hash_max_size 1048576;
map_hash_bucket_size 512;

# The path without prefix and suffix: "/" for the root, empty for what cannot be in the tree.
map $uri $gridpress_path {
  default "";
  "~${toTheVeryEnd(rootPattern(rules))}" "/";
  "~${toTheVeryEnd(manifestPattern(rules))}" "/${MANIFEST_FILE.replace(/\.json$/, '')}";
  "~${toTheVeryEnd(shadowPattern(rules))}" "";
  "~${toTheVeryEnd(requestPattern(rules, 'gridpress_stem'))}" $gridpress_stem;
}
map $gridpress_path $gridpress_file {
  default "$gridpress_path.json";
  "/" "/index.json";
}
map "$gridpress_path $http_x_rack_prettyjson:$args" $gridpress_variant {
  default "";
  "~^/_" "";
  "~^[^ ]* yes:" "/${PRETTY_FOLDER}";
  "~[:&]pretty(?:=(?!(?:no|false|0)(?:&|$))|&|$)" "/${PRETTY_FOLDER}";
}
${typingMaps(rules)}# None for ranges, since those that cannot be had are refused after the headers are set, and errors must not be cached.
map "$status:$http_range:$gridpress_path" $gridpress_cache_control {
  default "";
  "~${answered}${immutablePattern(rules).slice(1)}" "${cacheControl('immutable')}";
  "~${answered}" "${cacheControl('mutable')}";
}
map $gridpress_path $gridpress_redirect {
  default "";
${redirects.map(({ from, to }) => `  "${from}" "${prefix}${to}";\n`).join('')}}
`;
}

function typingMaps(rules: HostRules): string {
  const { vendorTypes } = rules;
  if (!vendorTypes) return 'map $uri $gridpress_type { default "plain"; }\n';
  return `# Paths that end in .json, and requests for application/json and not for the vendor's types, get application/json.
map $http_accept $gridpress_accepted {
  default "";
  "~*${namesVendor(vendorTypes)}" "";
  "~*${ACCEPTS_JSON}" "plain";
}
map $uri $gridpress_asked {
  default $gridpress_accepted;
  "~.json$" "plain";
}
map "$gridpress_asked$gridpress_path" $gridpress_type {
  default "item";
  "~^plain" "plain";
  "~${collectionsPattern(rules)}" "collection";
}
`;
}

function serverFile(rules: HostRules): string {
  const { prefix, headers, vendorTypes, plainType, problemType } = rules;
  const types: [Typing, string][] = [['plain', plainType]];
  if (vendorTypes) {
    types.push(
      ['item', `${vendorTypes.item}; charset=utf-8`],
      ['collection', `${vendorTypes.collection}; charset=utf-8`],
    );
  }
  const sent = { ...headers, Vary: `${headers['Vary']}, Accept-Encoding` };
  // Broken requests are refused before a location is found, so that only the server can answer them.
  const broken = prefix === '' ? `error_page 400 =404 /${NOT_FOUND_FILE};\n` : '';
  return `# gridpress: for the server block, beside its root. Generated; do not edit.
${broken}${prefix === '' ? '' : `location = ${prefix} {\n  rewrite ^ ${prefix}/ last;\n}\n`}location ${prefix === '' ? '/' : `^~ ${prefix}/`} {
  absolute_redirect off;
  client_max_body_size 0;
  if_modified_since before;
  gzip off;
  gzip_static on;
  types { }
  default_type ${plainType};
  add_header Cache-Control $gridpress_cache_control always;
${Object.entries(sent)
  .map(([name, value]) => `  add_header ${name} "${value}" always;\n`)
  .join('')}  error_page 400 403 404 =404 ${prefix}/${NOT_FOUND_FILE};
  error_page 405 ${prefix}/${NOT_ALLOWED_FILE};
  if ($request_method !~ ^(?:GET|HEAD)$) {
    return 405;
  }
  if ($gridpress_path = "") {
    return 404;
  }
  if ($gridpress_redirect) {
    return 307 $gridpress_redirect$is_args$args;
  }
  rewrite ^ ${prefix}/${TYPED}/$gridpress_type${prefix}$gridpress_variant$gridpress_file last;
${[NOT_FOUND_FILE, NOT_ALLOWED_FILE].map((file) => problemLocation(`${prefix}/${file}`, problemType)).join('')}${types.map(([name, type]) => typedLocation(`${prefix}/${TYPED}/${name}`, type)).join('')}}
`;
}

function problemLocation(path: string, type: string): string {
  return `  location = ${path} {
    internal;
    etag off;
    gzip_static off;
    default_type ${type};
  }
`;
}

function typedLocation(folder: string, type: string): string {
  return `  location ^~ ${folder}/ {
    internal;
    default_type "${type}";
    rewrite ^${literally(folder)}(/.*)$ $1 break;
  }
`;
}
