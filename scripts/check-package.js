/**
 * Checks the package before a release: its sizes, and that npm would accept it. With `--release`, the owner must have named
 * the repository in package.json.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** A guard against files that are packed by mistake. The package had 850,000 bytes on 2026-11-30. */
const MOST_PACKED = 900_000;
const MOST_UNPACKED = 6_000_000;

const npm = (...args) =>
  execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const [{ size, unpackedSize }] = JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts'));
console.log(`The package has ${size} bytes, unpacked ${unpackedSize}.`);
const problems = [];
if (size > MOST_PACKED) problems.push(`The package may have at most ${MOST_PACKED} bytes.`);
if (unpackedSize > MOST_UNPACKED) problems.push(`The unpacked package may have at most ${MOST_UNPACKED} bytes.`);
if (process.argv.includes('--release')) {
  const description = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const field of ['repository', 'homepage', 'bugs'])
    if (description[field] === undefined) problems.push(`package.json has no ${field}.`);
}
npm('publish', '--dry-run', '--silent', '--ignore-scripts', '--provenance=false');
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
