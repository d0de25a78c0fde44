/** Renders commands and programs that reserve the found nodes or get their documents. */

import { fail, finding } from '../diagnostics/finding.ts';
import {
  blazarFilter,
  isPlainName,
  type Reservation,
  type SnippetContext,
  type SnippetName,
} from './snippet-context.ts';

const LONGEST_NAME = 100;

/** Returns the lines of a snippet. Each site has a part. */
export function snippet(
  name: SnippetName,
  reservations: readonly Reservation[],
  siteNames: ReadonlyMap<string, string>,
  baseUrl: string | undefined,
): string[] {
  const bySite = new Map<string, Reservation[]>();
  for (const reservation of reservations) {
    for (const node of reservation.nodes) {
      for (const field of ['site', 'cluster', 'uid'] as const) requireName(node[field], field);
    }
    requireName(reservation.value, reservation.property);
    const site = reservation.nodes[0]?.site ?? '';
    const known = bySite.get(site);
    if (known) known.push(reservation);
    else bySite.set(site, [reservation]);
  }
  const sites = [...bySite].map(([uid, members]) => ({
    uid,
    name: oneLine(siteNames.get(uid) ?? uid),
    nodes: members.flatMap(({ nodes }) => nodes),
    reservations: members,
  }));
  return SNIPPETS[name]({ sites, baseUrl });
}

function requireName(uid: string, field: string): void {
  if (!isPlainName(uid)) fail(finding('snippet-uid', { uid, field }));
}

/** Removes control characters, line separators and bidirectional controls. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, LONGEST_NAME);
}

/** Returns the condition in a form that is both Python and JSON. */
function filterText(reservation: Reservation): string {
  return `[${blazarFilter(reservation)
    .map((part) => JSON.stringify(part))
    .join(', ')}]`;
}

/** Quotes a URL for a shell, without trailing slashes. */
function quoted(url: string): string {
  return `'${url.replace(/\/+$/, '').replaceAll("'", "'\\''")}'`;
}

const SNIPPETS: Readonly<Record<SnippetName, (context: SnippetContext) => string[]>> = {
  /**
   * Creates one lease per site with python-chi 1.0 or later. A node or a node type needs a reservation, because
   * Blazar has no "or".
   */
  'python-chi': ({ sites }) => [
    '# pip install python-chi',
    'from datetime import timedelta',
    '',
    'from chi import context, lease',
    ...sites.flatMap(({ uid, name, reservations }) => [
      '',
      `context.use_site(${JSON.stringify(name)})`,
      'context.use_project("CHI-XXXXXX")  # your project',
      `my_lease = lease.Lease("my-lease-${uid}", duration=timedelta(days=1))`,
      'for count, properties in [',
      ...reservations.map((each) => `    (${each.nodes.length}, ${filterText(each)}),`),
      ']:',
      '    lease.add_node_reservation(',
      '        my_lease.node_reservations, count=count, resource_properties=properties',
      '    )',
      'my_lease.submit(idempotent=True)',
    ]),
  ],

  /** Creates one lease per site with the OpenStack command line and its Blazar plugin. Each site is a separate cloud. */
  openstack: ({ sites }) => [
    '# pip install python-openstackclient python-blazarclient',
    "END=$(date -u -d '+1 day' '+%Y-%m-%d %H:%M')  # in UTC; on macOS: date -u -v+1d '+%Y-%m-%d %H:%M'",
    ...sites.flatMap(({ uid, name, reservations }) => [
      '',
      `# with the credentials of ${name}`,
      'openstack reservation lease create \\',
      ...reservations.map((each) => {
        const count = each.nodes.length;
        return `  --reservation min=${count},max=${count},resource_type=physical:host,resource_properties='${filterText(each)}' \\`;
      }),
      '  --end-date "$END" \\',
      `  my-lease-${uid}`,
    ]),
  ],

  /** Submits one job per site on Grid'5000 with execo. The job requests exactly these nodes. */
  execo: ({ sites }) => [
    '# pip install execo',
    'from execo_g5k import OarSubmission, get_oar_job_nodes, oarsub, wait_oar_job_start',
    '',
    'nodes_by_site = {',
    ...sites.flatMap(({ uid, nodes }) => [
      `    "${uid}": [`,
      ...nodes.map((node) => `        "${node.uid}",`),
      '    ],',
    ]),
    '}',
    'submissions = []',
    'for site, nodes in nodes_by_site.items():',
    '    addresses = ", ".join(f"\'{node}.{site}.grid5000.fr\'" for node in nodes)',
    '    resources = f"{{network_address in ({addresses})}}/nodes={len(nodes)}"',
    '    submissions.append((OarSubmission(resources=resources, walltime="1:00:00"), site))',
    'for job, site in oarsub(submissions):',
    '    if job is None:',
    '        raise SystemExit(f"{site} has refused the job")',
    '    wait_oar_job_start(job, site)',
    '    print(site, job, get_oar_job_nodes(job, site))',
  ],

  /** Prints the documents of the nodes, one per line. */
  curl: ({ sites, baseUrl }) => [
    baseUrl === undefined ? `: "\${BASE:?Set it to the base URL of the API.}"` : `BASE=${quoted(baseUrl)}`,
    'while read -r path; do',
    '  curl -sSf "$BASE/$path.json" && echo',
    "done <<'PATHS'",
    ...sites.flatMap(({ nodes }) =>
      nodes.map(({ site, cluster, uid }) => `sites/${site}/clusters/${cluster}/nodes/${uid}`),
    ),
    'PATHS',
  ],
};
