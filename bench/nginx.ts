/** Starts one nginx with several servers of the same tree: with the generated rules, and without them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** `plain` has no rules; `open` only keeps files open between requests, as the generated rules do. */
export const SERVERS = ['ours', 'plain', 'open'] as const;
export type ServerName = (typeof SERVERS)[number];

export interface Nginx {
  /** Base URLs. */
  readonly bases: Readonly<Record<ServerName, string>>;
  /** The CPU time of the worker process, in microseconds. */
  readonly cpuTime: () => number;
  readonly stop: () => Promise<void>;
}

/** One process serves all, so that nothing else differs. */
export async function startNginx(tree: string, folder: string): Promise<Nginx> {
  const ports = { ours: await freePort(), plain: await freePort(), open: await freePort() };
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // Workers of a server that root starts run as another user.
  chmodSync(folder, 0o755);
  writeFileSync(
    file,
    `pcre_jit on;
worker_processes 1;
daemon off;
pid ${folder}/pid;
error_log stderr notice;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('')}  include ${tree}/_hosts/nginx/hash.conf;
  include ${tree}/_hosts/nginx/http.conf;
  server {
    listen 127.0.0.1:${ports.ours};
    root ${tree};
    include ${tree}/_hosts/nginx/server.conf;
  }
${plainServer(tree, ports.plain, '')}${plainServer(tree, ports.open, KEEPING_OPEN)}}
`,
  );
  const child = spawn('nginx', ['-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
  });
  const stop = () => child.kill();
  process.once('exit', stop);
  const worker = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
      const [, id] = /start worker process (\d+)/.exec(said) ?? [];
      if (id !== undefined) resolve(id);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`nginx ended:\n${said}`)));
  });
  return {
    bases: {
      ours: `http://127.0.0.1:${ports.ours}`,
      plain: `http://127.0.0.1:${ports.plain}`,
      open: `http://127.0.0.1:${ports.open}`,
    },
    // The first field is in nanoseconds.
    cpuTime: () => Number.parseInt(readFileSync(`/proc/${worker}/schedstat`, 'utf8'), 10) / 1000,
    stop: async () => {
      process.off('exit', stop);
      child.removeAllListeners('exit');
      child.kill();
      await once(child, 'exit');
    },
  };
}

const KEEPING_OPEN = `    open_file_cache max=128 inactive=10s;
    open_file_cache_valid 1s;
`;

function plainServer(tree: string, port: number, directives: string): string {
  return `  server {
    listen 127.0.0.1:${port};
    root ${tree};
    types { application/json json; }
${directives}    location = / { try_files /index.json =404; }
    location / { try_files $uri.json =404; }
  }
`;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port');
  return address.port;
}
