/** What comes after finding nodes: commands and programs with their uids, to be run as they are or after a few words. */

import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import type { SnippetContext, SnippetName, SnippetNode, SnippetSite } from './snippet-context.ts';

const SNIPPETS: Readonly<Record<SnippetName, (context: SnippetContext) => string[]>> = {
  'python-chi': pythonChiSnippet,
  openstack: openstackSnippet,
  execo: execoSnippet,
  curl: curlSnippet,
};

/** Nothing that stands in a path needs quotes in a shell or a program. */
const NAME = /^[A-Za-z0-9._~-]+$/;
const LONGEST_NAME = 100;

/** The lines of a snippet; where nodes are of several sites, with a part for each. */
export function snippet(
  name: SnippetName,
  nodes: readonly SnippetNode[],
  siteNames: ReadonlyMap<string, string>,
  baseUrl: string | undefined,
): string[] {
  const bySite = new Map<string, SnippetNode[]>();
  for (const node of nodes) {
    for (const field of ['site', 'cluster', 'uid'] as const) requireName(node[field], field);
    const known = bySite.get(node.site);
    if (known) known.push(node);
    else bySite.set(node.site, [node]);
  }
  const sites = [...bySite].map(([uid, members]) => ({
    uid,
    name: oneLine(siteNames.get(uid) ?? uid),
    nodes: members,
  }));
  return SNIPPETS[name]({ sites, baseUrl });
}

function requireName(uid: string, field: string): void {
  if (!NAME.test(uid) || uid.startsWith('-')) fail(finding('snippet-uid', { uid, field }));
}

/** What others may write as they like, without what ends a line or turns it round. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, LONGEST_NAME);
}

/** The nodes' own documents, a line each, from whichever host publishes them. */
export function curlSnippet({ sites, baseUrl }: SnippetContext): string[] {
  const paths = sites.flatMap(({ nodes }) =>
    nodes.map(({ site, cluster, uid }) => `sites/${site}/clusters/${cluster}/nodes/${uid}`),
  );
  return [
    baseUrl === undefined ? `: "\${BASE:?Set it to the base URL of the API.}"` : `BASE=${quoted(baseUrl)}`,
    'while read -r path; do',
    '  curl -sSf "$BASE/$path.json" && echo',
    "done <<'PATHS'",
    ...paths,
    'PATHS',
  ];
}

/** In single quotes of a shell, without the slash at its end. */
function quoted(url: string): string {
  return `'${url.replace(/\/+$/, '').replaceAll("'", "'\\''")}'`;
}

/** Jobs on Grid'5000 with execo: one for each site, of exactly these nodes. */
export function execoSnippet({ sites }: SnippetContext): string[] {
  return [
    '# pip install execo',
    'from execo_g5k import OarSubmission, get_oar_job_nodes, oarsub, wait_oar_job_start',
    '',
    'nodes_by_site = {',
    ...sites.flatMap(execoSiteLines),
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
  ];
}

function execoSiteLines({ uid, nodes }: SnippetSite): string[] {
  return [`    "${uid}": [`, ...nodes.map((node) => `        "${node.uid}",`), '    ],'];
}

/** A lease with the command line of OpenStack and its plugin for Blazar; each site is a cloud of its own. */
export function openstackSnippet({ sites }: SnippetContext): string[] {
  return [
    '# pip install python-openstackclient python-blazarclient',
    "END=$(date -u -d '+1 day' '+%Y-%m-%d %H:%M')  # in UTC; on macOS: date -u -v+1d '+%Y-%m-%d %H:%M'",
    ...sites.flatMap(openstackSiteLines),
  ];
}

function openstackSiteLines({ uid, name, nodes }: SnippetSite): string[] {
  return [
    '',
    `# with the credentials of ${name}`,
    'openstack reservation lease create \\',
    ...nodes.map(
      (node) =>
        `  --reservation min=1,max=1,resource_type=physical:host,resource_properties='["==", "$uid", "${node.uid}"]' \\`,
    ),
    '  --end-date "$END" \\',
    `  my-lease-${uid}`,
  ];
}

/**
 * A lease with python-chi 1.0 or later. One lease is of one site, and one reservation of one node: Blazar knows no "or"
 * between properties of hosts.
 */
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
