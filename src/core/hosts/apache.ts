/** Writes a file for a virtual host, and a `.htaccess`. Both files store header values in environment variables. */

import { BAD_REQUEST, PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE, URI_TOO_LONG } from '../api/problem.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import { type DirectiveContext, rewriting } from './apache-rewriting.ts';
import { type Host, ONLY_NEWEST_DATE, partly, SERVER } from './host.ts';
import {
  acceptsCoding,
  escapeRegExp,
  formatHeaders,
  indented,
  manifestPattern,
  quotedArgument,
  rawPattern,
} from './patterns.ts';
import { NO_STORE } from './request-redirects.ts';
import { type HostRules, type RawClass, rulesName } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/apache`;
/** The operator sets this variable to the path of the tree, because maps need absolute paths. */
const TREE = 'GRIDPRESS_TREE';
const MAP = 'latest.txt';
/** This file contains the `Last-Modified` time of the documents that show the head. */
const TIME = 'last-modified.txt';

export const apache: Host = {
  ...SERVER,
  name: 'apache',
  title: 'Apache httpd, virtual host',
  reload: 'apachectl configtest && apachectl graceful',
  shortcomings: [
    ONLY_NEWEST_DATE,
    partly(
      'refusals',
      'Below a base path, Apache returns its own error pages for 400 and 414, unless the virtual host includes refused.conf. A 412 has an empty body, and a 416 has no Content-Range.',
      /^(?:\/%zz|\/%00|\/ with a (?:query|header) of \d+ characters) is 4\d\d as text\/html;| is 416 without Content-Range$/,
    ),
  ],
  files: (rules) =>
    new Map([
      [`${FOLDER}/vhost.conf`, vhostFile(rules)],
      ...(rules.prefix === '' ? [] : [[`${FOLDER}/refused.conf`, rejectedFile(rules)] as const]),
      [`${FOLDER}/${TIME}`, rules.lastModified],
      [`${FOLDER}/${MAP}`, rules.redirects.map(({ from, to }) => `${from} ${to}\n`).join('')],
    ]),
};

export const htaccess: Host = {
  ...SERVER,
  name: 'htaccess',
  title: 'Apache httpd, .htaccess',
  shortcomings: [
    ONLY_NEWEST_DATE,
    partly(
      'not-found',
      'Apache rejects long names (403), escaped slashes (404) and names that begin with .ht (403) with its own error pages.',
      /\/a%2Fb is 404 as text\/html;| \(3\d\d characters\) answers 403, not 404$/,
    ),
    partly(
      'refusals',
      'Apache returns its own error pages for 400 and 414, and for paths with %00 (404) or more than 4096 characters (403). A 412 has an empty body, and a 416 has no Content-Range. It responds to TRACE unless the server sets TraceEnable off.',
      /^(?:\/%zz|\/%00|\/ with a (?:query|header) of \d+ characters) is 4\d\d as text\/html;|^a path of \d+ characters answers 403|^TRACE \/ | is 416 without Content-Range$/,
    ),
  ],
  files: (rules) =>
    new Map([
      ['.htaccess', htaccessFile(rules)],
      ...rules.redirects.map(
        ({ from, to }) => [`${from.slice(1)}/.htaccess`, redirectFile(from, rules.prefix + to)] as const,
      ),
    ]),
};

/** Apache before 2.4.58 redirects to its own host name, which clients may not know. */
const RELATIVE_REDIRECTS = `<IfDirective RedirectRelative>
  RedirectRelative On
</IfDirective>
`;

function vhostFile(rules: HostRules): string {
  const { prefix } = rules;
  const scope = prefix === '' ? '^' : `^${escapeRegExp(prefix)}(?:/|$)`;
  const context: DirectiveContext = {
    scope,
    tree: `\${${TREE}}`,
    flags: 'PT,L',
    variablePrefix: '',
    lastModified: `file('\${${TREE}}/${FOLDER}/${TIME}')`,
    queryRedirect: (query) => `"%{REQUEST_URI}" "[E=gridpress_target:%{ENV:gridpress_target}${query},QSD,PT,L]"`,
    latestRedirect: `RewriteCond "\${${rulesName(rules)}:%{ENV:gridpress_path}}" "^(/.+)"
RewriteRule "${scope}" "-" "[E=gridpress_latest:${prefix}%1,L]"
`,
  };
  return `# gridpress: for a virtual host with its DocumentRoot. Generated; do not edit.
# ${TREE} must be defined: the folder of the tree.
AllowEncodedSlashes NoDecode
TraceEnable off
${prefix === '' ? errorDocuments(rules) : ''}<Location "${prefix === '' ? '/' : prefix}">
  Options -Indexes -MultiViews
${indented(settings(rules, context))}${indented(`${RELATIVE_REDIRECTS}<If "-n reqenv('gridpress_latest')">
  Redirect 307 "%{reqenv:gridpress_latest}"
</If>
<If "-n reqenv('gridpress_target')">
  Redirect 302 "%{reqenv:gridpress_target}"
</If>
`)}</Location>
<LocationMatch "^${escapeRegExp(prefix)}/(?:${escapeRegExp(NOT_FOUND_FILE)}|${escapeRegExp(NOT_ALLOWED_FILE)}|${rules.tombstoneFolder}/.*)$">
  FileETag None
  ForceType ${rules.problemType}
</LocationMatch>

RewriteEngine On
RewriteMap ${rulesName(rules)} "txt:\${${TREE}}/${FOLDER}/${MAP}"
${rewriting(rules, context)}`;
}

function rejectedFile(rules: HostRules): string {
  return `# gridpress: for the virtual host, if no other site of it needs these error pages. Generated; do not edit.
${rejectionDocuments(rules)}`;
}

function htaccessFile(rules: HostRules): string {
  const { prefix, problemType, tombstoneFolder } = rules;
  const context: DirectiveContext = {
    scope: '^',
    tree: `%{DOCUMENT_ROOT}${prefix}`,
    flags: 'END',
    variablePrefix: 'REDIRECT_',
    lastModified: `'${rules.lastModified}'`,
    queryRedirect: (query) => `"%{ENV:gridpress_target}${query}" "[R=302,QSD,NE,L]"`,
    latestRedirect: `RewriteCond "%{DOCUMENT_ROOT}${prefix}%{ENV:gridpress_path}" -d
RewriteRule "^" "${prefix}%{ENV:gridpress_path}/" "[L]"
`,
  };
  return `# gridpress: for the root of the tree. Generated; do not edit.
${settings(rules, context)}<If "%{REQUEST_URI} in {'${prefix}/${NOT_FOUND_FILE}', '${prefix}/${NOT_ALLOWED_FILE}'} || %{REQUEST_URI} =~ m#^${escapeRegExp(prefix)}/${tombstoneFolder}/#">
  FileETag None
  ForceType ${problemType}
</If>

RewriteEngine On
RewriteOptions AllowNoSlash
${rewriting(rules, context)}`;
}

/** Each redirect has its own `.htaccess`, because Apache would parse a shared list for every request. */
function redirectFile(from: string, target: string): string {
  return `# gridpress: redirects to the newest version. Generated; do not edit.
RewriteEngine On
RewriteCond %{REQUEST_METHOD} "=OPTIONS"
RewriteRule "^" "-" "[R=204,L]"
RewriteCond %{REQUEST_METHOD} "!^(?:GET|HEAD)$"
RewriteRule "^" "-" "[R=405,L]"
RewriteCond %{REQUEST_URI} "!${escapeRegExp(from)}(?:/index\\.json|/)?\\z"
RewriteRule "^" "-" "[R=404,L]"
${RELATIVE_REDIRECTS}RedirectMatch 307 "^" ${quotedArgument(target)}
`;
}

/** Maps each status to the body of the response. Apache itself rejects requests with these statuses. */
const REJECTED = { 400: BAD_REQUEST, 412: PRECONDITION_FAILED, 414: URI_TOO_LONG, 416: RANGE_NOT_SATISFIABLE } as const;

function errorDocuments(rules: HostRules): string {
  const { prefix, tombstoneFolder } = rules;
  return `ErrorDocument 403 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 404 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 405 ${prefix}/${NOT_ALLOWED_FILE}
ErrorDocument 410 ${prefix}/${tombstoneFolder}%{reqenv:gridpress_path}.json
${rejectionDocuments(rules)}`;
}

function rejectionDocuments({ problemType }: HostRules): string {
  const documents = Object.entries(REJECTED).map(
    ([status, body]) => `ErrorDocument ${status} ${quotedArgument(body)}\n`,
  );
  const statuses = Object.keys(REJECTED).map((status) => `'${status}'`);
  const isRejected = `"expr=%{REQUEST_STATUS} in {${statuses.join(', ')}}"`;
  return `${documents.join('')}Header always set Content-Type ${problemType} ${isRejected}
Header always set Access-Control-Allow-Origin * ${isRejected}
Header always set X-Content-Type-Options nosniff ${isRejected}
`;
}

/** Removes `-gzip` from If-None-Match, because Apache compares the header with the uncompressed ETag (bug 45023). */
function compressedManifest(rules: HostRules): string {
  const manifest = manifestPattern(rules);
  const known = quotedArgument('-gzip"');
  return `SetEnvIf Request_URI "${manifest}" !no-gzip
SetEnvIf If-None-Match ${known} gridpress_has_gzip=1
<IfModule mod_deflate.c>
  # The manifest has no compressed file, since signing rewrites it.
  <If "%{REQUEST_URI} =~ m#${manifest}#">
    SetOutputFilter DEFLATE
    RequestHeader edit* If-None-Match ${known} ${quotedArgument('"')} "expr=%{HTTP:Accept-Encoding} =~ m#${acceptsCoding('gzip')}#i"
    Header edit ETag ${quotedArgument('(?<!-gzip)"$')} ${known} "expr=%{REQUEST_STATUS} == 304 && reqenv('gridpress_has_gzip') == '1'"
  </If>
</IfModule>
`;
}

function settings(rules: HostRules, { variablePrefix, lastModified }: DirectiveContext): string {
  const { vendorTypes, plainType } = rules;
  // Escapes percent signs, which are placeholders in header values.
  const header = (name: string, value: string) =>
    `Header always set ${name} ${quotedArgument(value.replaceAll('%', '%%'))}`;
  const headerLines = formatHeaders(rules.headers, (name, value) => `${header(name, value)}\n`);
  const onOptions = `"expr=%{REQUEST_METHOD} == 'OPTIONS'"`;
  const preflightLines = formatHeaders(PREFLIGHT_HEADERS, (name, value) => `${header(name, value)} ${onOptions}\n`);
  const answered = `%{REQUEST_STATUS} in {'200', '206', '304'}`;
  return `DirectorySlash Off
DirectoryIndex disabled
FileETag MTime Size
# Apache returns 304 also for later dates, but only the exact time identifies a document.
RequestHeader unset If-Modified-Since "expr=-n %{HTTP:If-Modified-Since} && %{HTTP:If-Modified-Since} != ${lastModified}"
ForceType ${plainType}
RemoveEncoding .gz .br
RemoveLanguage .gz .br
SetEnvIf Request_URI "^" no-gzip no-brotli
${compressedManifest(rules)}${errorDocuments(rules)}${headerLines}${preflightLines}Header always set Cache-Control "${rules.cacheControl.mutable}" "expr=${answered}"
Header always set Cache-Control "${rules.cacheControl.immutable}" "expr=${answered} && reqenv('${variablePrefix}gridpress_immutable') == '1'"
# The date of a version or of a document in a snapshot (RFC 7089).
Header set Memento-Datetime "expr=%{resp:Last-Modified}" "expr=%{REQUEST_STATUS} in {'200', '206'} && reqenv('${variablePrefix}gridpress_immutable') == '1'"
${rules.redirectsBrowsers ? `Header always set Cache-Control ${NO_STORE} "expr=%{REQUEST_STATUS} -eq 302"\n` : ''}Header unset Last-Modified "expr=%{REQUEST_STATUS} -ge 400"
Header set Content-Encoding "%{${variablePrefix}gridpress_coding}e" env=${variablePrefix}gridpress_coding
${vendorTypes ? `Header set Content-Type "%{${variablePrefix}gridpress_type}e" env=${variablePrefix}gridpress_type\n` : ''}${rules.raw.map((each) => typeOfRaw(rules, each)).join('')}`;
}

/** The pattern includes compressed files, because an earlier rule may have selected a compressed file. */
function typeOfRaw(rules: HostRules, raw: RawClass): string {
  return `<If "%{REQUEST_URI} =~ m#${rawPattern(rules, raw).slice(0, -1)}(?:\\.gz|\\.br)?$#">
  ForceType "${raw.mediaType}"
</If>
`;
}
