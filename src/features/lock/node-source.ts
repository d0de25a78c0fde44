/** Opening what nodes are locked from and verified against: a service by its base URL, a tree, or a registry. */

import { historySource } from '../../core/lock/history-source.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-past.ts';
import { publishedNodes } from '../../core/lock/published-nodes.ts';
import { apiInFolder } from '../../system/client/api-in-folder.ts';
import { apiOverHttp, type PublishedApi } from '../../system/client/api-over-http.ts';
import { rereadOnce } from '../../system/client/reread-once.ts';
import { loadCheckedSources } from '../sources/load-sources.ts';
import { awaitedWithIndex } from '../sources/with-index.ts';

export interface ReachOptions {
  /** Seconds that an answer may take. */
  readonly timeout: number;
  /** The most requests in all. */
  readonly limit: number;
  /** Milliseconds before a request is tried again the first time. */
  readonly pauseMs?: number;
  /** In bytes. */
  readonly largestBody?: number;
  /** The configuration of a registry that does not stand beside it. */
  readonly config?: string | undefined;
}

/**
 * Reads from an origin, all of one revision. When another is published meanwhile, it reads all anew, once.
 */
export async function readNodes<T>(
  { kind, place }: Origin,
  options: ReachOptions,
  read: (source: NodeSource) => Promise<T>,
): Promise<T> {
  if (kind === 'registry') {
    // What the files say and the history does not know has no revision to be pinned to.
    return await awaitedWithIndex({ registry: place, config: options.config }, async (asked) => {
      const { history, store } = loadCheckedSources(asked);
      return await read(historySource(history, store));
    });
  }
  const { timeout, ...rest } = options;
  const site =
    kind === 'tree' ? apiInFolder(place) : apiOverHttp({ ...rest, base: place, timeoutMs: timeout * 1000 });
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
