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

/** The places between which reserved nodes can alternate. */
export const SPREADS = ['site', 'rack'] as const;
export type Spread = (typeof SPREADS)[number];

export interface SnippetNode {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  /** The name of the node, or its uid. Host names can differ: see `hostNames` in snippet.ts. */
  readonly name: string;
}

/**
 * A reservation of as many nodes as were chosen at a site. A scheduler can give other nodes if they have the same
 * value.
 */
export interface Reservation {
  readonly property: 'node_type' | 'uid';
  readonly value: string;
  /** The chosen nodes. There is at least one. */
  readonly nodes: readonly SnippetNode[];
}

export interface SnippetSite {
  readonly uid: string;
  /** The display name of the site. It has one line. */
  readonly name: string;
  readonly nodes: readonly SnippetNode[];
  /** The host names of the nodes, in the same order. */
  readonly hosts: readonly string[];
  readonly reservations: readonly Reservation[];
}

export interface SnippetContext {
  readonly hostOf: (node: SnippetNode) => string;
  readonly sites: readonly SnippetSite[];
  /** The base URL of the API in which the nodes were found. Undefined if they were not found in an API. */
  readonly baseUrl: string | undefined;
}

/** Matches names that need no quotes in a shell or a program. */
const NAME = /^[A-Za-z0-9._~-]+$/;

export function isPlainName(name: string): boolean {
  return NAME.test(name) && !name.startsWith('-');
}

export function reservationByUid(node: SnippetNode): Reservation {
  return { property: 'uid', value: node.uid, nodes: [node] };
}

/**
 * Returns the condition in the form of Blazar, which compares values as text. Only the operator `=` gives the right
 * result for all values.
 */
export function blazarFilter({ property, value }: Reservation): readonly string[] {
  return ['=', `$${property}`, value];
}
