import type { Form } from '../api/endpoints.ts';
import {
  BAD_REQUEST,
  HEADERS_TOO_LARGE,
  PRECONDITION_FAILED,
  RANGE_NOT_SATISFIABLE,
  URI_TOO_LONG,
  VERSION_NOT_SUPPORTED,
} from '../api/problem.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import { type Host, partly, SERVER } from './host.ts';
import { httpFile } from './nginx-http.ts';
import { escapeRegExp, formatHeaders, indented, optionalPrefix, pcreRawPattern, quotedArgument } from './patterns.ts';
import { NO_STORE, viewsUrl } from './request-redirects.ts';
import { FORMS, type HostRules, rulesName } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/nginx`;

export const nginx: Host = {
  ...SERVER,
  name: 'nginx',
  title: 'nginx',
  reload: 'nginx -t && nginx -s reload',
  shortcomings: [
    partly(
      'refusals',
      'Below a base path, nginx returns its own error pages for 400, 405 (TRACE), 414, 431 and 505, unless the server includes refused.conf. Duplicate headers, such as two If-None-Match lines, return 400.',
      /^(?:\/%zz|\/ with two lines \S+ \S+|\/ with a (?:query|header) of \d+ characters|TRACE \/) is 4\d\d as text\/html/,
    ),
  ],
  files: (rules) =>
    new Map([
      [`${FOLDER}/hash.conf`, HASH_FILE],
      [`${FOLDER}/http.conf`, httpFile(rules)],
      [`${FOLDER}/server.conf`, serverFile(rules)],
      ...(rules.prefix === '' ? [] : [[`${FOLDER}/refused.conf`, rejectedFile(rules)] as const]),
    ]),
};

const HASH_FILE = `# gridpress: for the http block, once. The keys of the redirects are long, and the rules have many variables. Generated; do not edit.
map_hash_max_size 1048576;
map_hash_bucket_size 512;
variables_hash_max_size 4096;
variables_hash_bucket_size 128;
`;

/** The path prefix of the internal locations that set media types or return problem documents. */
const INTERNAL = '_gridpress';
const NOT_FOUND_LOCATION = `${INTERNAL}/not-found`;
const NOT_ALLOWED_LOCATION = `${INTERNAL}/not-allowed`;

const RAW = 'gridpress_raw';

/** The rules use this status internally to select the location with the redirects. nginx itself never uses it. */
const REDIRECT = 418;

/** nginx itself rejects invalid requests with these statuses before it selects a location. */
const REJECTED = [
  { status: 400, body: BAD_REQUEST, isBroken: true },
  { status: 414, body: URI_TOO_LONG, isBroken: true },
  { status: 431, body: HEADERS_TOO_LARGE, isBroken: true },
  { status: 505, body: VERSION_NOT_SUPPORTED, isBroken: true },
  { status: 412, body: PRECONDITION_FAILED, isBroken: false },
  { status: 416, body: RANGE_NOT_SATISFIABLE, isBroken: false },
] as const;

function serverFile(rules: HostRules): string {
  const { prefix, plainType, tombstoneFolder } = rules;
  const name = rulesName(rules);
  return `# gridpress: for the server block with the document root. Generated; do not edit.
${prefix === '' ? brokenRequests(rules) : `location = ${prefix} {\n  rewrite ^ ${prefix}/ last;\n}\n`}location ${prefix === '' ? '/' : `^~ ${prefix}/`} {
  absolute_redirect off;
  client_max_body_size 0;
  if_modified_since exact;
  gzip off;
  gzip_static off;
  # Frequently requested files stay open for a moment.
  open_file_cache max=128 inactive=10s;
  open_file_cache_valid 1s;
  types { }
  default_type ${plainType};
${documentHeaders(rules)}  # Removed resources return their tombstone.
  recursive_error_pages on;
  error_page 403 =404 ${prefix}/${NOT_FOUND_LOCATION};
  error_page 404 =410 ${prefix}/${tombstoneFolder}$${name}_path.json;
  error_page 405 ${prefix}/${NOT_ALLOWED_LOCATION};
${REJECTED.map(({ status }) => `  error_page ${errorPage(status)} ${prefix}/${INTERNAL}/${status};\n`).join('')}${methods(rules)}${browserRedirect(rules)}  if ($${name}_path = "") {
    return 404;
  }
  if (!-f $document_root${prefix}$${name}_within.json) {
    return 404;
  }
  # "return" sends a redirect before nginx asks for a password, but "try_files" waits.
  error_page ${REDIRECT} = @${name}_protected;
  if (-f $document_root$${name}_queried_file) {
    return ${REDIRECT};
  }
  if ($${name}_is_past) {
    return 404;
  }
  if ($${name}_redirect) {
    return ${REDIRECT};
  }
${fileSelection(rules)}${pageLocations(rules)}${rawLocations(rules)}  location = ${prefix}/${MANIFEST_FILE} {
    # The manifest has no compressed file, since signing rewrites it.
    gzip on;
    gzip_types ${plainType};
    ${tryFiles(rules, `/${MANIFEST_FILE}`)}  }
${errorLocations(rules)}}
location @${name}_protected {
  try_files ${prefix}/${INTERNAL}/none @${name}_redirects;
}
location @${name}_redirects {
  absolute_redirect off;
${documentHeaders(rules)}  if (-f $document_root$${name}_queried_file) {
    return 302 $${name}_queried$${name}_form$${name}_kept_query;
  }
  return 307 $${name}_redirect$is_args$args;
}
`;
}

function documentHeaders(rules: HostRules): string {
  const name = rulesName(rules);
  return `  add_header Cache-Control $${name}_cache_control always;
  add_header Content-Encoding $${name}_coding;
  add_header Memento-Datetime $${name}_memento;
${headerLines(rules.headers)}`;
}

/** Handles requests that nginx rejects before it selects a location. Only APIs with a base path need this file. */
function rejectedFile(rules: HostRules): string {
  return `# gridpress: for the server block, if no other site of the server needs these error pages. Generated; do not edit.
${brokenRequests(rules)}`;
}

function brokenRequests({ prefix }: HostRules): string {
  const refused = REJECTED.filter(({ isBroken }) => isBroken);
  const pages = refused.map(({ status }) => `error_page ${errorPage(status)} ${prefix}/${INTERNAL}/${status};\n`);
  return [...pages, `error_page 405 ${prefix}/${NOT_ALLOWED_LOCATION};\n`].join('');
}

/** If request headers are too long, nginx uses the status 494 internally and returns 400. The standard is 431. */
const errorPage = (status: number) => (status === 431 ? '494 =431' : status);

function headerLines(headers: Readonly<Record<string, string>>): string {
  return formatHeaders(headers, (name, value) => `  add_header ${name} ${quotedArgument(value)} always;\n`);
}

function methods(rules: HostRules): string {
  return `  if ($request_method = OPTIONS) {
${indented(headerLines({ ...rules.headers, ...PREFLIGHT_HEADERS }))}    return 204;
  }
  if ($${rulesName(rules)}_writes) {
    return 405;
  }
`;
}

function browserRedirect(rules: HostRules): string {
  if (!rules.redirectsBrowsers) return '';
  const view = `$${rulesName(rules)}_view`;
  const headers = { ...rules.headers, 'Cache-Control': NO_STORE };
  return `  if (${view}) {
${indented(headerLines(headers))}    return 302 "${viewsUrl(rules)}${view}";
  }
`;
}

/** Writes the directives that select a file. Only a location can set a media type, so each type has a location. */
function fileSelection(rules: HostRules): string {
  const { prefix, vendorTypes, plainType } = rules;
  const name = rulesName(rules);
  const file = `$${name}_variant$${name}_path.json`;
  if (!vendorTypes) return `  ${tryFiles(rules, file)}`;
  const typed = (typing: Form | 'plain', type: string, found: string) =>
    location(
      `= ${prefix}/${INTERNAL}/${typing}`,
      `    internal;\n    default_type ${quotedArgument(type)};\n    ${found}`,
    );
  const locations = [
    typed('plain', plainType, tryFiles(rules, file)),
    // Excludes vendor media types. Clients of these types cannot decompress, even if they send Accept-Encoding.
    ...FORMS.map((form) => typed(form, `${vendorTypes[form]}; charset=utf-8`, `rewrite ^ ${prefix}${file} break;\n`)),
  ];
  return `  rewrite ^ ${prefix}/${INTERNAL}/$${name}_type last;\n${locations.join('')}`;
}

function tryFiles(rules: HostRules, file: string): string {
  const path = rules.prefix + file;
  return `try_files ${path}$${rulesName(rules)}_ending ${path} =404;\n`;
}

function pageLocations(rules: HostRules): string {
  const { prefix, pages } = rules;
  const start = escapeRegExp(prefix) + optionalPrefix(prefix);
  const locations = pages.map(({ folder, page }) =>
    location(
      `~ "^${start}${escapeRegExp(folder)}/?\\z"`,
      `${indented(methods(rules))}    return 307 ${prefix}${page};\n`,
    ),
  );
  return locations.join('');
}

function rawLocations(rules: HostRules): string {
  const found = `${indented(methods(rules))}    ${tryFiles(rules, `$${RAW}`)}`;
  const locations = rules.raw.map((each) =>
    location(`~ "${pcreRawPattern(rules, [each], RAW)}"`, `    default_type "${each.mediaType}";\n${found}`),
  );
  return locations.join('');
}

function location(path: string, directives: string): string {
  return `  location ${path} {\n${directives}  }\n`;
}

/** The name of the tombstone folder begins with an underscore, so the name is not a uid. */
function errorLocations({ prefix, tombstoneFolder, problemType }: HostRules): string {
  const problem = `    internal;\n    etag off;\n    default_type ${problemType};\n`;
  const notFound = `error_page 400 403 404 =404 ${prefix}/${NOT_FOUND_LOCATION};`;
  const refusals = REJECTED.map(({ status, body }) => {
    const settings = REFUSAL_SETTINGS[status] ?? '';
    const answer = `return ${status} ${quotedArgument(body)};`;
    return location(
      `= ${prefix}/${INTERNAL}/${status}`,
      `    internal;\n    default_type ${problemType};\n${settings}    ${answer}\n`,
    );
  });
  return [
    location(
      `^~ ${prefix}/${tombstoneFolder}`,
      `${problem}    log_not_found off;\n    recursive_error_pages off;\n    ${notFound}\n`,
    ),
    location(`= ${prefix}/${NOT_FOUND_LOCATION}`, `${problem}    rewrite ^ ${prefix}/${NOT_FOUND_FILE} break;\n`),
    location(`= ${prefix}/${NOT_ALLOWED_LOCATION}`, `${problem}    rewrite ^ ${prefix}/${NOT_ALLOWED_FILE} break;\n`),
    ...refusals,
  ].join('');
}

/** Status 412 closes the connection, so the response announces the end. Status 416 has headers of the document. */
const REFUSAL_SETTINGS: Readonly<Record<number, string>> = {
  412: '    keepalive_timeout 0;\n',
  416: '    add_header Content-Encoding "";\n',
};
