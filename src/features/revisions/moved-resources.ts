/** Finds resources with a new uid, such as a site whose folder was renamed. */
import type { ComparedResource } from '../../core/history/changes-between.ts';
import { isNodePath, lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import type { Successors } from '../../core/model/revision.ts';
import { type RegistryState, resourceAt, resourcesIn } from '../../core/model/state.ts';
import { isUuid } from '../../core/model/uid.ts';
import { groupBy } from '../../core/platform/lookups.ts';

/**
 * Maps the path of a removed site or cluster to the uid of an added one in the same collection that has most of its
 * nodes. Two nodes are the same if they have the same UUID. Without a UUID, they also need the same fields.
 */
export function movedResources(
  compared: readonly ComparedResource[],
  before: RegistryState,
  after: RegistryState,
): Successors {
  const holders = new Map<string, string>();
  for (const path of topmost(compared, 'added')) for (const node of nodesBelow(path, after)) holders.set(node, path);
  return Object.fromEntries(
    topmost(compared, 'removed').flatMap((path) => {
      const nodes = nodesBelow(path, before);
      const groups = groupBy(nodes, (node) => holders.get(node) ?? '');
      const [now] = [...groups].find(([holder, held]) => holder !== '' && held.length > nodes.length / 2) ?? [];
      return now === undefined ? [] : [[path, lastSegment(now)]];
    }),
  );
}

/** Returns the resources with this action whose parents have another action. Omits nodes. */
function topmost(compared: readonly ComparedResource[], action: 'added' | 'removed'): string[] {
  const paths = new Set(compared.flatMap(({ change }) => (change.action === action ? [change.path] : [])));
  return [...paths].filter((path) => !paths.has(pathAbove(pathAbove(path))) && !isNodePath(path));
}

/** Returns texts that identify the nodes at or below a path in its collection. */
function nodesBelow(path: string, state: RegistryState): string[] {
  const nodes: string[] = [];
  for (const [each, { body }] of resourcesIn(resourceAt(state, path) ?? null, path)) {
    const uid = lastSegment(each);
    if (isNodePath(each)) nodes.push(`${pathAbove(path)} ${isUuid(uid) ? uid : `${uid} ${body.digest}`}`);
  }
  return nodes;
}
