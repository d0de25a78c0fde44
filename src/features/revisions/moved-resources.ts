/** Finds resources with a new uid, such as a site whose folder was renamed. */
import type { ComparedResource } from '../../core/history/changes-between.ts';
import { isNodePath, lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import type { Successors } from '../../core/model/revision.ts';
import { type RegistryState, resourceAt, resourcesIn } from '../../core/model/state.ts';
import { isUuid } from '../../core/model/uid.ts';
import { groupBy } from '../../core/platform/lookups.ts';

/**
 * Maps the path of a removed site or cluster to the uid of an added one in the same collection that has the same nodes.
 * Two nodes are the same if they have the same UUID. Without a UUID, they also need the same fields.
 */
export function movedResources(
  compared: readonly ComparedResource[],
  before: RegistryState,
  after: RegistryState,
): Successors {
  const added = groupBy(topmost(compared, 'added'), (path) => placeAndNodes(path, after));
  return Object.fromEntries(
    topmost(compared, 'removed').flatMap((path) => {
      const [now, ...others] = added.get(placeAndNodes(path, before)) ?? [];
      return now === undefined || others.length > 0 ? [] : [[path, lastSegment(now)]];
    }),
  );
}

/** Returns the resources with this action whose parents have another action. Omits nodes. */
function topmost(compared: readonly ComparedResource[], action: 'added' | 'removed'): string[] {
  const paths = new Set(compared.flatMap(({ change }) => (change.action === action ? [change.path] : [])));
  return [...paths].filter((path) => !paths.has(pathAbove(pathAbove(path))) && !isNodePath(path));
}

/** Returns a text that is equal for resources with the same nodes in one collection. Resources without nodes differ. */
function placeAndNodes(path: string, state: RegistryState): string {
  const nodes: string[] = [];
  for (const [each, { body }] of resourcesIn(resourceAt(state, path) ?? null, path)) {
    const uid = lastSegment(each);
    if (isNodePath(each)) nodes.push(isUuid(uid) ? uid : `${uid} ${body.digest}`);
  }
  return nodes.length === 0 ? path : [pathAbove(path), ...nodes.sort()].join('\n');
}
