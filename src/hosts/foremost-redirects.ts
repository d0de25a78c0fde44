/** The redirects that are written where a host bounds their number, whatever the size of the registry. */
import { endpointOf } from '../api/endpoints.ts';
import type { HostRules, Redirect } from './rules.ts';

/** The segments of the deepest path that is redirected: `/sites/{site_uid}/versions/latest`. */
const DEEPEST = 4;

/**
 * The redirects of the root, of the collection of sites and of every site, whole levels at a time, while they fit.
 * Everything else answers the document itself.
 */
export function foremostRedirects(
  { redirects }: HostRules,
  fits: (redirects: readonly Redirect[]) => boolean,
): readonly Redirect[] {
  let chosen: readonly Redirect[] = [];
  for (let depth = 1; depth <= DEEPEST; depth++) {
    const next = redirects.filter(({ from }) => from.split('/').length - 1 <= depth);
    if (!fits(next)) break;
    chosen = next;
  }
  return chosen;
}

/** The templates of the paths that are redirected, each once. */
export function redirectedTemplates(redirects: readonly Redirect[]): readonly string[] {
  return [...new Set(redirects.flatMap(({ from }) => endpointOf(from)?.template ?? []))];
}
