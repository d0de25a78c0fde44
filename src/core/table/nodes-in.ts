/** The nodes of a state of the registry. */
import { membersOf, type RegistryState, type ResourceState } from '../model/state.ts';

export interface PlacedNode {
  readonly path: string;
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  readonly resource: ResourceState;
}

/** In the order of site, cluster and uid; all of them, or those of one site. */
export function* nodesIn(state: RegistryState, of?: string): Generator<PlacedNode> {
  if (!state) return;
  for (const [site, held] of membersOf(state, 'sites').entries()) {
    if (of !== undefined && site !== of) continue;
    for (const [cluster, { collections }] of membersOf(held, 'clusters').entries()) {
      const folder = `sites/${site}/clusters/${cluster}/nodes`;
      for (const [uid, resource] of collections.get('nodes')?.entries() ?? [])
        yield { path: `${folder}/${uid}`, site, cluster, uid, resource };
    }
  }
}
