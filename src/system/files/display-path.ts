import { relative, resolve } from 'node:path';

/** A path for messages: relative if it is below the working directory. */
export function displayPath(path: string): string {
  const below = relative(process.cwd(), resolve(path));
  return below === '' || below.startsWith('..') ? path : below;
}
