import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Finds the cache folder by the XDG Base Directory rules. Returns undefined if the user has no home folder. */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  const home = homedir();
  const cache = isAbsolute(given) ? given : join(home, '.cache');
  return isAbsolute(cache) ? join(cache, 'gridpress') : undefined;
}
