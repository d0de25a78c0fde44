/** Jobs on Grid'5000 with execo: one for each site, of exactly these nodes. */
import type { SnippetContext, SnippetSite } from './snippet-context.ts';

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
