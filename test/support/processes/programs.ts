/** External requirements of tests. If one is missing, the test is skipped and its name states the reason. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Servers are often installed where only administrators look for commands. */
export const PATH = [process.env['PATH'] ?? '', '/usr/local/sbin', '/usr/sbin'].join(delimiter);

export interface Needs {
  readonly isMissing: boolean;
  /** The end of a test's name: empty, or ` (rsync is not installed)`. */
  readonly because: string;
}

/** Requires commands, and files by their full paths. */
export function needs(...of: readonly string[]): Needs {
  const missing = of.find((need) => !(need.startsWith('/') ? existsSync(need) : isCommand(need)));
  return unless(missing === undefined, `${missing} is not installed`);
}

/** Requires something other than a program. */
export function unless(isThere: boolean, reason: string): Needs {
  return { isMissing: !isThere, because: isThere ? '' : ` (${reason})` };
}

/** Requires tar with the options of GNU. */
export function needsGnuTar(): Needs {
  const { stdout } = spawnSync('tar', ['--version'], { encoding: 'utf8' });
  return unless(/GNU tar/.test(stdout ?? ''), 'GNU tar is not installed');
}

function isCommand(name: string): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, name)));
}
