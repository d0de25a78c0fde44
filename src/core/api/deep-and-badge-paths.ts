/** The paths of what shows an item with all that is below it in one response. No kind has a collection of this name. */

import { joinPath } from '../model/resource-path.ts';
import { resourceUrl, versionUrl } from './urls.ts';

/** What follows the path of an item; the relation of links to it, too. */
export const DEEP = 'deep';

/** An item that holds others, below a base as `resourceUrl` has it. */
export function deepUrl(path: string, base = ''): string {
  return resourceUrl(joinPath(path, DEEP), base);
}

/** The paths of badges: pictures that say since when hardware is what it is, for pages that tell of an experiment. */
const BADGE = 'badge.svg';

/** Of a node. */
export function badgeUrl(path: string): string {
  return `${resourceUrl(path)}/${BADGE}`;
}

/** Of a revision. */
export function revisionBadgeUrl(id: string): string {
  return `${versionUrl('', id)}/${BADGE}`;
}

/** What these paths answer. */
export type BadgeContent = 'badge';
