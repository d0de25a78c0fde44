#!/usr/bin/env node
/** The entry point of the command line. Node's compile cache makes the program start faster. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

/** Only Node 22.1 and newer have a compile cache. */
async function enableCompileCache(): Promise<void> {
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  if (typeof enable !== 'function') return;
  const { cacheFolder } = await import('./system/files/cache-folder.ts');
  const folder = cacheFolder();
  if (folder !== undefined && isSafe(folder)) enable(join(folder, 'compiled'));
}

/** Whether only the user can access the folder. If not, Node could run foreign code. Creates a missing folder. */
function isSafe(folder: string): boolean {
  try {
    // A recursive `mkdirSync` below /proc never ends.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const status = lstatSync(folder);
    const user = process.geteuid?.();
    return status.isDirectory() && (user === undefined || (status.uid === user && (status.mode & 0o077) === 0));
  } catch {
    return false;
  }
}

/** Handles errors outside of a command, such as errors of module loading and of output streams. */
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
  const { endWithReader } = await import('./system/terminal/terminal.ts');
  endWithReader();
  process.stdout.write(`${VERSION}\n`);
} else {
  await enableCompileCache();
  const { run } = await import('./cli/program.ts');
  await run();
}
