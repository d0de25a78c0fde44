/** Renders commands and programs that reserve nodes or get their documents. */

import { fail, finding } from '../diagnostics/finding.ts';
import { nodePath } from '../model/node-path.ts';
import { isUuid } from '../model/uid.ts';
import { groupBy } from '../platform/lookups.ts';
import { withoutTrailing } from '../platform/text.ts';
import { groupsOf } from './reservations.ts';
import {
  DAY_MINUTES,
  grid5000Imports,
  grid5000Start,
  largestUnit,
  localTime,
  openstackTimes,
  pythonTime,
  walltime,
} from './schedule-code.ts';
import {
  blazarFilter,
  type FleetFacts,
  isPlainName,
  type Reservation,
  type Schedule,
  type SnippetContext,
  type SnippetName,
  type SnippetNode,
  type SnippetSite,
} from './snippet-context.ts';

const LONGEST_NAME = 100;

export function snippet(
  name: SnippetName,
  reservations: readonly Reservation[],
  siteNames: ReadonlyMap<string, string>,
  baseUrl: string | undefined,
  schedule: Schedule = {},
  facts: FleetFacts = {},
): string[] {
  for (const { property, value, nodes } of reservations) {
    for (const node of nodes) for (const field of ['site', 'cluster', 'uid'] as const) requireName(node[field], field);
    requireName(value, property);
  }
  const siteOf = ({ nodes }: Reservation) => nodes[0]?.site ?? '';
  const all = reservations.flatMap(({ nodes }) => nodes);
  const hostOf = hostNames(all);
  const nameOf = distinctNames(all, hostOf);
  const sites = groupsOf(reservations, siteOf).map((members) => {
    const uid = members[0] ? siteOf(members[0]) : '';
    const nodes = members.flatMap(({ nodes }) => nodes);
    const [hosts, names] = [nodes.map(hostOf), nodes.map(nameOf)];
    return { uid, name: oneLine(siteNames.get(uid) ?? uid), nodes, hosts, names, reservations: members };
  });
  return SNIPPETS[name]({ sites, baseUrl: baseUrl && withoutTrailing(baseUrl, '/'), hostOf, schedule, ...facts });
}

function requireName(uid: string, field: string): void {
  if (!isPlainName(uid)) fail(finding('snippet-uid', { uid, field }));
}

/** A host has the name of the node. The uid replaces a name that is not unique or contains special characters. */
function hostNames(nodes: readonly SnippetNode[]): (node: SnippetNode) => string {
  const unique = groupsOf(nodes, ({ name }) => name).flatMap((group) => (group.length === 1 ? group : []));
  const isNamed = new Set(unique.filter(({ name }) => isPlainName(name)));
  return (node) => (isNamed.has(node) ? node.name : node.uid);
}

/** Returns the host, or the uid, cluster and site of a node if other nodes have the same host. */
function distinctNames(
  nodes: readonly SnippetNode[],
  hostOf: (node: SnippetNode) => string,
): (node: SnippetNode) => string {
  const unique = new Set(groupsOf(nodes, hostOf).flatMap((group) => (group.length === 1 ? group : [])));
  return (node) => (unique.has(node) ? hostOf(node) : `${node.uid}.${node.cluster}.${node.site}`);
}

/** Removes control characters, line separators and bidirectional controls. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, LONGEST_NAME);
}

/** Replaces special characters, because an interactive zsh runs a comment as a command. */
function shellComment(text: string): string {
  return `# ${text.replace(/[^\p{L}\p{N} @.,:+_/-]/gu, '_')}`;
}

/** Returns the Blazar filter as text that is valid Python and valid JSON. */
function filterText(reservation: Reservation): string {
  return `[${blazarFilter(reservation)
    .map((part) => JSON.stringify(part))
    .join(', ')}]`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function sqlQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes a text for Terraform, where `${` and `%{` begin a template. */
function terraformQuoted(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}

/** The document paths of all nodes, without a slash at the start and without a suffix. */
function documentPaths({ sites }: SnippetContext): string[] {
  return sites.flatMap(({ nodes }) => nodes.map(nodePath));
}

/** Returns a line for each item: a JSON string and a comma. Python, Terraform and YAML accept JSON strings. */
function listed(items: readonly string[], indent: string): string[] {
  return items.map((item) => `${indent}${JSON.stringify(item)},`);
}

function ansibleGroup({ uid }: SnippetSite): string {
  return `site_${uid.replaceAll(/[^A-Za-z0-9]/g, '_')}`;
}

/** Returns the full name of a host at Grid'5000. A Grid'5000 uid is a host name if it is not a UUID. */
function grid5000Host(node: SnippetNode, { hostOf }: SnippetContext): string {
  return `${isUuid(node.uid) ? hostOf(node) : node.uid}.${node.site}.grid5000.fr`;
}

/** If some uids are UUIDs, warns that the host names are valid only at Grid'5000. */
function grid5000Note({ sites }: SnippetContext): string[] {
  const isOther = sites.some(({ nodes }) => nodes.some(({ uid }) => isUuid(uid)));
  return isOther ? ['# For the testbed Grid5000. Replace the names and properties by those of your testbed.'] : [];
}

/** Returns an SQL condition that selects exactly the chosen nodes of the site. Prefers clusters, then properties. */
function oarCondition({ uid, nodes }: SnippetSite, context: SnippetContext): string {
  const { clusters = [], oarProperties } = context;
  const whole: string[] = [];
  const others: string[] = [];
  for (const group of groupsOf(nodes, ({ cluster }) => cluster)) {
    const [{ cluster = '' } = {}] = group;
    if (clusters.some((each) => each.site === uid && each.cluster === cluster && each.nodes === group.length))
      whole.push(cluster);
    else others.push(...group.map((node) => grid5000Host(node, context)));
  }
  const inList = (property: string, values: readonly string[]) =>
    values.length > 0 ? [`${property} IN (${values.map(sqlQuoted).join(', ')})`] : [];
  const named = [...inList('cluster', whole), ...inList('network_address', others)].join(' OR ');
  return (others.length > 0 && oarProperties?.(uid)) || named;
}

const SNIPPETS: Readonly<Record<SnippetName, (context: SnippetContext) => string[]>> = {
  /** Requires python-chi 1.0 or later. Each type or uid needs its own reservation, because Blazar has no "or". */
  'python-chi': ({ sites, schedule: { start, minutes = DAY_MINUTES } }) => [
    '# pip install python-chi',
    ...(start === undefined
      ? [
          '# The leases start now. To start later, replace duration by start_date and end_date (datetime, in UTC).',
          'from datetime import timedelta',
        ]
      : ['from datetime import datetime']),
    '',
    'from chi import context, lease',
    // A lease with a duration begins now, so a later start needs two dates.
    ...(start === undefined
      ? ['', `time = {"duration": timedelta(${largestUnit(minutes).unit}=${largestUnit(minutes).count})}`]
      : [
          '',
          '# in UTC',
          `time = {"start_date": ${pythonTime(start)}, "end_date": ${pythonTime(start + minutes * 60)}}`,
        ]),
    ...sites.flatMap(({ uid, name, reservations }) => [
      '',
      `context.use_site(${JSON.stringify(name)})`,
      'context.use_project("CHI-XXXXXX")  # your project',
      `my_lease = lease.Lease("my-lease-${uid}", **time)`,
      'for count, properties in [',
      ...reservations.map((each) => `    (${each.nodes.length}, ${filterText(each)}),`),
      ']:',
      '    lease.add_node_reservation(',
      '        my_lease.node_reservations, count=count, resource_properties=properties',
      '    )',
      `my_lease.submit(idempotent=True${start === undefined ? '' : ', wait_for_active=False'})`,
    ]),
  ],

  /** Requires the OpenStack command line with the Blazar plugin. Each site is a separate cloud with one lease. */
  openstack: ({ sites, schedule: { start, minutes = DAY_MINUTES } }) => [
    '# pip install python-openstackclient python-blazarclient',
    ...openstackTimes(start, minutes),
    ...sites.flatMap(({ uid, name, reservations }) => [
      '',
      shellComment(`with the credentials of ${name}`),
      'openstack reservation lease create \\',
      ...reservations.map((each) => {
        const count = each.nodes.length;
        return `  --reservation min=${count},max=${count},resource_type=physical:host,resource_properties='${filterText(each)}' \\`;
      }),
      ...(start === undefined ? [] : ['  --start-date "$START" \\']),
      '  --end-date "$END" \\',
      `  my-lease-${uid}`,
    ]),
  ],

  /** Submits one job per site on Grid'5000 with execo. The job requests exactly these nodes. */
  execo: (context) => [
    ...grid5000Note(context),
    '# pip install execo',
    ...(context.schedule.start === undefined
      ? ["# The jobs start when the nodes are free. To start later, add reservation_date='YYYY-MM-DD HH:MM:SS'."]
      : []),
    ...grid5000Imports(context.schedule),
    'from execo_g5k import OarSubmission, get_oar_job_nodes, oarsub, wait_oar_job_start',
    '',
    'nodes_by_site = {',
    ...context.sites.flatMap(({ uid, nodes }) => [
      `    "${uid}": [`,
      ...listed(
        nodes.map((node) => grid5000Host(node, context)),
        '        ',
      ),
      '    ],',
    ]),
    '}',
    ...grid5000Start(context.schedule),
    'submissions = []',
    'for site, nodes in nodes_by_site.items():',
    '    addresses = ", ".join(f"\'{node}\'" for node in nodes)',
    '    resources = f"{{network_address in ({addresses})}}/nodes={len(nodes)}"',
    `    job = OarSubmission(resources=resources, walltime="${walltime(context.schedule)}"${context.schedule.start === undefined ? '' : ', reservation_date=start'})`,
    '    submissions.append((job, site))',
    'for job, site in oarsub(submissions):',
    '    if job is None:',
    '        raise SystemExit(f"{site} has refused the job")',
    '    wait_oar_job_start(job, site)',
    '    print(site, job, get_oar_job_nodes(job, site))',
  ],

  /** Submits one job per site on Grid'5000. The job requests exactly these nodes, by cluster, property or name. */
  oar: (context) => [
    ...grid5000Note(context),
    context.schedule.start === undefined
      ? "# The jobs start when the nodes are free. To start later, replace -I by -r 'YYYY-MM-DD HH:MM:SS'."
      : '# Run it at the site. When the job has started, connect with: oarsub -C JOB',
    '# Clusters or properties replace host names where they select exactly the chosen nodes.',
    ...context.sites.flatMap((site) => {
      const { schedule } = context;
      const start = schedule.start === undefined ? '-I' : `-r ${localTime(schedule.start, '%Y-%m-%d %H:%M:%S')}`;
      return [
        shellComment(`at ${site.name}`),
        `oarsub -l "host=${site.nodes.length},walltime=${walltime(schedule)}" -p "${oarCondition(site, context)}" ${start}`,
      ];
    }),
  ],

  /** Requires EnOSlib 8 or later. */
  enoslib: (context) => [
    ...grid5000Note(context),
    '# pip install enoslib',
    ...(context.schedule.start === undefined
      ? ['# The job starts when the nodes are free. To start later, add reservation="YYYY-MM-DD HH:MM:SS".']
      : []),
    ...grid5000Imports(context.schedule),
    'import enoslib as en',
    '',
    ...grid5000Start(context.schedule),
    `conf = en.G5kConf.from_settings(job_name="my-job", walltime="${walltime(context.schedule)}"${context.schedule.start === undefined ? '' : ', reservation=start'})`,
    ...context.sites.flatMap(({ nodes }) =>
      groupsOf(nodes, ({ cluster }) => cluster).flatMap((members) => [
        'conf.add_machine(',
        `    roles=[${JSON.stringify(members[0]?.cluster)}],`,
        '    servers=[',
        ...listed(
          members.map((node) => grid5000Host(node, context)),
          '        ',
        ),
        '    ],',
        ')',
      ]),
    ),
    'provider = en.G5k(conf)',
    'roles, networks = provider.init()',
  ],

  slurm: ({ sites, schedule: { start, minutes } }) => [
    ...(minutes === undefined ? ['# The job has the usual duration. For another one, add --time=MINUTES.'] : []),
    ...sites.flatMap(({ name, hosts }) => [
      shellComment(`at ${name}`),
      [
        `salloc --nodes=${hosts.length} --nodelist=${hosts.join(',')}`,
        ...(minutes === undefined ? [] : [`--time=${minutes}`]),
        ...(start === undefined ? [] : [`--begin=${localTime(start, '%Y-%m-%dT%H:%M:%S')}`]),
      ].join(' '),
    ]),
  ],

  /** A part of ~/.ssh/config. `%h` is the name on the command line. */
  ssh: ({ sites }) => [
    '# Replace example.org by the domain of the nodes, and the user name.',
    ...sites.flatMap(({ uid, hosts, names }) => {
      const unique = hosts.filter((host, i) => host === names[i]);
      return [
        ...(unique.length > 0 ? [[unique.join(' '), '%h']] : []),
        ...hosts.flatMap((host, i) => (host === names[i] ? [] : [[names[i], host]])),
      ].flatMap(([name, host]) => [`Host ${name}`, `  HostName ${host}.${uid}.example.org`, '  User root']);
    }),
  ],

  /** An inventory with one group per site. `gridpress build` writes an inventory of all nodes, with their labels. */
  ansible: ({ sites }) => [
    '# Save it as inventory.yaml. Then run: ansible --inventory inventory.yaml --list-hosts all',
    'all:',
    '  children:',
    // Two sites can have the same group name, such as a-b and a_b. A repeated key would replace the first group.
    ...[...groupBy(sites, ansibleGroup)].flatMap(([group, members]) => [
      `    ${JSON.stringify(group)}:`,
      '      hosts:',
      ...members.flatMap(({ names }) => names.map((name) => `        ${JSON.stringify(name)}: {}`)),
    ]),
  ],

  /** `local.nodes` contains the documents of the nodes by path. */
  terraform: (context) => [
    'variable "base" {',
    '  type        = string',
    '  description = "The base URL of the API."',
    ...(context.baseUrl === undefined ? [] : [`  default     = ${terraformQuoted(context.baseUrl)}`]),
    '}',
    '',
    'data "http" "node" {',
    '  for_each = toset([',
    ...listed(documentPaths(context), '    '),
    '  ])',
    `  url = "\${var.base}/\${each.key}.json"`,
    '}',
    '',
    'locals {',
    '  nodes = { for path, answer in data.http.node : path => jsondecode(answer.response_body) }',
    '}',
  ],

  curl: (context) => [
    context.baseUrl === undefined
      ? `: "\${BASE:?Set it to the base URL of the API.}"`
      : `BASE=${shellQuoted(context.baseUrl)}`,
    // The name `path` is taken: zsh searches for commands in the folders of this variable.
    'while read -r document; do',
    '  curl -sSf "$BASE/$document.json" && echo',
    "done <<'PATHS'",
    ...documentPaths(context),
    'PATHS',
  ],

  /** Reads the documents of the nodes into a table, with one column per field. */
  pandas: (context) => [
    '# pip install pandas',
    'import json',
    ...(context.baseUrl === undefined ? ['import os'] : []),
    'from urllib.request import urlopen',
    '',
    'import pandas as pd',
    '',
    context.baseUrl === undefined
      ? 'base = os.environ["BASE"]  # the base URL of the API'
      : `base = ${JSON.stringify(context.baseUrl)}`,
    'paths = [',
    ...listed(documentPaths(context), '    '),
    ']',
    'nodes = pd.json_normalize([json.load(urlopen(f"{base}/{path}.json")) for path in paths])',
    'print(nodes)',
  ],

  /** Reads the documents of the nodes into a table, with one column per top-level field. */
  duckdb: (context) => [
    'INSTALL httpfs;',
    'LOAD httpfs;',
    context.baseUrl === undefined
      ? "SET VARIABLE base = 'BASE';  -- the base URL of the API"
      : `SET VARIABLE base = ${sqlQuoted(context.baseUrl)};`,
    'CREATE TABLE nodes AS FROM read_json(',
    '  list_transform(',
    '    [',
    ...documentPaths(context).map((path, i, { length }) => `      ${sqlQuoted(path)}${i < length - 1 ? ',' : ''}`),
    '    ],',
    "    lambda path: getvariable('base') || '/' || path || '.json'",
    '  ),',
    '  union_by_name = true',
    ');',
    'FROM nodes;',
  ],

  r: (context) => [
    '# install.packages("jsonlite")',
    'library(jsonlite)',
    '',
    context.baseUrl === undefined
      ? 'base <- Sys.getenv("BASE")  # the base URL of the API'
      : `base <- ${JSON.stringify(context.baseUrl)}`,
    'paths <- c(',
    ...documentPaths(context).map((path, i, { length }) => `  ${JSON.stringify(path)}${i < length - 1 ? ',' : ''}`),
    ')',
    'nodes <- lapply(paths, function(path) fromJSON(paste0(base, "/", path, ".json")))',
    'str(nodes, max.level = 2)',
  ],
};
