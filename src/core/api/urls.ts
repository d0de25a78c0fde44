/**
 * How URLs are spelled: the paths of resources, and of what is told of each; and what such a URL is of, which is undefined for
 * a URL of anything else. Which of them there are, the endpoint table says.
 */
import type { PAGE_PARAMETER } from './nodes/node-paths.ts';

export const VERSIONS = 'versions';
export const LATEST = 'latest';
export const TIMEMAP = 'timemap';
export const CHANGES = 'changes';
export const SNAPSHOTS_PATH = '/snapshots';
/** It is no collection, so that no uid follows it. */
export const EXPORTS_FOLDER = 'exports';

/** The path of an item or a collection below a base, which is empty or a snapshot's. */
export function resourceUrl(path: string, base = ''): string {
  return path === '' ? base || '/' : `${base}/${path}`;
}

export function versionsUrl(path: string): string {
  return path === '' ? `/${VERSIONS}` : `/${path}/${VERSIONS}`;
}

/** An older page of a history that is long: 1 is the oldest. The newest versions are at the history's own path. */
export function versionsPageUrl(path: string, page: number | typeof PAGE_PARAMETER): string {
  return `${versionsUrl(path)}/pages/${page}`;
}

export function versionUrl(path: string, id: string): string {
  return `${versionsUrl(path)}/${id}`;
}

export interface VersionAddress {
  /** Of a resource or a collection. */
  readonly path: string;
  /** Of a revision. */
  readonly id: string;
}

/** Whose `versionUrl` it is, and of which revision. */
export function versionAt(url: string): VersionAddress | undefined {
  const [, path = '', id] = VERSION_URL.exec(url) ?? [];
  return id === undefined ? undefined : { path, id };
}

const VERSION_URL = new RegExp(`^(?:/(.+))?${versionsUrl('')}/([0-9a-f]{40})$`);

/** Always answers what the newest version does; redirects to it where the host can. */
export function latestVersionUrl(path: string): string {
  return `${versionsUrl(path)}/${LATEST}`;
}

/** When each version of an item was (RFC 7089). */
export function timemapUrl(path: string): string {
  return `${versionsUrl(path)}/${TIMEMAP}`;
}

/** The newest page of the changes of an item and of all below it. `changes` is no collection, so that no uid follows it. */
export function changesUrl(path: string): string {
  return path === '' ? `/${CHANGES}` : `/${path}/${CHANGES}`;
}

/** A page of them: 1 is the oldest. */
export function changesPageUrl(path: string, page: number | typeof PAGE_PARAMETER): string {
  return `${changesUrl(path)}/pages/${page}`;
}

/** The number of a page of changes of the registry, or `newest`. */
export function changesPageAt(url: string): number | 'newest' | undefined {
  if (url === changesUrl('')) return 'newest';
  const number = CHANGES_PAGE_URL.exec(url)?.[1];
  return number === undefined ? undefined : Number(number);
}

const CHANGES_PAGE_URL = new RegExp(`^${changesUrl('')}/pages/(\\d+)$`);

/** The newest changes as a JSON Feed. */
export function feedUrl(path: string): string {
  return `${changesUrl(path)}/feed`;
}

export function snapshotUrl(id: string): string {
  return `${SNAPSHOTS_PATH}/${id}`;
}

/** The revision of the snapshot that a URL is of, or lies in. */
export function snapshotAt(url: string): string | undefined {
  return SNAPSHOT_URL.exec(url)?.[1];
}

const SNAPSHOT_URL = new RegExp(`^${SNAPSHOTS_PATH}/([0-9a-f]{40})(?:/|$)`);
