/** nginx: one file to include in the `http` block, one in the `server` block. */
import { HOSTS_FOLDER } from '../../tree/layout.ts';
import type { Host } from '../host.ts';
import { httpFile } from './http-file.ts';
import { refusedFile, serverFile } from './server-file.ts';

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
