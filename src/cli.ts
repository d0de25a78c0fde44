#!/usr/bin/env node
/** The entry point. Prints the version, or loads the command line from Node's compile cache. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Enables the cache of compiled modules, which Node 22 and newer have. */
function enableCompileCache(): void {
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  const folder = typeof enable === 'function' ? cacheFolder() : undefined;
  if (typeof enable === 'function' && folder !== undefined) enable(join(folder, 'compiled'));
}

/** Returns a folder that only the user can write to, because its code is run. Undefined if it cannot be created. */
function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  const folder = join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'gridpress');
  try {
    // A recursive mkdir below /proc never ends.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const { uid } = lstatSync(folder);
    return uid === (process.getuid?.() ?? uid) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Prints errors outside of a command, such as those of the loader and of output streams. */
process.on('uncaughtException', (error) => {
  const isOfSystem = 'syscall' in error;
  process.stderr.write(
    isOfSystem
      ? `error: The operating system reports an error: ${error.message}. [system-error]\n`
      : `gridpress has a bug: ${error.message}\nPlease report it with the command that you ran. GRIDPRESS_DEBUG=1 shows where.\n`,
  );
  if (process.env['GRIDPRESS_DEBUG'] !== undefined) process.stderr.write(`${error.stack}\n`);
  process.exit(2);
});

const [word, ...others] = process.argv.slice(2);
if (others.length === 0 && (word === '--version' || word === '-V')) {
  const { VERSION } = await import('./system/files/package-version.ts');
  process.stdout.write(`${VERSION}\n`);
} else {
  enableCompileCache();
  const { run } = await import('./cli/program.ts');
  await run();
}
