/** nginx: one file to include in the `http` block, one in the `server` block. */
import type { Form } from '../../api/endpoints.ts';
import { cacheControl } from '../../site/headers.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../../site/layout.ts';
import type { Host } from '../host.ts';
import { collectionsPattern, immutablePattern, literally } from '../patterns.ts';
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

function httpFile(rules: HostRules): string {
  const { prefix, redirects } = rules;
  const answered = '^(?:200|206|304):';
  return `# gridpress: for the http block. Generated; do not edit.
map_hash_max_size 1048576;
map_hash_bucket_size 512;

# The path without prefix and suffix; "/" for the root.
map $uri $gridpress_path {
  default "";
  "~^${literally(prefix)}/(?:index\\.json)?$" "/";
  "~^${literally(prefix)}(?<gridpress_stem>/.+?)(?:/index\\.json|\\.json|/)?$" $gridpress_stem;
}
map $gridpress_path $gridpress_file {
  default "$gridpress_path.json";
  "/" "/index.json";
}
map "$http_x_rack_prettyjson:$args" $gridpress_variant {
  default "";
  "~^yes:" "/${PRETTY_FOLDER}";
  "~[:&]pretty(?:=(?!(?:no|false|0)(?:&|$))|&|$)" "/${PRETTY_FOLDER}";
}
${typingMaps(rules)}map "$status:$gridpress_path" $gridpress_cache_control {
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
  const vendor = rules.vendorTypes;
  if (!vendor) return 'map $uri $gridpress_type { default "plain"; }\n';
  const asked = literally(vendor.item.replace(/item\+json$/, ''));
  return `# Paths that end in .json, and requests that name application/json and not the vendor's types, get application/json.
map "$uri $http_accept" $gridpress_plain {
  default "";
  "~^[^ ]*\\.json " "plain:";
  "~^(?!.*${asked}).*application/json" "plain:";
}
map "$gridpress_plain$gridpress_path" $gridpress_type {
  default "item";
  "~^plain:" "plain";
  "/_manifest" "plain";
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
  return `# gridpress: for the server block, beside its root. Generated; do not edit.
absolute_redirect off;
if_modified_since before;
gzip off;
gzip_static on;
types { }
default_type ${plainType};
add_header Cache-Control $gridpress_cache_control always;
${Object.entries(sent)
  .map(([name, value]) => `add_header ${name} "${value}" always;\n`)
  .join('')}
error_page 400 403 404 =404 ${prefix}/${NOT_FOUND_FILE};
error_page 405 ${prefix}/${NOT_ALLOWED_FILE};
if ($request_method !~ ^(?:GET|HEAD)$) {
  return 405;
}
${[NOT_FOUND_FILE, NOT_ALLOWED_FILE].map((file) => `location = ${prefix}/${file} {\n  internal;\n  gzip_static off;\n  default_type ${problemType};\n}\n`).join('')}${[PRETTY_FOLDER, HOSTS_FOLDER].map((folder) => `location ^~ ${prefix}/${folder} {\n  return 404;\n}\n`).join('')}location ${prefix}/ {
  if ($gridpress_redirect) {
    return 307 $gridpress_redirect$is_args$args;
  }
  rewrite ^ /_gridpress/$gridpress_type${prefix}$gridpress_variant$gridpress_file last;
}
${types.map(([name, type]) => `location ^~ /_gridpress/${name}/ {\n  internal;\n  default_type "${type}";\n  rewrite ^/_gridpress/${name}(/.*)$ $1 break;\n}\n`).join('')}`;
}
