export const SNIPPET_NAMES = ['python-chi', 'openstack', 'execo', 'curl'] as const;
export type SnippetName = (typeof SNIPPET_NAMES)[number];

export interface SnippetNode {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
}

/** The nodes of one site. Reservations are per site. */
export interface SnippetSite {
  readonly uid: string;
  /** The display name of the site. It has one line. */
  readonly name: string;
  readonly nodes: readonly SnippetNode[];
}

export interface SnippetContext {
  readonly sites: readonly SnippetSite[];
  /** The base URL of the API, if the nodes were found in one. */
  readonly baseUrl: string | undefined;
}
