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
  recipe: `1. Copy the tree to the folder that \`root\` names (with a prefix: to the folder below it that the prefix leads to), keeping file
   times and links: \`rsync -rtcH --delete dist/ server:/srv/api/\`.
2. In the \`http\` block include \`_hosts/nginx/http.conf\`, and once, unless these sizes are set there already, \`_hosts/nginx/hash.conf\`.
   In the \`server\` block, beside \`root\`, include \`_hosts/nginx/server.conf\`. It sends the compressed files by itself, brotli too: no
   module is needed, and none that compresses by itself (\`brotli on\`) must be on for the server. In the main context \`pcre_jit on;\` makes the patterns in them cheaper.
   On Debian and Ubuntu all of it is one file, \`/etc/nginx/conf.d/api.conf\`:

   \`\`\`
   include /srv/api/_hosts/nginx/hash.conf;
   include /srv/api/_hosts/nginx/http.conf;
   server {
     listen 80;
     server_name api.testbed.example.org;
     root /srv/api;
     include /srv/api/_hosts/nginx/server.conf;
   }
   \`\`\`

3. \`nginx -t && nginx -s reload\`, after each deployment too: the redirects stand in the included file.

One nginx serves several trees if they differ in dialect or prefix. It refuses requests that name a header twice, such as two
lines of \`If-None-Match\`, with 400. Below a prefix the pages for what is
refused at once belong to the whole server: where no other site of it has any, include \`_hosts/nginx/refused.conf\` beside \`server.conf\`.`,
};

const HASH_FILE = `# gridpress: for the http block, once. The keys of the redirects are long. Generated; do not edit.
map_hash_max_size 1048576;
map_hash_bucket_size 512;
`;
