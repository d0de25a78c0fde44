/** Resolves links of a service to paths below the base URL. Links of older services include the base path. */

import { basePathBefore, endpointOf } from '../api/endpoints.ts';
import { withoutTrailing } from '../platform/text.ts';

export interface Base {
  /** Whether the root is a snapshot. Histories below a snapshot are the histories of the whole API. */
  readonly isSnapshot: boolean;
  /** Returns the target of a link: a path on the server, or a URL. */
  readonly resolve: (href: string) => string;
  /** Converts a path of the endpoint table to a path on the server. */
  readonly pathOnServer: (url: string) => string;
}

/** Derives the base of a service from the path of its root and from the root's link `self`. */
export function baseOf(rootPath: string, self: string | undefined): Base {
  const root = trimmed(rootPath);
  const own = self === undefined ? '' : trimmed(URL.canParse(self) ? new URL(self).pathname : self);
  // If links contain the last part of the root's path, the base is the part before it.
  const mount = root.endsWith(own) ? root.slice(0, root.length - own.length) : '';
  const prefix = basePathBefore(own);
  const isSnapshot = endpointOf(own.slice(prefix.length))?.inSnapshot === true;
  return {
    isSnapshot,
    resolve: (href) => {
      if (href.startsWith('//') || URL.canParse(href)) return href;
      return href.startsWith('/') ? mount + href : `${root}/${href}`;
    },
    pathOnServer: (url) => mount + (isSnapshot ? prefix : own) + url,
  };
}

function trimmed(path: string): string {
  return withoutTrailing(path, '/');
}
