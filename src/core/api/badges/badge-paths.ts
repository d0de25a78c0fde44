/** The paths of badges: pictures that say since when hardware is what it is, for pages that tell of an experiment. */
import { resourceUrl, versionUrl } from '../urls.ts';

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
