/** Finds the nodes for host names in the forms that schedulers and operating systems use. */

import { nodePlace } from '../model/node-path.ts';
import { lastSegment, withoutSlashes } from '../model/resource-path.ts';
import { getOrCreate } from '../platform/lookups.ts';
import type { ListedNode } from './node-source.ts';

/**
 * Matches a host name with the path, uid or node_name of a node, in any letter case. Either name can lack the domain or
 * the end of the domain. If a part of the host's domain is the uid of a site, only nodes of this site match.
 */
export function hostMatcher(
  nodes: readonly ListedNode[],
  siteUids: readonly string[],
): (host: string) => readonly ListedNode[] {
  const named = new Map<string, Set<ListedNode>>();
  const byStart = new Map<string, Set<ListedNode>>();
  const add = (index: typeof named, key: string, node: ListedNode) =>
    getOrCreate(index, key, () => new Set<ListedNode>()).add(node);
  for (const node of nodes) {
    for (const written of [node.path, lastSegment(node.path), node.name]) {
      if (written === undefined) continue;
      const name = written.toLowerCase();
      add(named, name, node);
      for (const start of startsOf(name)) add(byStart, start, node);
    }
  }
  const sites = new Set(siteUids.map((uid) => uid.toLowerCase()));
  return (host) => {
    const name = withoutSlashes(host).toLowerCase();
    const exact = named.get(name);
    if (exact) return [...exact];
    const longer = byStart.get(name);
    if (longer) return [...longer];
    // An IP address consists of numbers, so its first number must not match a name.
    const starts = /^[\d.]+$/.test(name) ? [] : startsOf(name);
    const found = [...(starts.map((start) => named.get(start)).find((nodes) => nodes !== undefined) ?? [])];
    const site = name.split('.').find((label, i) => i > 0 && sites.has(label));
    return site === undefined ? found : found.filter((node) => siteOf(node) === site);
  };
}

/**
 * Whether a host name may belong to another testbed. The domain of the host then does not contain the uid of the node's
 * site. Domains in a testbed with one site need not contain the site. `sites` are the sites of all nodes (see `sitesOf`).
 */
export function hasOtherDomain(host: string, node: ListedNode, sites: ReadonlySet<string>): boolean {
  const name = withoutSlashes(host).toLowerCase();
  const isWhole = [node.path, lastSegment(node.path), node.name].some((written) => written?.toLowerCase() === name);
  if (isWhole || !name.includes('.')) return false;
  const site = siteOf(node);
  const parts = (text: string) => `.${text.replaceAll('-', '.')}.`;
  return sites.size > 1 && !parts(name).includes(parts(site));
}

/** Returns the uids of the sites with nodes, in lower case. */
export function sitesOf(nodes: readonly ListedNode[]): ReadonlySet<string> {
  return new Set(nodes.map(siteOf));
}

/** The maximum length of a host name (RFC 1035). */
const LONGEST_HOST = 253;

/** The name `a.b.c` starts with `a.b` and `a`. Returns the longest start first. */
function startsOf(name: string): string[] {
  if (name.length > LONGEST_HOST) return [];
  const labels = name.split('.');
  return labels.slice(1).map((_, i) => labels.slice(0, -1 - i).join('.'));
}

function siteOf({ path }: ListedNode): string {
  return nodePlace(path).site.toLowerCase();
}
