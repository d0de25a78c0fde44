/** Asking a question of a registry with the help of its history's index. */

import { IndexDamaged } from '../history-index/index-damaged.ts';
import { dropIndex } from '../history-index/index-place.ts';
import type { SourceOptions } from './load-sources.ts';

/** What `ask` answers. Where the index turns out to be damaged meanwhile, it is dropped, and all is asked again without. */
export function withIndex<O extends SourceOptions, T>(options: O, ask: (options: O) => T): T {
  try {
    return ask({ ...options, isIndexed: true });
  } catch (error) {
    forgetDamaged(error, options);
    return ask(options);
  }
}

/** The same of a question that is answered later. */
export async function awaitedWithIndex<O extends SourceOptions, T>(
  options: O,
  ask: (options: O) => Promise<T>,
): Promise<T> {
  try {
    return await ask({ ...options, isIndexed: true });
  } catch (error) {
    forgetDamaged(error, options);
    return await ask(options);
  }
}

/** Drops an index that is damaged, and what is kept of it; any other error is thrown on. */
export function forgetDamaged(error: unknown, { registry, kept }: SourceOptions): void {
  if (!(error instanceof IndexDamaged)) throw error;
  dropIndex(registry);
  kept?.forgetHistory();
}
