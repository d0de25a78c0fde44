#!/usr/bin/env node
/** The entry: it says its version, or has the command line loaded, with what Node compiled of it before. */
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { VERSION } from './system/files/package-version.ts';

/** Node 22 and newer keep compiled modules. The folder is the user's: others could write into one for temporary files. */
function keepCompiled(): void {
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  if (typeof enable !== 'function') return;
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  enable(join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'gridpress', 'compiled'));
}

const [word, ...others] = process.argv.slice(2);
if (others.length === 0 && (word === '--version' || word === '-V')) process.stdout.write(`${VERSION}\n`);
else {
  keepCompiled();
  const { run } = await import('./cli/program.ts');
  await run();
}
