#!/usr/bin/env node
/** The entry: it says its version, or has the command line loaded, with what Node compiled of it before. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { VERSION } from './system/files/package-version.ts';

/** Node 22 and newer can store compiled modules. */
function keepCompiled(): void {
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  const folder = typeof enable === 'function' ? cacheFolder() : undefined;
  if (typeof enable === 'function' && folder !== undefined) enable(join(folder, 'compiled'));
}

/** A folder that is the user's alone: code from one that others write would be run. Undefined where it cannot be made. */
function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  const folder = join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'gridpress');
  try {
    // Not with the folders above: below /proc, that never ends.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const { uid } = lstatSync(folder);
    return uid === (process.getuid?.() ?? uid) ? folder : undefined;
  } catch {
    return undefined;
  }
}

const [word, ...others] = process.argv.slice(2);
if (others.length === 0 && (word === '--version' || word === '-V')) process.stdout.write(`${VERSION}\n`);
else {
  keepCompiled();
  const { run } = await import('./cli/program.ts');
  await run();
}
