/** Hosts, browsers and git expect these files at the root of a site. Writing a tree leaves them unchanged. */
export const SITE_FILES = new Set([
  ...['.git', '.gitattributes', '.github', '.nojekyll', '.well-known'],
  ...['CNAME', 'favicon.ico', 'humans.txt', 'robots.txt'],
]);

/** Files for hosts. A tree can contain these files, although their names begin with a dot. */
const HOST_FILES = new Set(['.assetsignore', '.htaccess', '.nojekyll']);

/** Whether a file at this path belongs to the operator, such as `CNAME` or a file below `.git`. No tree contains it. */
export function isReservedPath(path: string): boolean {
  const [name = ''] = path.split('/');
  // Some file systems ignore case.
  const isSiteFile = [...SITE_FILES].some((file) => file.toLowerCase() === name.toLowerCase());
  return (isSiteFile || name.startsWith('.')) && !HOST_FILES.has(path);
}
