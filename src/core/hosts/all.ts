/** All hosts, in the order in which they are listed. A new host is a module and a line here. */
import { apache, htaccess } from './apache/apache.ts';
import { azure } from './azure/azure.ts';
import { caddy } from './caddy/caddy.ts';
import { cloudflarePages } from './cloudflare/cloudflare-pages.ts';
import { cloudflareWorker } from './cloudflare/cloudflare-worker.ts';
import { cloudflareWorkers } from './cloudflare/cloudflare-workers.ts';
import { firebase } from './firebase/firebase.ts';
import { githubPages } from './github-pages/github-pages.ts';
import type { Host } from './host.ts';
import { lighttpd } from './lighttpd/lighttpd.ts';
import { netlify } from './netlify/netlify.ts';
import { nginx } from './nginx/nginx.ts';
import { s3 } from './s3/s3.ts';
import { serveHandler } from './serve-handler/serve-handler.ts';
import { vercel } from './vercel/vercel.ts';

export const HOSTS: readonly Host[] = [
  ...[nginx, caddy, apache, htaccess, lighttpd, serveHandler],
  ...[netlify, cloudflarePages, cloudflareWorkers, cloudflareWorker, vercel],
  ...[firebase, azure, githubPages, s3],
];

export function hostNamed(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}
