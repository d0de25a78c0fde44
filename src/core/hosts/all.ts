import { apache, htaccess } from './apache.ts';
import { azure } from './azure.ts';
import { caddy } from './caddy.ts';
import { cloudflarePages, cloudflareWorkers } from './cloudflare-assets.ts';
import { cloudflareWorker } from './cloudflare-worker.ts';
import { firebase } from './firebase.ts';
import { githubPages } from './github-pages.ts';
import { type Host, SERVER } from './host.ts';
import { lighttpd } from './lighttpd.ts';
import { netlify } from './netlify.ts';
import { nginx } from './nginx.ts';
import { namesOnly } from './plain-hosting.ts';
import { s3 } from './s3.ts';
import { vercel } from './vercel.ts';

/** The HTTP handler of `gridpress serve` reads the manifest and needs no configuration. */
export const serveHandler: Host = {
  ...SERVER,
  name: 'serve-handler',
  title: 'serve-handler (gridpress serve)',
  variants: namesOnly(),
  shortcomings: [],
  files: () => new Map(),
};

/** All hosts, in the order in which gridpress lists them. A new host needs a module and an entry here. */
export const HOSTS: readonly Host[] = [
  ...[nginx, caddy, apache, htaccess, lighttpd, serveHandler],
  ...[netlify, cloudflarePages, cloudflareWorkers, cloudflareWorker, vercel],
  ...[firebase, azure, githubPages, s3],
];

export function hostNamed(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}
