/** What tests need besides npm's packages: where a program is missing, they are skipped and their names say why. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Servers are where only administrators look for commands. */
export const PATH = [process.env['PATH'] ?? '', '/usr/local/sbin', '/usr/sbin'].join(delimiter);

export interface Needs {
  readonly isMissing: boolean;
  /** What stands at the end of a test's name: empty, or ` (rsync is not installed)`. */
  readonly because: string;
}

/** Commands, and files by their whole paths, of which none may be missing. */
export function needs(...of: readonly string[]): Needs {
  const missing = of.find((need) => !(need.startsWith('/') ? existsSync(need) : isCommand(need)));
  return unless(missing === undefined, `${missing} is not installed`);
}

/** What a test needs that is no program. */
export function unless(isThere: boolean, reason: string): Needs {
  return { isMissing: !isThere, because: isThere ? '' : ` (${reason})` };
}

function isCommand(name: string): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, name)));
}
