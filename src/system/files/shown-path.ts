import { relative, resolve } from 'node:path';

/** A path as messages show it: as short as it can be. */
export function shownPath(path: string): string {
  const way = relative(process.cwd(), resolve(path));
  return way === '' || way.startsWith('..') ? path : way;
}
