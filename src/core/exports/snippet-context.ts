import type { ClusterRows } from '../table/node-table.ts';

// biome-ignore format: one line for each purpose
export const SNIPPET_NAMES = [
  'python-chi', 'openstack', 'oar', 'execo', 'enoslib', 'slurm',
  'ssh', 'ansible', 'terraform',
  'curl', 'pandas', 'duckdb', 'r',
] as const;
export type SnippetName = (typeof SNIPPET_NAMES)[number];

/** Whether a snippet reads the documents of the nodes. */
export function needsUrl(name: SnippetName): boolean {
  return ['terraform', 'curl', 'pandas', 'duckdb', 'r'].includes(name);
}

/** Reserved nodes can alternate between these places. */
export const SPREADS = ['site', 'rack'] as const;
export type Spread = (typeof SPREADS)[number];

/** The snippets that accept a start and a duration, because these snippets reserve nodes. */
export const RESERVING = ['python-chi', 'openstack', 'oar', 'execo', 'enoslib', 'slurm'] as const;

/** The time for which nodes are reserved. Each snippet has a default for missing values. */
export interface Schedule {
  /** The start in epoch seconds. Schedulers have a resolution of one minute. */
  readonly start?: number | undefined;
  readonly minutes?: number | undefined;
}

export interface SnippetNode {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  /** The name of the node, or its uid. Host names can differ: see `hostNames` in snippet.ts. */
  readonly name: string;
}

/** A reservation at one site. A scheduler can assign any nodes with the property value. */
export interface Reservation {
  readonly property: 'node_type' | 'uid';
  readonly value: string;
  /** A reservation has at least one node. */
  readonly nodes: readonly SnippetNode[];
}

export interface SnippetSite {
  readonly uid: string;
  /** The display name of the site, on one line. */
  readonly name: string;
  readonly nodes: readonly SnippetNode[];
  /** The host names of the nodes, in the same order. */
  readonly hosts: readonly string[];
  /** The host names. A name that nodes of several sites would have contains the cluster and the site. */
  readonly names: readonly string[];
  readonly reservations: readonly Reservation[];
}

/** The facts about the fleet that shorten a request. Without them, a request names each node. */
export interface FleetFacts {
  /** The number of nodes in each cluster. */
  readonly clusters?: readonly ClusterRows[] | undefined;
  /** Returns an SQL condition on OAR properties that selects exactly the chosen nodes of a site. */
  readonly oarProperties?: ((site: string) => string | undefined) | undefined;
}

export interface SnippetContext extends FleetFacts {
  readonly hostOf: (node: SnippetNode) => string;
  readonly sites: readonly SnippetSite[];
  /** The base URL of the API, without a slash at the end. Undefined if the nodes are not from an API. */
  readonly baseUrl: string | undefined;
  readonly schedule: Schedule;
}

/** Matches names that need no quotes in a shell or in code. */
const NAME = /^[A-Za-z0-9._~-]+$/;

export function isPlainName(name: string): boolean {
  return NAME.test(name) && !name.startsWith('-');
}

export function reservationByUid(node: SnippetNode): Reservation {
  return { property: 'uid', value: node.uid, nodes: [node] };
}

/** Formats the condition for Blazar, which compares values as text. Only the operator `=` is always right. */
export function blazarFilter({ property, value }: Reservation): readonly string[] {
  return ['=', `$${property}`, value];
}
