import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Resolves the symbolic links of a path. The last segments of the path need not exist. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(resolve(path));
    return above === path ? path : join(realPlace(above), basename(path));
  }
}
