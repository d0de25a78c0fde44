import { fail, finding } from '../../core/diagnostics/finding.ts';
import { HOSTS, hostNamed } from '../../core/hosts/all.ts';
import type { Host } from '../../core/hosts/host.ts';

export function getHostOrThrow(name: string): Host {
  return hostNamed(name) ?? fail(finding('unknown-host', { name, known: HOSTS.map((host) => host.name) }));
}
