/**
 * A lease with python-chi 1.0 or later. One lease is of one site, and one reservation of one node: Blazar knows no "or"
 * between properties of hosts.
 */
import type { SnippetContext, SnippetSite } from './snippet-context.ts';

export function pythonChiSnippet({ sites }: SnippetContext): string[] {
  return [
    '# pip install python-chi',
    'from datetime import timedelta',
    '',
    'from chi import context, lease',
    ...sites.flatMap(siteLines),
  ];
}

function siteLines({ uid, name, nodes }: SnippetSite): string[] {
  return [
    '',
    `context.use_site(${JSON.stringify(name)})`,
    'context.use_project("CHI-XXXXXX")  # your project',
    `my_lease = lease.Lease("my-lease-${uid}", duration=timedelta(days=1))`,
    'for uid in [',
    ...nodes.map((node) => `    "${node.uid}",`),
    ']:',
    '    lease.add_node_reservation(',
    '        my_lease.node_reservations, resource_properties=["==", "$uid", uid]',
    '    )',
    'my_lease.submit(idempotent=True)',
  ];
}
