/** What is written of redirects and of tombstones where a host bounds the number of rules, whatever the size of the registry. */

import { endpointOf } from '../api/endpoints.ts';
import { certain } from '../platform/certain.ts';
import type { HostRules, Redirect } from './rules.ts';

/** The segments of the deepest path that is redirected: `/sites/{site_uid}/versions/latest`. */
const DEEPEST_REDIRECT = 4;
/** The segments of the deepest path that can be gone: that of a node. */
const DEEPEST_GONE = 6;

/**
 * The redirects of the root, of the collection of sites and of every site, whole levels at a time, while they fit.
 * Everything else answers the document itself.
 */
export function foremostRedirects(
  { redirects }: HostRules,
  fits: (redirects: readonly Redirect[]) => boolean,
): readonly Redirect[] {
  return foremost(redirects, ({ from }) => from, { deepest: DEEPEST_REDIRECT, fits });
}

/** The paths of tombstones, from those of sites on, whole levels at a time, while they fit. The rest is a miss. */
export function foremostGone({ gone }: HostRules, fits: (gone: readonly string[]) => boolean): readonly string[] {
  return foremost(gone, (path) => path, { deepest: DEEPEST_GONE, fits });
}

interface Bound<T> {
  readonly deepest: number;
  readonly fits: (some: readonly T[]) => boolean;
}

function foremost<T>(all: readonly T[], pathOf: (one: T) => string, { deepest, fits }: Bound<T>): readonly T[] {
  let chosen: readonly T[] = [];
  for (let depth = 1; depth <= deepest; depth++) {
    const next = all.filter((one) => pathOf(one).split('/').length - 1 <= depth);
    if (!fits(next)) break;
    chosen = next;
  }
  return chosen;
}

/** The templates of the paths that are redirected, each once. */
export function redirectedTemplates(redirects: readonly Redirect[]): readonly string[] {
  return [...new Set(redirects.map(({ from }) => certain(endpointOf(from)).template))];
}
