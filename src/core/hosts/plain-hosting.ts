/** What is alike on all hosts that choose a file by its path and run no program. */

import { endpointOf } from '../api/endpoints.ts';
import { certain } from '../platform/certain.ts';
import type { Variants } from '../tree/layout.ts';
import type { Shortcoming } from './host.ts';
import type { HostRules, Redirect } from './rules.ts';

/** The variants of documents on a host without a program, with other names of their files. */
export function namesOnly(...names: readonly string[]): Variants {
  return { names, pretty: false, precompressed: false };
}

/** The headers of every response where no request header but Accept could make a difference to what is chosen. */
export function plainHeaders({ headers }: HostRules): Readonly<Record<string, string>> {
  return { ...headers, Vary: 'Accept, Accept-Encoding' };
}

export const NO_VERSION_QUERY: Shortcoming = {
  capability: 'version-query',
  extent: 'none',
  why: 'No rule can ask for a revision in a query, and whether it has such a document: ?version and ?deep are ignored, and the head answers.',
};

export const CHOSEN_BY_PATH: readonly Shortcoming[] = [
  {
    capability: 'pretty-query',
    extent: 'none',
    why: 'A file is chosen by the path alone, so that ?pretty is ignored.',
  },
  {
    capability: 'pretty-header',
    extent: 'none',
    why: 'A file is chosen by the path alone, so that X-Rack-PrettyJSON is ignored.',
  },
  NO_VERSION_QUERY,
];

export const NO_ACCEPT: Shortcoming = {
  capability: 'accept',
  extent: 'none',
  why: 'Accept is not looked at: a path has one media type.',
};

export const FOREMOST_LATEST = {
  capability: 'latest',
  extent: 'partly',
  covers: /^\/sites\/(?!versions\/)\S+ answers 200, not 307$/,
  why: 'The number of rules is bounded: the root, the collection of sites and the sites redirect, the rest answers the newest version itself.',
} as const satisfies Shortcoming;

export const COMPRESSED_ON_THE_WAY: Shortcoming = {
  capability: 'precompressed',
  extent: 'partly',
  why: 'The host compresses by itself, what and how it likes; ETags become weak or stay the same.',
  covers: / comes as | has the ETag of | and its ETag answers 200, not 304$/,
};

export const NO_GONE: Shortcoming = {
  capability: 'gone',
  extent: 'none',
  why: 'All misses have one status and one document: what was removed is 404.',
};

/** What only rules that look at more than a path can do. */
export const NO_RULES: readonly Shortcoming[] = [
  {
    capability: 'preflight',
    extent: 'none',
    why: 'OPTIONS is answered as the host likes: pages of other origins can send only such headers as need no preflight.',
  },
  { capability: 'refusals', extent: 'none', why: 'What the host itself refuses, it refuses in its own words.' },
  {
    capability: 'prefixes',
    extent: 'none',
    why: 'A path is taken as it is: clients must resolve links as references in snapshots, and below a base path append them, or resolve them where links have the prefix (`prefixed_links`).',
  },
];

export const ONE_ETAG: Shortcoming = {
  capability: 'etag',
  extent: 'partly',
  why: 'If-None-Match is understood with the ETag that was sent; lists of them, and W/ before it, are not promised.',
  covers: / with If-None-Match: (?:[^ ]+, |W\/)\S+ answers 200, not 304$/,
};

/** Said of hosts whose rules for headers hold for whatever is answered at a path. */
export const MISSES_SHARE_RULES: Shortcoming = {
  capability: 'cache-classes',
  extent: 'partly',
  why: 'Rules for headers hold for misses too, and no miss may be kept for a year: snapshots and versions are sent as what can change, and errors with the same Cache-Control.',
  covers:
    / has Cache-Control: public, max-age=\d+, s-maxage=.*, not .*, immutable$| answers 4\d\d with Cache-Control: public, max-age=\d+, s-maxage=/,
};

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
