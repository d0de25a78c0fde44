/** By which names tools that log in to nodes, or watch them, know these. */
import { nodeNameOf } from '../model/node-name.ts';
import type { WholeNode } from './whole-node.ts';

/** What every tool takes for a name, and none for a pattern, a path or a port. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;

/** For each node its `node_name`; its uid where that cannot be the name of a host, or several nodes have it. */
export function hostNames(nodes: readonly WholeNode[]): string[] {
  const counts = new Map<string, number>();
  const names = nodes.map(({ body, uid }) => {
    const name = nodeNameOf(body);
    return name !== undefined && NAME.test(name) ? name : uid;
  });
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, i) => (counts.get(name) === 1 ? name : (nodes[i]?.uid ?? name)));
}
