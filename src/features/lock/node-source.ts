/** Opening what nodes are locked from and verified against: a service by its base URL, a tree, or a registry. */

import type { Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-past.ts';
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
    const { readRegistryNodes } = await import('./registry-source.ts');
    return await readRegistryNodes({ registry: place, config: options.config }, read);
  }
  const { readPublishedNodes } = await import('./published-source.ts');
  return await readPublishedNodes({ kind, place }, options, read);
}
