/** Which snippets there are, and what they are made of: nodes, by the sites at which they stand. */

export const SNIPPET_NAMES = ['python-chi', 'openstack', 'execo', 'curl'] as const;
export type SnippetName = (typeof SNIPPET_NAMES)[number];

export interface SnippetNode {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
}

/** Nodes of one site: what reserves them does so at one. */
export interface SnippetSite {
  readonly uid: string;
  /** What the site is called, in one line. */
  readonly name: string;
  readonly nodes: readonly SnippetNode[];
}

export interface SnippetContext {
  readonly sites: readonly SnippetSite[];
  /** The base URL of the API, where they were found at one. */
  readonly baseUrl: string | undefined;
}
