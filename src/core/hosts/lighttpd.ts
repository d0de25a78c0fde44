/** Uses a Lua script, because lighttpd's directives cannot return 405 or select headers by status. */

import { HOSTS_FOLDER, MANIFEST_FILE } from '../tree/layout.ts';
import { type Host, partly, SERVER } from './host.ts';
import { quoted, scriptFile, TARGETS_FILE } from './lighttpd-script.ts';
import { escapeRegExp } from './patterns.ts';
import type { HostRules } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/lighttpd`;
const SCRIPT = 'gridpress.lua';

export const lighttpd: Host = {
  ...SERVER,
  name: 'lighttpd',
  title: 'lighttpd',
  reload: 'lighttpd -tt -f /etc/lighttpd/lighttpd.conf && systemctl restart lighttpd',
  shortcomings: [
    partly(
      'refusals',
      'lighttpd rejects some requests before the script runs, with its own error page: invalid requests and paths (400), POST without a length (411), long lines (431), unknown methods (501) and unknown versions of HTTP (505).',
      / characters is 431 as text\/html|^(?:FOO \/|\/%ff|\/%00) is (?:400|501) as text\/html/,
    ),
  ],
  files: (rules) =>
    new Map([
      [`${FOLDER}/gridpress.conf`, includedFile(rules)],
      [`${FOLDER}/${SCRIPT}`, scriptFile(rules)],
      [TARGETS_FILE, rules.redirects.map(({ from, to }) => `${from} ${to}\n`).join('')],
    ]),
};

function includedFile({ prefix, plainType }: HostRules): string {
  return `# gridpress: after server.document-root, in its block. Generated; do not edit.
$HTTP["url"] =~ "^${prefix === '' ? '/' : `${escapeRegExp(prefix)}(?:/|$)`}" {
  magnet.attract-physical-path-to = ( server.document-root + "${prefix}/${FOLDER}/${SCRIPT}" )
  etag.use-inode = "disable"
  # The server may deny endings of paths, but uids can have any ending.
  url.access-deny = ( )
}
# The manifest has no compressed file, since signing rewrites it. Without mod_deflate it is sent uncompressed.
$HTTP["url"] == ${quoted(`${prefix}/${MANIFEST_FILE}`)} {
  deflate.mimetypes = ( ${quoted(plainType)} )
  deflate.allowed-encodings = ( "gzip" )
}
`;
}
