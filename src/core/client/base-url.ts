/**
 * What links of a service mean: they are paths below its base URL, which may have a path of its own; an older service
 * writes that path into its links, and a snapshot's root stands below the base of the links to histories.
 */

import { basePathBefore, endpointOf } from '../api/endpoints.ts';
import { withoutTrailing } from '../platform/text.ts';

export interface Base {
  /** Whether the root is that of a snapshot, whose histories are those of the whole API. */
  readonly isSnapshot: boolean;
  /** What a link leads to: a path on the server, or a URL where it is one. */
  readonly resolve: (href: string) => string;
  /** Where a path of the endpoint table stands on the server. */
  readonly place: (url: string) => string;
}

/** The base of the service whose root answers at a path and says that it is `self`. */
export function baseOf(rootPath: string, self: string | undefined): Base {
  const root = trimmed(rootPath);
  const said = self === undefined ? '' : trimmed(URL.canParse(self) ? new URL(self).pathname : self);
  // What the links repeat of the root's path is not put before them a second time.
  const mount = root.endsWith(said) ? root.slice(0, root.length - said.length) : '';
  const prefix = basePathBefore(said);
  const isSnapshot = endpointOf(said.slice(prefix.length))?.inSnapshot === true;
  return {
    isSnapshot,
    resolve: (href) => {
      if (href.startsWith('//') || URL.canParse(href)) return href;
      return href.startsWith('/') ? mount + href : `${root}/${href}`;
    },
    place: (url) => mount + (isSnapshot ? prefix : said) + url,
  };
}

function trimmed(path: string): string {
  return withoutTrailing(path, '/');
}
