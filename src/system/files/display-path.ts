import { relative, resolve } from 'node:path';

/** Returns a path for messages. It is relative if it is below the working directory. */
export function displayPath(path: string): string {
  const below = relative(process.cwd(), resolve(path));
  return below === '' || below.startsWith('..') ? path : below;
}
