import type { Variants } from '../tree/layout.ts';
import { partly, type Shortcoming, unsupported } from './host.ts';
import type { HostRules, Redirect } from './rules.ts';

/** Returns the variants for a host that runs no program. The only variants are additional file names of documents. */
export function namesOnly(...names: readonly string[]): Variants {
  return { names, pretty: false, precompressed: false };
}

/**
 * Returns the headers of every response of a host that runs no program. Such a host ignores some request headers, so
 * `Vary` does not list them.
 */
export function plainHeaders({ headers }: HostRules): Readonly<Record<string, string>> {
  return { ...headers, Vary: 'Accept, Accept-Encoding' };
}

export const NO_VERSION_QUERY = unsupported(
  'version-query',
  '?version and ?deep are ignored: the host returns the document of the head.',
);

export const NO_RULES: readonly Shortcoming[] = [
  unsupported(
    'preflight',
    'The host handles OPTIONS by its own rules. Pages of other origins can only send headers that need no preflight.',
  ),
  unsupported('refusals', 'The host rejects invalid requests with its own error pages.'),
  unsupported(
    'prefixes',
    'A repeated prefix returns 404. In snapshots, resolve links as references. Below a base path, append links to the base URL, or set prefixed_links.',
  ),
];

/** Shortcomings of hosts that select a file only by its path. */
export const PATH_ONLY: readonly Shortcoming[] = [
  unsupported('accept', 'Accept has no effect. Each path has one media type.'),
  unsupported('pretty-query', '?pretty is ignored.'),
  unsupported('pretty-header', 'X-Rack-PrettyJSON is ignored.'),
  NO_VERSION_QUERY,
  ...NO_RULES,
];

export const TOP_LEVEL_LATEST = partly(
  'latest',
  'The number of rules is limited: only the root, /sites and each site redirect. Other versions/latest paths return the newest version.',
  /^\/sites\/(?!versions\/)\S+ answers 200, not 307$/,
);

export const HOST_COMPRESSION = partly(
  'precompressed',
  'The host compresses by its own rules. ETags become weak or stay the same.',
  / comes as | has the ETag of | and its ETag answers 200, not 304$/,
);

export const NO_TOMBSTONES = unsupported(
  'gone',
  'All missing paths have the same status and document: removed resources return 404.',
);

export const NO_FILE_TIMES = unsupported('last-modified', 'The host does not keep file times.');
export const DEPLOYMENT_TIME = unsupported('last-modified', 'Last-Modified is the time of the deployment.');

export const ONE_ETAG = partly(
  'etag',
  'If-None-Match works with the ETag that was sent. Lists of ETags, and W/ before an ETag, may not work.',
  / with If-None-Match: (?:[^ ]+, |W\/)\S+ answers 200, not 304$/,
);

/** Header rules of some hosts also apply to errors. */
export const RULES_MATCH_ERRORS = partly(
  'cache-classes',
  'Header rules also apply to errors, which must not be cached for a year. Immutable documents and errors therefore get the short cache time.',
  / has Cache-Control: public, max-age=\d+, s-maxage=.*, not .*, immutable$| answers 4\d\d with Cache-Control: public, max-age=\d+, s-maxage=/,
);

/** The number of segments of `/sites/{site_uid}/versions/latest`. */
const DEEPEST_REDIRECT = 4;
/** The number of segments in the path of a node. */
const DEEPEST_TOMBSTONE = 6;

/** Omits redirects of long paths, because hosts limit the number of rules. These paths return the document instead. */
export function topLevelRedirects(
  { redirects }: HostRules,
  fits: (redirects: readonly Redirect[]) => boolean,
): readonly Redirect[] {
  return topLevels(redirects, ({ from }) => from, { deepest: DEEPEST_REDIRECT, fits });
}

export function topLevelTombstones(
  { tombstones }: HostRules,
  fits: (gone: readonly string[]) => boolean,
): readonly string[] {
  return topLevels(tombstones, (path) => path, { deepest: DEEPEST_TOMBSTONE, fits });
}

function topLevels<T>(
  all: readonly T[],
  pathOf: (one: T) => string,
  { deepest, fits }: { readonly deepest: number; readonly fits: (some: readonly T[]) => boolean },
): readonly T[] {
  let chosen: readonly T[] = [];
  for (let depth = 1; depth <= deepest; depth++) {
    const next = all.filter((one) => pathOf(one).split('/').length - 1 <= depth);
    if (!fits(next)) break;
    chosen = next;
  }
  return chosen;
}
