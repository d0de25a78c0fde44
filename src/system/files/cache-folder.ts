import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Finds the cache folder by the XDG Base Directory rules. Returns undefined if the user has no home folder. */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  const home = homeFolder();
  const cache = isAbsolute(given) ? given : join(home, '.cache');
  return isAbsolute(cache) ? join(cache, 'gridpress') : undefined;
}

/** Returns an empty path if the user has no home folder. Then `homedir` throws, for example in containers. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
