/** All hosts, in the order in which they are listed. A new host is a folder and a line here. */
import { apache, htaccess } from './apache/apache.ts';
import { caddy } from './caddy/caddy.ts';
import type { Host } from './host.ts';
import { lighttpd } from './lighttpd/lighttpd.ts';
import { nginx } from './nginx/nginx.ts';

export const HOSTS: readonly Host[] = [nginx, caddy, apache, htaccess, lighttpd];

export function hostNamed(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}
