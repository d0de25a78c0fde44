/** serve-handler, as `gridpress serve` drives it: the manifest decides what answers, so that there is nothing to configure. */

import { apache, htaccess } from './apache.ts';
import { azure } from './azure.ts';
import { caddy } from './caddy.ts';
import { cloudflarePages, cloudflareWorkers } from './cloudflare-assets.ts';
import { cloudflareWorker } from './cloudflare-worker.ts';
import { firebase } from './firebase.ts';
import { githubPages } from './github-pages.ts';
import type { Host } from './host.ts';
import { lighttpd } from './lighttpd.ts';
import { netlify } from './netlify.ts';
import { nginx } from './nginx.ts';
import { namesOnly } from './plain-hosting.ts';
import { s3 } from './s3.ts';
import { vercel } from './vercel.ts';

export const serveHandler: Host = {
  name: 'serve-handler',
  title: 'serve-handler (gridpress serve)',
  evidence: 'server',
  variants: namesOnly(),
  leadsBrowsers: true,
  shortcomings: [],
  limits: [],
  files: () => new Map(),
};

/** All hosts, in the order in which they are listed. A new host is a module and a line here. */
export const HOSTS: readonly Host[] = [
  ...[nginx, caddy, apache, htaccess, lighttpd, serveHandler],
  ...[netlify, cloudflarePages, cloudflareWorkers, cloudflareWorker, vercel],
  ...[firebase, azure, githubPages, s3],
];

export function hostNamed(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}
