/** The nodes of a state of the registry. */
import { isNodePath } from '../model/resource-path.ts';
import { type RegistryState, type ResourceState, resourcesIn } from '../model/state.ts';

export interface PlacedNode {
  readonly path: string;
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  readonly resource: ResourceState;
}

/** In the order of site, cluster and uid. */
export function* nodesIn(state: RegistryState): Generator<PlacedNode> {
  for (const [path, resource] of resourcesIn(state)) {
    if (!isNodePath(path)) continue;
    const [, site = '', , cluster = '', , uid = ''] = path.split('/');
    yield { path, site, cluster, uid, resource };
  }
}
