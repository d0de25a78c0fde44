/** Builds and parses URL paths. The endpoint table lists which paths exist. */

import type { PAGE_PARAMETER } from './nodes/node-paths.ts';

export const VERSIONS = 'versions';
export const LATEST = 'latest';
export const TIMEMAP = 'timemap';
export const CHANGES = 'changes';
export const SNAPSHOTS_PATH = '/snapshots';
/** The folder of exports. No uid follows `exports` in a path, so the folder is not a collection. */
export const EXPORTS_FOLDER = 'exports';

/** `path` is an item or a collection. `base` is the URL path of a snapshot, or empty. */
export function resourceUrl(path: string, base = ''): string {
  return path === '' ? base || '/' : `${base}/${path}`;
}

export function versionsUrl(path: string): string {
  return path === '' ? `/${VERSIONS}` : `/${path}/${VERSIONS}`;
}

/** Returns the URL of an older page of a long history. Page 1 is the oldest. */
export function versionsPageUrl(path: string, page: number | typeof PAGE_PARAMETER): string {
  return `${versionsUrl(path)}/pages/${page}`;
}

export function versionUrl(path: string, id: string): string {
  return `${versionsUrl(path)}/${id}`;
}

/** Returns the revision in the URL of a version. Returns undefined for any other URL. */
export function versionAt(url: string): string | undefined {
  return VERSION_URL.exec(url)?.[1];
}

const VERSION_URL = new RegExp(`^(?:/.+)?${versionsUrl('')}/([0-9a-f]{40})$`);

/** Returns the alias of the newest version. Some hosts redirect the alias to the path of this version. */
export function latestVersionUrl(path: string): string {
  return `${versionsUrl(path)}/${LATEST}`;
}

/** A TimeMap (RFC 7089) lists the dates of all versions of an item. */
export function timemapUrl(path: string): string {
  return `${versionsUrl(path)}/${TIMEMAP}`;
}

export function changesUrl(path: string): string {
  return path === '' ? `/${CHANGES}` : `/${path}/${CHANGES}`;
}

/** Page 1 of the changes is the oldest page. */
export function changesPageUrl(path: string, page: number | typeof PAGE_PARAMETER): string {
  return `${changesUrl(path)}/pages/${page}`;
}

/** Returns the page of the registry's change feed at a URL. Returns undefined for other URLs. */
export function changesPageAt(url: string): number | 'newest' | undefined {
  if (url === changesUrl('')) return 'newest';
  const number = CHANGES_PAGE_URL.exec(url)?.[1];
  return number === undefined ? undefined : Number(number);
}

const CHANGES_PAGE_URL = new RegExp(`^${changesUrl('')}/pages/(\\d+)$`);

export function feedUrl(path: string): string {
  return `${changesUrl(path)}/feed`;
}

export function snapshotUrl(id: string): string {
  return `${SNAPSHOTS_PATH}/${id}`;
}

/** Returns the revision of the snapshot that contains a URL. Returns undefined for other URLs. */
export function snapshotAt(url: string): string | undefined {
  return SNAPSHOT_URL.exec(url)?.[1];
}

const SNAPSHOT_URL = new RegExp(`^${SNAPSHOTS_PATH}/([0-9a-f]{40})(?:/|$)`);

/** The last path segment of deep documents, and the relation of links to deep documents. */
export const DEEP = 'deep';

/** `path` is an item with children. `base` is the URL path of the snapshot. */
export function deepUrl(path: string, base = ''): string {
  return resourceUrl(path === '' ? DEEP : `${path}/${DEEP}`, base);
}

const BADGE = 'badge.svg';

export function badgeUrl(path: string): string {
  return `${resourceUrl(path)}/${BADGE}`;
}

export function revisionBadgeUrl(id: string): string {
  return `${versionUrl('', id)}/${BADGE}`;
}
