/**
 * Apache httpd, twice: one file to include in a virtual host, or a `.htaccess` at the root of the tree for those who
 * cannot change the server. Both rewrite a request to the file that answers it, and note in environment variables what
 * its headers must be.
 */
import { latestVersionUrl } from '../../api/endpoints.ts';
import { cacheControl } from '../../tree/headers.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../../tree/layout.ts';
import type { Host } from '../host.ts';
import {
  ACCEPTS_JSON,
  acceptsCoding,
  collectionsPattern,
  immutablePattern,
  literally,
  manifestPattern,
  namesVendor,
  pcreRequestPattern,
  rawPattern,
  rootPattern,
  toTheVeryEnd,
} from '../patterns.ts';
import { type HostRules, type RawClass, rulesName } from '../rules.ts';

const FOLDER = `${HOSTS_FOLDER}/apache`;
/** The variable in which the operator says where the tree is: maps need absolute paths. */
const TREE = 'GRIDPRESS_TREE';
const MAP = 'latest.txt';

export const apache: Host = {
  name: 'apache',
  title: 'Apache httpd, virtual host',
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  shortcomings: [],
  limits: [],
  files: (rules) =>
    new Map([
      [`${FOLDER}/vhost.conf`, vhostFile(rules)],
      [`${FOLDER}/${MAP}`, rules.redirects.map(({ from, to }) => `${from} ${to}\n`).join('')],
    ]),
  recipe: `1. Copy the tree, keeping file times and links: \`rsync -rtcH --delete dist/ server:/srv/api/\`.
2. \`a2enmod rewrite headers setenvif\`. In the virtual host, beside \`DocumentRoot /srv/api\`, where \`${TREE}\` names the folder of the tree
   itself (with a prefix: the folder below the document root that the prefix leads to):

   \`\`\`
   Define ${TREE} /srv/api
   Include /srv/api/${FOLDER}/vhost.conf
   <Directory /srv/api>
     AllowOverride None
     Require all granted
   </Directory>
   \`\`\`

3. \`apachectl configtest\` and \`apachectl graceful\`. A later deployment needs neither, unless the configuration has changed.`,
};

export const htaccess: Host = {
  name: 'htaccess',
  title: 'Apache httpd, .htaccess',
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  shortcomings: [
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Before it reads a .htaccess, Apache refuses names longer than the file system allows (403) and escaped slashes (404), with a page of its own; files whose names begin with .ht are 403.',
      covers: /\/a%2Fb is 404 as text\/html;| \(3\d\d characters\) answers 403, not 404$/,
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
  recipe: `1. Copy the tree, hidden files too, to the document root (with a prefix: to the folder below it that the prefix leads to), keeping
   file times and links: \`rsync -rtcH --delete dist/ server:/var/www/html/\`.
2. The server must have the modules rewrite, headers and setenvif, and for that folder \`AllowOverride FileInfo Indexes\` (or \`All\`) and not
   \`Options MultiViews\`. It answers TRACE by itself, unless it has \`TraceEnable off\`. Who can change the server should
   rather include the file for virtual hosts: no \`.htaccess\` is then read and parsed for each request.`,
};

/** Where rules stand, which decides what they match, how they end, and under which names their variables come back. */
interface Place {
  /** What rules match besides their conditions. */
  readonly scope: string;
  /** The folder of the tree. */
  readonly tree: string;
  /** How a rule leads to a file. */
  readonly flags: string;
  /** What stands before the names of variables when headers are set. */
  readonly before: string;
  /** What redirects, after a condition that the path is of a latest version. */
  readonly redirecting: string;
}

function vhostFile(rules: HostRules): string {
  const { prefix } = rules;
  const scope = prefix === '' ? '^' : `^${literally(prefix)}(?:/|$)`;
  const place: Place = {
    scope,
    tree: `\${${TREE}}`,
    flags: 'PT,L',
    before: '',
    redirecting: `RewriteCond "\${${rulesName(rules)}:%{ENV:gridpress_path}}" "^(/.+)"
RewriteRule "${scope}" "${prefix}%1" "[R=307,L]"
`,
  };
  return `# gridpress: for a virtual host, beside its DocumentRoot. Generated; do not edit.
# ${TREE} must be defined: the folder of the tree.
AllowEncodedSlashes NoDecode
${prefix === '' ? errorDocuments(rules) : ''}<Location "${prefix === '' ? '/' : prefix}">
  Options -Indexes -MultiViews
${indented(settings(rules, place))}</Location>
<LocationMatch "^${literally(prefix)}/(?:${literally(NOT_FOUND_FILE)}|${literally(NOT_ALLOWED_FILE)}|${rules.goneFolder}/.*)$">
  FileETag None
  ForceType ${rules.problemType}
</LocationMatch>

RewriteEngine On
RewriteMap ${rulesName(rules)} "txt:\${${TREE}}/${FOLDER}/${MAP}"
${rewriting(rules, place)}`;
}

function htaccessFile(rules: HostRules): string {
  const { prefix, problemType, goneFolder } = rules;
  const place: Place = {
    scope: '^',
    tree: `%{DOCUMENT_ROOT}${prefix}`,
    flags: 'END',
    before: 'REDIRECT_',
    redirecting: `RewriteCond "%{DOCUMENT_ROOT}${prefix}%{ENV:gridpress_path}" -d
RewriteRule "^" "${prefix}%{ENV:gridpress_path}/" "[L]"
`,
  };
  return `# gridpress: for the root of the tree. Generated; do not edit.
${settings(rules, place)}<If "%{REQUEST_URI} in {'${prefix}/${NOT_FOUND_FILE}', '${prefix}/${NOT_ALLOWED_FILE}'} || %{REQUEST_URI} =~ m#^${literally(prefix)}/${goneFolder}/#">
  FileETag None
  ForceType ${problemType}
</If>

RewriteEngine On
RewriteOptions AllowNoSlash
${rewriting(rules, place)}`;
}

/**
 * The `.htaccess` of a folder that stands for a latest version: a `.htaccess` has no maps, a list of all in that of the
 * root would be parsed for each request, and this one is read for its own path only.
 */
function redirectFile(from: string, target: string): string {
  return `# gridpress: redirects to the newest version. Generated; do not edit.
RewriteEngine On
RewriteCond %{REQUEST_METHOD} "!^(?:GET|HEAD)$"
RewriteRule "^" "-" "[R=405,L]"
RewriteCond %{REQUEST_URI} "!${literally(from)}(?:/index\\.json|/)?\\z"
RewriteRule "^" "-" "[R=404,L]"
RewriteRule "^" ${quoted(target)} "[R=307,L]"
`;
}

/** An argument of a directive. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The value of a header, in which a percent sign asks for something else. */
function formatted(value: string): string {
  return value.replaceAll('%', '%%');
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function errorDocuments({ prefix, goneFolder }: HostRules): string {
  return `ErrorDocument 400 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 403 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 404 ${prefix}/${NOT_FOUND_FILE}
ErrorDocument 405 ${prefix}/${NOT_ALLOWED_FILE}
ErrorDocument 410 ${prefix}/${goneFolder}%{reqenv:gridpress_path}.json
`;
}

/** What a folder or a location is set to: no index files, no guesses from endings, no compression on the way, headers. */
function settings(rules: HostRules, { before }: Place): string {
  const { headers, vendorTypes, plainType } = rules;
  const sent = { ...headers, Vary: `${headers['Vary']}, Accept-Encoding` };
  const answered = `%{REQUEST_STATUS} in {'200', '206', '304'}`;
  return `DirectorySlash Off
DirectoryIndex disabled
FileETag MTime Size
ForceType ${plainType}
RemoveEncoding .gz .br
RemoveLanguage .gz .br
SetEnvIf Request_URI "^" no-gzip no-brotli
${errorDocuments(rules)}${Object.entries(sent)
  .map(([name, value]) => `Header always set ${name} ${quoted(formatted(value))}\n`)
  .join('')}Header always set Cache-Control "${cacheControl('mutable')}" "expr=${answered}"
Header always set Cache-Control "${cacheControl('immutable')}" "expr=${answered} && reqenv('${before}gridpress_immutable') == '1'"
Header unset Last-Modified "expr=%{REQUEST_STATUS} -ge 400"
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

function rewriting(rules: HostRules, { scope, tree, flags, redirecting }: Place): string {
  const { prefix, goneFolder } = rules;
  const rule = (change: string, flag: string) => `RewriteRule "${scope}" "${change}" "[${flag}]"\n`;
  const when = (subject: string, pattern: string, flag = '') =>
    `RewriteCond %{${subject}} "${toTheVeryEnd(pattern)}"${flag}\n`;
  const file = '%{ENV:gridpress_variant}%{ENV:gridpress_path}.json';
  const raw = '%{ENV:gridpress_raw}';
  const coded = (text: string, coding: string, ending: string) =>
    when('HTTP:Accept-Encoding', acceptsCoding(coding), ' [NC,NV]') +
    `RewriteCond "${tree}${text}${ending}" -f\n` +
    rule(`${prefix}${text}${ending}`, `E=gridpress_coding:${coding},${flags}`);
  return [
    '# Error documents, and what was rewritten already.\n',
    when('ENV:REDIRECT_STATUS', '.'),
    rule('-', 'END'),
    'RewriteCond %{REQUEST_METHOD} "!^(?:GET|HEAD)$"\n',
    rule('-', 'R=405,L'),
    '# The path without prefix and suffix, "/index" for the root; none for what can be no document.\n',
    when('REQUEST_URI', manifestPattern(rules)),
    rule('-', 'END'),
    when('REQUEST_URI', rawPattern(rules, ...rules.raw)),
    rule('-', 'E=gridpress_raw:%1'),
    ...(rules.raw.some(({ cache }) => cache === 'immutable')
      ? [when('ENV:gridpress_raw', immutablePattern(rules)), rule('-', 'E=gridpress_immutable:1')]
      : []),
    when('ENV:gridpress_raw', '.') + coded(raw, 'br', '.br'),
    when('ENV:gridpress_raw', '.') + coded(raw, 'gzip', '.gz'),
    when('ENV:gridpress_raw', '.') + rule('-', 'END'),
    when('REQUEST_URI', rootPattern(rules)),
    rule('-', 'E=gridpress_path:/index'),
    when('REQUEST_URI', pcreRequestPattern(rules)),
    rule('-', 'E=gridpress_path:%1'),
    when('ENV:gridpress_path', '^$'),
    rule('-', 'R=404,L'),
    when('ENV:gridpress_path', `${literally(latestVersionUrl(''))}$`),
    redirecting,
    '# What is not there may be gone: then its tombstone answers.\n',
    `RewriteCond "${tree}%{ENV:gridpress_path}.json" !-f\n`,
    `RewriteCond "${tree}/${goneFolder}%{ENV:gridpress_path}.json" -f\n`,
    rule('-', 'R=410,L'),
    when('ENV:gridpress_path', immutablePattern(rules)),
    rule('-', 'E=gridpress_immutable:1'),
    typing(rules, rule, when),
    when('QUERY_STRING', '(?:^|&)pretty(?:=(?!(?:no|false|0)(?:&|$))|&|$)', ' [OR]'),
    when('HTTP:X-Rack-PrettyJSON', '^yes$', ' [NV]'),
    rule('-', `E=gridpress_variant:/${PRETTY_FOLDER}`),
    coded(file, 'br', '.br'),
    coded(file, 'gzip', '.gz'),
    rule(`${prefix}${file}`, flags),
  ].join('');
}

function typing(
  rules: HostRules,
  rule: (change: string, flag: string) => string,
  when: (subject: string, pattern: string, flag?: string) => string,
): string {
  const { vendorTypes, plainType } = rules;
  if (!vendorTypes) return '';
  return [
    "# Paths that end in .json, and requests for application/json and not for the vendor's types, get application/json.\n",
    rule('-', `E=gridpress_type:${vendorTypes.item}; charset=utf-8`),
    when('ENV:gridpress_path', collectionsPattern(rules)),
    rule('-', `E=gridpress_type:${vendorTypes.collection}; charset=utf-8`),
    `RewriteCond %{HTTP:Accept} "!${namesVendor(vendorTypes)}" [NC,NV]\n`,
    when('HTTP:Accept', ACCEPTS_JSON, ' [NC,NV]'),
    rule('-', `E=gridpress_type:${plainType}`),
    when('REQUEST_URI', '\\.json$'),
    rule('-', `E=gridpress_type:${plainType}`),
  ].join('');
}
