/**
 * Whom a server answers that listens on this machine alone. A page of another site can have its own name lead to
 * 127.0.0.1 (DNS rebinding) and would read an unpublished tree as its own: the Host of its requests is still that name.
 */
import { isIP } from 'node:net';

/** Whether a name or address leads to this machine alone (RFC 6761, section 6.3; RFC 1122; RFC 4291). */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  if (isIP(name) === 6) return name === '::1' || name.startsWith('::ffff:127.');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Whether a request is for a server that listens at `listening`: where that is this machine alone, its names only. */
export function isOwnHost(host: string | undefined, listening: string): boolean {
  return !isLoopback(listening) || host === undefined || isLoopback(host.replace(/:\d*$/, ''));
}
