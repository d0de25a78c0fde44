/** Where a call finds its registry and its tree when it does not name them: here, or in the nearest folder above. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { fail } from '../core/diagnostics/failure.ts';
import { finding } from '../core/diagnostics/finding.ts';
import { reasonOf } from '../system/files/system-errors.ts';

const MARKS = ['gridpress.yaml', 'registry-data'];
/** Options and arguments whose defaults are meant from there. */
const DEFAULTS: readonly unknown[] = ['registry-data', 'dist'];

/** `-C`: as if the command had been called in that folder. */
export function changeFolder(folder: string): void {
  try {
    process.chdir(folder);
  } catch (error) {
    fail(finding('no-folder', { folder, reason: reasonOf(error) }));
  }
}

/** Lets the defaults of a command that is about to run lead to the project in whose folders it is called. */
export function findDefaults(command: Command): void {
  const root = projectRoot();
  if (root === '') return;
  for (const option of command.options) {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    if (command.getOptionValueSource(name) === 'default' && typeof value === 'string' && DEFAULTS.includes(value))
      command.setOptionValueWithSource(name, join(root, value), 'default');
  }
  for (const [i, { defaultValue }] of command.registeredArguments.entries()) {
    const isGiven = i < command.args.length;
    if (!isGiven && typeof defaultValue === 'string' && DEFAULTS.includes(defaultValue))
      command.processedArgs[i] = join(root, defaultValue);
  }
}

/** Has a registry put back that an interrupted command has left beside its place. */
export async function recoverMissing({ registry }: { readonly registry?: unknown }): Promise<void> {
  if (typeof registry !== 'string' || existsSync(registry)) return;
  const { recoverRegistry } = await import('../features/sources/registry-stages.ts');
  recoverRegistry(registry);
}

export function fromRoot(name: string): string {
  return join(projectRoot(), name);
}

/** The way to the nearest folder above that is a project's; empty where this one is, or none. */
function projectRoot(): string {
  const here = resolve('.');
  for (let folder = here; ; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return relative(here, folder);
    if (folder === dirname(folder)) return '';
  }
}
