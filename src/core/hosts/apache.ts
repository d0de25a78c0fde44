/**
 * Apache httpd, twice: one file to include in a virtual host, or a `.htaccess` at the root of the tree for those who
 * cannot change the server. Both rewrite a request to the file that answers it, and note in environment variables what
 * its headers must be.
 */

import { BAD_REQUEST, PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE, URI_TOO_LONG } from '../api/problem.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import { type DirectiveContext, rewriting } from './apache-rewriting.ts';
import type { Host } from './host.ts';
import { acceptsCoding, literally, manifestPattern, quotedArgument, rawPattern } from './patterns.ts';
import { NOT_KEPT } from './request-redirects.ts';
import { type HostRules, type RawClass, rulesName } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/apache`;
/** The variable in which the operator says where the tree is: maps need absolute paths. */
const TREE = 'GRIDPRESS_TREE';
const MAP = 'latest.txt';

export const apache: Host = {
  name: 'apache',
  title: 'Apache httpd, virtual host',
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  leadsBrowsers: true,
  shortcomings: [
    {
      capability: 'refusals',
      extent: 'partly',
      why: 'Below a prefix, requests that are broken (400) or too long (414) are refused before a location is found, with pages of the whole virtual host, unless it includes refused.conf.',
      covers: /^(?:\/%zz|\/ with a query of \d+ characters) is 4\d\d as text\/html;/,
    },
  ],
  limits: [],
  files: (rules) =>
    new Map([
      [`${FOLDER}/vhost.conf`, vhostFile(rules)],
      ...(rules.prefix === '' ? [] : [[`${FOLDER}/refused.conf`, refusedFile(rules)] as const]),
      [`${FOLDER}/${MAP}`, rules.redirects.map(({ from, to }) => `${from} ${to}\n`).join('')],
    ]),
};

export const htaccess: Host = {
  name: 'htaccess',
  title: 'Apache httpd, .htaccess',
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  leadsBrowsers: true,
  shortcomings: [
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Before it reads a .htaccess, Apache refuses names longer than the file system allows (403) and escaped slashes (404), with a page of its own; files whose names begin with .ht are 403.',
      covers: /\/a%2Fb is 404 as text\/html;| \(3\d\d characters\) answers 403, not 404$/,
    },
    {
      capability: 'refusals',
      extent: 'partly',
      why: 'Requests that are broken (400) or too long (414) are refused before a .htaccess is read, with a page of its own, and TRACE is answered unless the server has it turned off.',
      covers: /^(?:\/%zz|\/ with a query of \d+ characters) is 4\d\d as text\/html;|^TRACE \/ /,
    },
  ],
  limits: [],
  files: (rules) =>
    new Map([
      ['.htaccess', htaccessFile(rules)],
      ...rules.redirects.map(
        ({ from, to }) => [`${from.slice(1)}/.htaccess`, redirectFile(from, rules.prefix + to)] as const,
      ),
    ]),
};

/** Before 2.4.58 there are none: then the name is the server's own, which may not be the one that clients know. */
const RELATIVE_REDIRECTS = `<IfDirective RedirectRelative>
  RedirectRelative On
</IfDirective>
`;

function vhostFile(rules: HostRules): string {
  const { prefix } = rules;
  const scope = prefix === '' ? '^' : `^${literally(prefix)}(?:/|$)`;
  const context: DirectiveContext = {
    scope,
    tree: `\${${TREE}}`,
    flags: 'PT,L',
    before: '',
    leading: (query) => `"%{REQUEST_URI}" "[E=gridpress_target:%{ENV:gridpress_target}${query},QSD,PT,L]"`,
    redirecting: `RewriteCond "\${${rulesName(rules)}:%{ENV:gridpress_path}}" "^(/.+)"
RewriteRule "${scope}" "-" "[E=gridpress_latest:${prefix}%1,L]"
`,
  };
  return `# gridpress: for a virtual host, beside its DocumentRoot. Generated; do not edit.
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
<LocationMatch "^${literally(prefix)}/(?:${literally(NOT_FOUND_FILE)}|${literally(NOT_ALLOWED_FILE)}|${rules.goneFolder}/.*)$">
  FileETag None
  ForceType ${rules.problemType}
</LocationMatch>

RewriteEngine On
RewriteMap ${rulesName(rules)} "txt:\${${TREE}}/${FOLDER}/${MAP}"
${rewriting(rules, context)}`;
}

function refusedFile(rules: HostRules): string {
  return `# gridpress: for the virtual host, where no other site of it has pages for these. Generated; do not edit.
${refusals(rules)}`;
}

function htaccessFile(rules: HostRules): string {
  const { prefix, problemType, goneFolder } = rules;
  const context: DirectiveContext = {
    scope: '^',
    tree: `%{DOCUMENT_ROOT}${prefix}`,
    flags: 'END',
    before: 'REDIRECT_',
    leading: (query) => `"%{ENV:gridpress_target}${query}" "[R=302,QSD,NE,L]"`,
    redirecting: `RewriteCond "%{DOCUMENT_ROOT}${prefix}%{ENV:gridpress_path}" -d
RewriteRule "^" "${prefix}%{ENV:gridpress_path}/" "[L]"
`,
  };
  return `# gridpress: for the root of the tree. Generated; do not edit.
${settings(rules, context)}<If "%{REQUEST_URI} in {'${prefix}/${NOT_FOUND_FILE}', '${prefix}/${NOT_ALLOWED_FILE}'} || %{REQUEST_URI} =~ m#^${literally(prefix)}/${goneFolder}/#">
  FileETag None
  ForceType ${problemType}
</If>

RewriteEngine On
RewriteOptions AllowNoSlash
${rewriting(rules, context)}`;
}

/**
 * The `.htaccess` of a folder that stands for a latest version: a `.htaccess` has no maps, a list of all in that of the
 * root would be parsed for each request, and this one is read for its own path only.
 */
function redirectFile(from: string, target: string): string {
  return `# gridpress: redirects to the newest version. Generated; do not edit.
RewriteEngine On
RewriteCond %{REQUEST_METHOD} "=OPTIONS"
RewriteRule "^" "-" "[R=204,L]"
RewriteCond %{REQUEST_METHOD} "!^(?:GET|HEAD)$"
RewriteRule "^" "-" "[R=405,L]"
RewriteCond %{REQUEST_URI} "!${literally(from)}(?:/index\\.json|/)?\\z"
RewriteRule "^" "-" "[R=404,L]"
${RELATIVE_REDIRECTS}RedirectMatch 307 "^" ${quotedArgument(target)}
`;
}

/** The value of a header, in which a percent sign asks for something else. */
function formatted(value: string): string {
  return value.replaceAll('%', '%%');
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** What Apache itself refuses, with the bodies of its answers. */
const REFUSED = { 400: BAD_REQUEST, 412: PRECONDITION_FAILED, 414: URI_TOO_LONG, 416: RANGE_NOT_SATISFIABLE } as const;

function errorDocuments(rules: HostRules): string {
  const { prefix, goneFolder } = rules;
  return `ErrorDocument 403 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 404 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 405 ${prefix}/${NOT_ALLOWED_FILE}
ErrorDocument 410 ${prefix}/${goneFolder}%{reqenv:gridpress_path}.json
${refusals(rules)}`;
}

/** What answers requests that the server itself refuses: the problem documents stand in the configuration. */
function refusals({ problemType }: HostRules): string {
  return `${Object.entries(REFUSED)
    .map(([status, body]) => `ErrorDocument ${status} ${quotedArgument(body)}\n`)
    .join('')}Header always set Content-Type ${problemType} "expr=%{REQUEST_STATUS} in {${Object.keys(REFUSED)
    .map((status) => `'${status}'`)
    .join(', ')}}"
`;
}

/**
 * Compresses the manifest on the way, with an ETag of its own (`"X-gzip"`). Apache compares what clients have with the
 * one of the file (its bug 45023), so the suffix is taken off for those to whom the compressed form would be sent.
 */
function compressedManifest(rules: HostRules): string {
  const manifest = manifestPattern(rules);
  const known = quotedArgument('-gzip"');
  return `SetEnvIf Request_URI "${manifest}" !no-gzip
SetEnvIf If-None-Match ${known} gridpress_has_gzip=1
<IfModule mod_deflate.c>
  # It has no compressed file, since whoever signs it rewrites it.
  <If "%{REQUEST_URI} =~ m#${manifest}#">
    SetOutputFilter DEFLATE
    RequestHeader edit* If-None-Match ${known} ${quotedArgument('"')} "expr=%{HTTP:Accept-Encoding} =~ m#${acceptsCoding('gzip')}#i"
    Header edit ETag ${quotedArgument('(?<!-gzip)"$')} ${known} "expr=%{REQUEST_STATUS} == 304 && reqenv('gridpress_has_gzip') == '1'"
  </If>
</IfModule>
`;
}

/** What a folder or a location is set to: no index files, no guesses from endings, no compression on the way, headers. */
function settings(rules: HostRules, { before }: DirectiveContext): string {
  const { headers, vendorTypes, plainType } = rules;
  const answered = `%{REQUEST_STATUS} in {'200', '206', '304'}`;
  return `DirectorySlash Off
DirectoryIndex disabled
FileETag MTime Size
ForceType ${plainType}
RemoveEncoding .gz .br
RemoveLanguage .gz .br
SetEnvIf Request_URI "^" no-gzip no-brotli
${compressedManifest(rules)}${errorDocuments(rules)}${Object.entries(headers)
  .map(([name, value]) => `Header always set ${name} ${quotedArgument(formatted(value))}\n`)
  .join('')}${Object.entries(PREFLIGHT_HEADERS)
  .map(([name, value]) => `Header always set ${name} ${quotedArgument(value)} "expr=%{REQUEST_METHOD} == 'OPTIONS'"\n`)
  .join('')}Header always set Cache-Control "${rules.cacheControl('mutable')}" "expr=${answered}"
Header always set Cache-Control "${rules.cacheControl('immutable')}" "expr=${answered} && reqenv('${before}gridpress_immutable') == '1'"
${rules.redirectsBrowsers ? `Header always set Cache-Control ${NOT_KEPT} "expr=%{REQUEST_STATUS} -eq 302"\n` : ''}Header unset Last-Modified "expr=%{REQUEST_STATUS} -ge 400"
Header set Content-Encoding "%{${before}gridpress_coding}e" env=${before}gridpress_coding
${vendorTypes ? `Header set Content-Type "%{${before}gridpress_type}e" env=${before}gridpress_type\n` : ''}${rules.raw.map((each) => typeOfRaw(rules, each)).join('')}`;
}

/** A raw document may have been rewritten to its compressed file. */
function typeOfRaw(rules: HostRules, raw: RawClass): string {
  return `<If "%{REQUEST_URI} =~ m#${rawPattern(rules, raw).slice(0, -1)}(?:\\.gz|\\.br)?$#">
  ForceType "${raw.mediaType}"
</If>
`;
}
