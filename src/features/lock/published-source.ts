/** What nodes are locked from and verified against when it is published: a service by its base URL, or a tree. */

import type { Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-past.ts';
import { publishedNodes } from '../../core/lock/published-nodes.ts';
import { apiInFolder } from '../../system/client/api-in-folder.ts';
import { apiOverHttp, type PublishedApi } from '../../system/client/api-over-http.ts';
import { rereadOnce } from '../../system/client/retry.ts';

export interface PublishedReach {
  /** Seconds that an answer may take. */
  readonly timeout: number;
  /** The most requests in all. */
  readonly limit: number;
  /** Milliseconds before a request is tried again the first time. */
  readonly pauseMs?: number;
  /** In bytes. */
  readonly largestBody?: number;
}

/** Reads all of one revision. When another is published meanwhile, it reads all anew, once. */
export async function readPublishedNodes<T>(
  { kind, place }: Origin,
  { timeout, ...rest }: PublishedReach,
  read: (source: NodeSource) => Promise<T>,
): Promise<T> {
  const site = kind === 'tree' ? apiInFolder(place) : apiOverHttp({ ...rest, base: place, timeoutMs: timeout * 1000 });
  try {
    return await rereadOnce(() => readPublished(site, read), site.refresh);
  } finally {
    site.close();
  }
}

async function readPublished<T>(site: PublishedApi, read: (source: NodeSource) => Promise<T>): Promise<T> {
  const source = await publishedNodes(site, site.rootPath);
  const result = await read(source);
  await source.settle();
  return result;
}
