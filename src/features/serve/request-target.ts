import { singlePrefixes } from '../../core/tree/url-forms.ts';

export interface RequestTarget {
  /** As it was sent, without what stands before every path. */
  readonly pathname: string;
  readonly query: string;
  /** What stood before the path: the base path, or nothing where the request left it out. */
  readonly before: string;
}

/** The scheme and the authority of the absolute form, which servers must take too (RFC 9112, section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** `isThere` tells whether a path is a document's. */
export function targetOf(sent: string, basePath: string, isThere: (url: string) => boolean): RequestTarget {
  const target = sent.replace(ORIGIN, '');
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return {
    pathname: singlePrefixes(path, basePath, isThere) || '/',
    query: at < 0 ? '' : target.slice(at + 1),
    before: `${path}/`.startsWith(`${basePath}/`) ? basePath : '',
  };
}
