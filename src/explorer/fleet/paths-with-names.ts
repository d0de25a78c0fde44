/**
 * Paths that contain the name of a node instead of its uid, such as `sites/lyra/clusters/main/nodes/name:node-1`. The
 * table links to such paths until the uids of a large registry are loaded.
 */

import { nodePath } from '../../core/model/node-path.ts';
import type { Fleet } from './fleet.ts';

/** No uid contains a colon. */
const NAME = 'name:';

/** Returns undefined if the name is empty, contains a slash, or belongs to several nodes of the site. */
export function pathWithName(row: number, fleet: Fleet): string | undefined {
  const name = fleet.nameOf(row);
  if (name === '' || name.includes('/') || fleet.isNameShared(row)) return undefined;
  return nodePath({ ...fleet.placeOf(row), uid: NAME + name });
}

/** Returns the path with the uid. Returns undefined if the path contains no name, or if no node has this name. */
export function pathWithUid(path: string, fleet: Fleet): string | undefined {
  const name = path.split(`/${NAME}`)[1];
  if (name === undefined) return undefined;
  const row = fleet.table.uids.findIndex(
    (_, each) => fleet.nameOf(each) === name && pathWithName(each, fleet) === path,
  );
  return row < 0 ? undefined : fleet.pathOf(row);
}
