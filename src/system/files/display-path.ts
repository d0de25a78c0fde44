import { relative, resolve } from 'node:path';

export function displayPath(path: string): string {
  const below = relative(process.cwd(), resolve(path));
  return below === '' || below.startsWith('..') ? path : below;
}
