/** Opening what nodes are locked from and verified against: a service by its base URL, a tree, or a registry. */

import { historySource } from '../../core/lock/history-source.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-past.ts';
import { loadCheckedSources } from '../sources/load-sources.ts';
import { awaitedWithIndex } from '../sources/with-index.ts';
import type { PublishedReach } from './published-source.ts';

export interface ReachOptions extends PublishedReach {
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
  const { readPublishedNodes } = await import('./published-source.ts');
  return await readPublishedNodes({ kind, place }, options, read);
}
