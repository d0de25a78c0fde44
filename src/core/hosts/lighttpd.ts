/**
 * lighttpd: a file to include, and the Lua script to which it hands each request. The server's own directives can neither
 * answer 405 nor choose headers by status; so the script does everything but send the file.
 */

import { HOSTS_FOLDER, MANIFEST_FILE } from '../tree/layout.ts';
import type { Host } from './host.ts';
import { quoted, scriptFile, TARGETS_FILE } from './lighttpd-script.ts';
import { literally } from './patterns.ts';
import type { HostRules } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/lighttpd`;
const SCRIPT = 'gridpress.lua';

export const lighttpd: Host = {
  name: 'lighttpd',
  title: 'lighttpd',
  evidence: 'server',
  variants: { names: [], pretty: true, precompressed: true },
  leadsBrowsers: true,
  shortcomings: [
    {
      capability: 'refusals',
      extent: 'partly',
      why: 'Requests with a longer line than the server takes are refused before the script, with a page of its own (431).',
      covers: / characters is 431 as text\/html/,
    },
  ],
  limits: [],
  files: (rules) =>
    new Map([
      [`${FOLDER}/gridpress.conf`, includedFile(rules)],
      [`${FOLDER}/${SCRIPT}`, scriptFile(rules)],
      [TARGETS_FILE, rules.redirects.map(({ from, to }) => `${from} ${to}\n`).join('')],
    ]),
};

function includedFile({ prefix, plainType }: HostRules): string {
  return `# gridpress: after server.document-root, in its block. Generated; do not edit.
$HTTP["url"] =~ "^${prefix === '' ? '/' : `${literally(prefix)}(?:/|$)`}" {
  magnet.attract-physical-path-to = ( server.document-root + "${prefix}/${FOLDER}/${SCRIPT}" )
  etag.use-inode = "disable"
  # Where endings of paths are denied: here they are those of uids.
  url.access-deny = ( )
}
# It has no compressed file, since whoever signs it rewrites it. Without mod_deflate it is sent as it is.
$HTTP["url"] == ${quoted(`${prefix}/${MANIFEST_FILE}`)} {
  deflate.mimetypes = ( ${quoted(plainType)} )
  deflate.allowed-encodings = ( "gzip" )
}
`;
}
