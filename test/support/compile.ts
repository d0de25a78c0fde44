/** Compiles the program before the first test if its sources are newer than the compiled files. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

export function setup(): void {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  const newest = Math.max(...sources.map(({ parentPath, name }) => timeOf(join(parentPath, name))));
  if (newest <= timeOf(join(ROOT, 'lib', 'cli.js'))) return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
}

/** Returns the time of a file's last change; 0 if the file does not exist. */
function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
