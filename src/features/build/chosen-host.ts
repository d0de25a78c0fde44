/** `gridpress hosts`: what each host can do; and which host a user means. */

import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { HOSTS, hostNamed } from '../../core/hosts/all.ts';
import type { Host } from '../../core/hosts/host.ts';

export function chosenHost(name: string): Host {
  return hostNamed(name) ?? fail(finding('unknown-host', { name, known: HOSTS.map((host) => host.name) }));
}
