/** Real servers on free ports, configured as on the pages of the hosts, until the tests of a file end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { apache, htaccess } from '../../../src/core/hosts/apache.ts';
import { caddy } from '../../../src/core/hosts/caddy.ts';
import type { Host } from '../../../src/core/hosts/host.ts';
import { lighttpd } from '../../../src/core/hosts/lighttpd.ts';
import { nginx } from '../../../src/core/hosts/nginx.ts';
import type { Configuration } from '../../../src/core/model/configuration.ts';
import type { BuildOptions } from '../../../src/features/build/build-options.ts';
import { newFolder } from '../folders.ts';
import { PATH } from '../processes/programs.ts';
import { type HostTree, hostTree } from '../trees/host-tree.ts';
import { closeAtEnd } from '../trees/served.ts';

export interface TestServer {
  readonly host: Host;
  /** Commands and files that must exist. */
  readonly needs: readonly string[];
  /** The command that starts it in the foreground with a configuration file. */
  readonly command: (file: string) => readonly string[];
  readonly configuration: (place: Place) => string;
  /** The log line that it writes when it listens. */
  readonly listening: RegExp;
}

interface Place extends HostTree {
  readonly port: number;
  /** A folder for the server's own files. */
  readonly folder: string;
}

const DEFLATE = '/usr/lib/lighttpd/mod_deflate.so';
const MAGNET = '/usr/lib/lighttpd/mod_magnet.so';
const APACHE_MODULES = '/usr/lib/apache2/modules';

const NGINX: TestServer = {
  host: nginx,
  needs: ['nginx'],
  command: (file) => ['nginx', '-c', file, '-e', 'stderr'],
  listening: /start worker process /,
  configuration: ({ root, tree, prefix, port, folder }) => `
pcre_jit on;
worker_processes 1;
daemon off;
pid ${folder}/pid;
error_log stderr notice;
events { worker_connections 64; }
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('')}
  include ${tree}/_hosts/nginx/hash.conf;
  include ${tree}/_hosts/nginx/http.conf;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    include ${tree}/_hosts/nginx/server.conf;
${prefix === '' ? '' : `    include ${tree}/_hosts/nginx/refused.conf;\n`}  }
}
`,
};

const CADDY: TestServer = {
  host: caddy,
  needs: ['caddy'],
  command: (file) => ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
  listening: /serving initial configuration/,
  configuration: ({ root, tree, port }) => `{
	admin off
	auto_https off
}
http://127.0.0.1:${port} {
	bind 127.0.0.1
	root * ${root}
	import ${tree}/_hosts/caddy/site.caddy
}
`,
};

/** Also loads Debian's modules that might interfere, with maximum compression and content sniffing. */
function apacheConfiguration({ root, port, folder }: Place, inHost: string, inFolder: string): string {
  const names = ['mpm_event', 'authz_core', 'alias', 'autoindex', 'deflate', 'dir', 'filter', 'mime'];
  const modules = [...names, 'negotiation', 'setenvif', 'rewrite', 'headers'];
  return `ServerName localhost
ServerRoot ${folder}
PidFile ${folder}/pid
ErrorLog /dev/stderr
Mutex file:${folder}
User www-data
Group www-data
${modules.map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so\n`).join('')}
TypesConfig /etc/mime.types
AddEncoding x-gzip .gz
AddOutputFilterByType DEFLATE application/json
<FilesMatch "^\\.ht">
  Require all denied
</FilesMatch>
Listen 127.0.0.1:${port}
<VirtualHost 127.0.0.1:${port}>
  DocumentRoot ${root}
${inHost}  <Directory ${root}>
    ${inFolder}
    Require all granted
  </Directory>
</VirtualHost>
`;
}

const APACHE: Omit<TestServer, 'host' | 'configuration'> = {
  needs: ['apache2', `${APACHE_MODULES}/mod_rewrite.so`, '/etc/mime.types'],
  command: (file) => ['apache2', '-f', file, '-DFOREGROUND'],
  listening: /resuming normal operations/,
};

const APACHE_VHOST: TestServer = {
  ...APACHE,
  host: apache,
  configuration: (place) =>
    apacheConfiguration(
      place,
      `  Define GRIDPRESS_TREE ${place.tree}
  Include ${place.tree}/_hosts/apache/vhost.conf
${place.prefix === '' ? '' : `  Include ${place.tree}/_hosts/apache/refused.conf\n`}`,
      'AllowOverride None',
    ),
};

const APACHE_HTACCESS: TestServer = {
  ...APACHE,
  host: htaccess,
  configuration: (place) => apacheConfiguration(place, '', 'AllowOverride FileInfo Indexes'),
};

/** Debian's default configuration denies these suffixes. */
const LIGHTTPD: TestServer = {
  host: lighttpd,
  needs: ['lighttpd', MAGNET, DEFLATE],
  command: (file) => ['lighttpd', '-D', '-f', file],
  listening: /server started/,
  configuration: ({ root, tree, port, folder }) => `
server.modules = ( "mod_access", "mod_magnet", "mod_deflate" )
url.access-deny = ( "~", ".inc" )
server.bind = "127.0.0.1"
server.port = ${port}
server.pid-file = "${folder}/pid"
server.document-root = "${folder}"
$HTTP["host"] =~ "^127\\." {
  server.document-root = "${root}"
  include "${tree}/_hosts/lighttpd/gridpress.conf"
}
`,
};

export const SERVERS: readonly TestServer[] = [NGINX, CADDY, APACHE_VHOST, APACHE_HTACCESS, LIGHTTPD];
export { NGINX };

const trees = new Map<string, Promise<HostTree>>();

/**
 * The tree for a server. Servers with their configuration in `_hosts` share one tree. `.htaccess` files are next to the
 * documents, so their server has a tree of its own.
 */
export function serverTree(
  { host }: TestServer,
  dialect: Configuration['dialect'],
  prefix: string,
  options: Pick<BuildOptions, 'precompressed'> = {},
  configuration: Partial<Configuration> = {},
): Promise<HostTree> {
  const others = SERVERS.map((server) => server.host).filter((each) => each !== htaccess);
  const hosts = host === htaccess ? [htaccess] : others;
  const key = JSON.stringify([hosts.map(({ name }) => name), dialect, prefix, options, configuration]);
  const tree = trees.get(key) ?? hostTree(hosts, dialect, prefix, options, configuration);
  trees.set(key, tree);
  return tree;
}

/** Starts a server and returns the URL of the API. */
export async function startServer(
  server: TestServer,
  tree: HostTree,
): Promise<{ readonly base: string; readonly port: number }> {
  const folder = newFolder();
  const port = await freePort();
  const file = join(folder, 'configuration');
  const log = join(folder, 'log');
  writeFileSync(file, server.configuration({ ...tree, port, folder }));
  const output = openSync(log, 'a');
  const [command = '', ...args] = server.command(file);
  const env = { ...process.env, PATH, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(command, args, { env, stdio: ['ignore', output, output] });
  closeAtEnd(() => end(child));
  await untilLogged(log, server.listening, child);
  return { base: `http://127.0.0.1:${port}${tree.prefix}`, port };
}

export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port');
  return address.port;
}

/** Waits for the log line of a process that listens. */
export function untilLogged(log: string, listening: RegExp, child: ChildProcess): Promise<void> {
  // Creates the log file, because the process may do so later.
  closeSync(openSync(log, 'a'));
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!listening.test(readFileSync(log, 'utf8'))) return;
      watcher.close();
      child.off('exit', refuse);
      resolve();
    };
    const refuse = () => {
      watcher.close();
      reject(new Error(`the server ended: ${readFileSync(log, 'utf8')}`));
    };
    const watcher = watch(log, look);
    child.once('exit', refuse);
    look();
  });
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
