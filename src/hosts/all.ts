/** All hosts, in the order in which they are listed. A new host is a folder and a line here. */
import type { Host } from './host.ts';
import { nginx } from './nginx/nginx.ts';

export const HOSTS: readonly Host[] = [nginx];

export function hostNamed(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}
