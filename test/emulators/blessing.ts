/** Writes the results of the emulators to `emulated.ts`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulation } from './emulation.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'test/emulators/emulated.ts');

export function blessed(emulations: readonly Emulation[], date: string): void {
  const text = `/** What the emulators showed on ${date}. Written by \`BLESS=1 npm run test:emulators\`; do not edit. */
import type { Emulation } from './emulation.ts';

export const EMULATIONS: readonly Emulation[] = ${JSON.stringify(emulations)};
`;
  writeFileSync(FILE, text);
  execFileSync('npx', ['biome', 'check', '--write', FILE], { cwd: ROOT, stdio: 'inherit' });
}
