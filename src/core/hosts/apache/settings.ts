/** What a folder or a location of Apache is set to: error documents, headers, media types. */
import { BAD_REQUEST, PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE, URI_TOO_LONG } from '../../api/problem.ts';
import { PREFLIGHT_HEADERS } from '../../tree/headers.ts';
import { NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../../tree/layout.ts';
import { NOT_KEPT } from '../browser-redirects.ts';
import { acceptsCoding, manifestPattern, quotedArgument, rawPattern } from '../patterns.ts';
import type { HostRules, RawClass } from '../rules.ts';
import type { DirectiveContext } from './rewriting.ts';

/** The value of a header, in which a percent sign asks for something else. */
function formatted(value: string): string {
  return value.replaceAll('%', '%%');
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** What Apache itself refuses, with the bodies of its answers. */
const REFUSED = { 400: BAD_REQUEST, 412: PRECONDITION_FAILED, 414: URI_TOO_LONG, 416: RANGE_NOT_SATISFIABLE } as const;

export function errorDocuments(rules: HostRules): string {
  const { prefix, goneFolder } = rules;
  return `ErrorDocument 403 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 404 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 405 ${prefix}/${NOT_ALLOWED_FILE}
ErrorDocument 410 ${prefix}/${goneFolder}%{reqenv:gridpress_path}.json
${refusals(rules)}`;
}

/** What answers requests that the server itself refuses: the problem documents stand in the configuration. */
export function refusals({ problemType }: HostRules): string {
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
export function settings(rules: HostRules, { before }: DirectiveContext): string {
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
