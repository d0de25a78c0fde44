/** nginx: one file to include in the `http` block, one in the `server` block. */

import type { Form } from '../api/endpoints.ts';
import { BAD_REQUEST, PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE, URI_TOO_LONG } from '../api/problem.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import type { Host } from './host.ts';
import { httpFile } from './nginx-http.ts';
import { literally, optionally, pcreRawPattern, quotedArgument } from './patterns.ts';
import { NOT_KEPT, viewsUrl } from './request-redirects.ts';
import { type HostRules, rulesName } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/nginx`;

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  leadsBrowsers: true,
  shortcomings: [
    {
      capability: 'refusals',
      extent: 'partly',
      why: 'Below a prefix, requests that are broken (400), too long (414) or TRACE (405) are refused before a location is found, with pages of the whole server, unless it includes refused.conf. Two lines of If-None-Match are 400, as nginx has them.',
      covers: /^(?:\/%zz|\/ with two lines \S+ \S+|\/ with a query of \d+ characters|TRACE \/) is 4\d\d as text\/html/,
    },
  ],
  limits: [],
  files: (rules) =>
    new Map([
      [`${FOLDER}/hash.conf`, HASH_FILE],
      [`${FOLDER}/http.conf`, httpFile(rules)],
      [`${FOLDER}/server.conf`, serverFile(rules)],
      ...(rules.prefix === '' ? [] : [[`${FOLDER}/refused.conf`, refusedFile(rules)] as const]),
    ]),
};

const HASH_FILE = `# gridpress: for the http block, once. The keys of the redirects are long. Generated; do not edit.
map_hash_max_size 1048576;
map_hash_bucket_size 512;
`;

/** The name that a media type has in variables and internal paths. */
type Typing = Form | 'plain';

/** Below it are paths that only rewriting leads to: one for each media type, and the problem documents. */
const INTERNAL = '_gridpress';
const NOT_FOUND_LOCATION = `${INTERNAL}/not-found`;
const NOT_ALLOWED_LOCATION = `${INTERNAL}/not-allowed`;

/** The name of the group that captures the path of a raw document. */
const RAW = 'gridpress_raw';

/** Requests that nginx itself refuses: the first are broken, and are refused before a location is found. */
const REFUSED = [
  { status: 400, body: BAD_REQUEST, isBroken: true },
  { status: 414, body: URI_TOO_LONG, isBroken: true },
  { status: 412, body: PRECONDITION_FAILED, isBroken: false },
  { status: 416, body: RANGE_NOT_SATISFIABLE, isBroken: false },
] as const;

function serverFile(rules: HostRules): string {
  const { prefix, plainType, goneFolder } = rules;
  const name = rulesName(rules);
  return `# gridpress: for the server block, beside its root. Generated; do not edit.
${prefix === '' ? brokenRequests(rules) : `location = ${prefix} {\n  rewrite ^ ${prefix}/ last;\n}\n`}location ${prefix === '' ? '/' : `^~ ${prefix}/`} {
  absolute_redirect off;
  client_max_body_size 0;
  if_modified_since before;
  gzip off;
  gzip_static off;
  # What is asked for often stays open for a moment.
  open_file_cache max=128 inactive=10s;
  open_file_cache_valid 1s;
  types { }
  default_type ${plainType};
  add_header Cache-Control $${name}_cache_control always;
  add_header Content-Encoding $${name}_coding;
${headerLines(rules.headers)}  # What is not there may be gone: then its tombstone answers.
  recursive_error_pages on;
  error_page 403 =404 ${prefix}/${NOT_FOUND_LOCATION};
  error_page 404 =410 ${prefix}/${goneFolder}$${name}_path.json;
  error_page 405 ${prefix}/${NOT_ALLOWED_LOCATION};
${REFUSED.map(({ status }) => `  error_page ${status} ${prefix}/${INTERNAL}/${status};\n`).join('')}${methods(rules)}${browserRedirect(rules)}  if ($${name}_path = "") {
    return 404;
  }
  if (!-f $document_root${prefix}$${name}_within.json) {
    return 404;
  }
  if (-f $document_root$${name}_queried_file) {
    return 302 $${name}_queried$${name}_form$${name}_kept_query;
  }
  if ($${name}_is_past) {
    return 404;
  }
  if ($${name}_redirect) {
    return 307 $${name}_redirect$is_args$args;
  }
${answering(rules)}${pageLocations(rules)}${rawLocations(rules)}  location = ${prefix}/${MANIFEST_FILE} {
    # It has no compressed file, since whoever signs it rewrites it.
    gzip on;
    gzip_types ${plainType};
    ${trying(rules, `/${MANIFEST_FILE}`)}  }
${goneLocation(rules)}${problemLocation(rules, NOT_FOUND_LOCATION, NOT_FOUND_FILE)}${problemLocation(rules, NOT_ALLOWED_LOCATION, NOT_ALLOWED_FILE)}${REFUSED.map((each) => refusalLocation(rules, each)).join('')}}
`;
}

/** The file with which a server answers for the API below a prefix what it refuses before it knows whom that is for. */
function refusedFile(rules: HostRules): string {
  return `# gridpress: for the server block, where no other site of the server has pages for these. Generated; do not edit.
${brokenRequests(rules)}`;
}

function brokenRequests({ prefix }: HostRules): string {
  const refused = REFUSED.filter(({ isBroken }) => isBroken);
  const pages = refused.map(({ status }) => `error_page ${status} ${prefix}/${INTERNAL}/${status};\n`);
  return [...pages, `error_page 405 ${prefix}/${NOT_ALLOWED_LOCATION};\n`].join('');
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([header, value]) => `  add_header ${header} ${quotedArgument(value)} always;\n`)
    .join('');
}

/** Who asks what is allowed is told, and what would write is refused. */
function methods(rules: HostRules): string {
  return `  if ($request_method = OPTIONS) {
${indented(headerLines({ ...rules.headers, ...PREFLIGHT_HEADERS }))}    return 204;
  }
  if ($${rulesName(rules)}_writes) {
    return 405;
  }
`;
}

/** Browsers that navigate are led to the explorer. */
function browserRedirect(rules: HostRules): string {
  if (!rules.redirectsBrowsers) return '';
  const view = `$${rulesName(rules)}_view`;
  const headers = { ...rules.headers, 'Cache-Control': NOT_KEPT };
  return `  if (${view}) {
${indented(headerLines(headers))}    return 302 "${viewsUrl(rules)}${view}";
  }
`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** Leads to the file; by way of a location for each media type where there are several, since only those can set it. */
function answering(rules: HostRules): string {
  const { prefix, vendorTypes, plainType } = rules;
  const name = rulesName(rules);
  const file = `$${name}_variant$${name}_path.json`;
  if (!vendorTypes) return `  ${trying(rules, file)}`;
  const locations = [
    answeringLocation(rules, 'plain', plainType, trying(rules, file)),
    ...(['item', 'collection', 'feed'] as const).map((form) =>
      // Clients that ask for these decode nothing, whatever they say that they accept.
      answeringLocation(rules, form, `${vendorTypes[form]}; charset=utf-8`, `rewrite ^ ${prefix}${file} break;\n`),
    ),
  ];
  return `  rewrite ^ ${prefix}/${INTERNAL}/$${name}_type last;\n${locations.join('')}`;
}

function answeringLocation({ prefix }: HostRules, typing: Typing, type: string, found: string): string {
  return `  location = ${prefix}/${INTERNAL}/${typing} {
    internal;
    default_type ${quotedArgument(type)};
    ${found}  }
`;
}

/** Answers with the compressed file that is wanted, or with the plain one. */
function trying(rules: HostRules, file: string): string {
  const path = rules.prefix + file;
  return `try_files ${path}$${rulesName(rules)}_ending ${path} =404;\n`;
}

/** The paths of folders lead to their pages. */
function pageLocations(rules: HostRules): string {
  const { prefix, pages } = rules;
  const locations = pages.map(
    ({ folder, page }) => `  location ~ "^${literally(prefix)}${optionally(prefix)}${literally(folder)}/?\\z" {
${indented(methods(rules))}    return 307 ${prefix}${page};
  }
`,
  );
  return locations.join('');
}

/** What is no JSON has a path of its own, which is its file's. */
function rawLocations(rules: HostRules): string {
  const locations = rules.raw.map((each) => {
    return `  location ~ "${pcreRawPattern(rules, [each], RAW)}" {
    default_type "${each.mediaType}";
${indented(methods(rules))}    ${trying(rules, `$${RAW}`)}  }
`;
  });
  return locations.join('');
}

/** The tombstones, and the end of the search for one. No uid begins as the name of their folder does. */
function goneLocation({ prefix, goneFolder, problemType }: HostRules): string {
  return `  location ^~ ${prefix}/${goneFolder} {
    internal;
    etag off;
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
    default_type ${problemType};
    rewrite ^ ${prefix}/${file} break;
  }
`;
}

/**
 * Headers that are set already when a range is refused stay: there are none here, so that none is there twice. Where a
 * precondition fails, nginx ends the connection without saying so.
 */
const REFUSAL_SETTINGS: Readonly<Record<number, string>> = {
  412: 'keepalive_timeout 0;',
  416: 'add_header Content-Encoding "";',
};

function refusalLocation({ prefix, problemType }: HostRules, { status, body }: (typeof REFUSED)[number]): string {
  const settings = REFUSAL_SETTINGS[status];
  return `  location = ${prefix}/${INTERNAL}/${status} {
    internal;
    default_type ${problemType};
${settings === undefined ? '' : `    ${settings}\n`}    return ${status} ${quotedArgument(body)};
  }
`;
}
