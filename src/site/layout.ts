/**
 * The layout: which files hold the document of a URL. `/a/b` is `a/b.json`, the root `index.json`; the variant
 * `a/b/index.json` is a hard link to it, for hosts that answer `/a/b/` with an index file.
 */

export const MANIFEST_FILE = '_manifest.json';
export const NOT_FOUND_FILE = '404.json';
export const NOT_ALLOWED_FILE = '405.json';

const INDEX = 'index.json';

/** The file of a URL path without suffix, with `/` between the segments, below the root of the tree. */
export function fileOfUrl(url: string): string {
  return url === '/' ? INDEX : `${url.slice(1)}.json`;
}

/** The other names of the file; none for the root, which is an index already. */
export function variantsOfUrl(url: string, indexFiles: boolean): readonly string[] {
  return indexFiles && url !== '/' ? [`${url.slice(1)}/${INDEX}`] : [];
}

/** The URL path without suffix that a requested path stands for: `/sites`, `/sites/` and `/sites.json` are one. */
export function urlOfRequest(pathname: string): string {
  if (pathname === '/' || pathname === `/${INDEX}`) return '/';
  const url = pathname.replace(/(\/index\.json|\.json|\/)$/, '');
  // `//` and `//index.json` are not the root.
  return url === '/' ? pathname : url;
}
