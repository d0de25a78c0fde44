/** Writes the results of the emulators to `emulated.ts`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulation } from './emulated.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'test/emulators/emulated.ts');

export function blessed(
  emulations: readonly Emulation[],
  outcomes: Readonly<Record<string, readonly string[]>>,
  date: string,
): void {
  const text = `/** Results of the emulators on ${date}. Written by \`BLESS=1 npm run test:emulators\`; do not edit. */
import type { Capability } from '../../src/core/hosts/host.ts';

/** A difference between a host's emulator and the documented service. */
export interface Emulation {
  /** The name of the host. */
  readonly host: string;
  readonly emulator: string;
  readonly differences: readonly { readonly capability: Capability; readonly why: string }[];
}

export const EMULATIONS: readonly Emulation[] = ${JSON.stringify(emulations)};

/** The outcomes of each capability, in the order of EMULATIONS. */
export const OUTCOMES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(outcomes)};
`;
  writeFileSync(FILE, text);
  execFileSync('npx', ['biome', 'check', '--write', FILE], { cwd: ROOT, stdio: 'inherit' });
}
