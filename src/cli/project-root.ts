/**
 * Finds the default registry, tree and folder of archives in the working folder, or in the nearest project folder above
 * it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import { fail, finding } from '../core/diagnostics/finding.ts';
import { reasonOf } from '../system/files/system-errors.ts';

const PROJECT_MARKERS = ['gridpress.yaml', 'registry-data'];
const DEFAULT_PATHS: readonly unknown[] = ['registry-data', 'dist', 'archives'];

export function changeFolder(folder: string): void {
  try {
    process.chdir(folder);
  } catch (error) {
    fail(finding('no-folder', { folder, reason: reasonOf(error) }));
  }
}

/** Prepends the project folder to the default paths of options and arguments. */
export function findDefaults(command: Command): void {
  const root = projectRoot();
  if (root === '') return;
  for (const option of command.options) {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    if (command.getOptionValueSource(name) === 'default' && typeof value === 'string' && DEFAULT_PATHS.includes(value))
      command.setOptionValueWithSource(name, join(root, value), 'default');
  }
  for (const [i, { defaultValue }] of command.registeredArguments.entries()) {
    const isGiven = i < command.args.length;
    if (!isGiven && typeof defaultValue === 'string' && DEFAULT_PATHS.includes(defaultValue))
      command.processedArgs[i] = join(root, defaultValue);
  }
}

export async function recoverMissing({ registry }: { readonly registry?: unknown }): Promise<void> {
  if (typeof registry !== 'string') return;
  const { lockFolderOf } = await import('../system/files/folder-lock.ts');
  if (existsSync(registry) && !existsSync(lockFolderOf(realpathSync(registry)))) return;
  const { recoverRegistry } = await import('../features/sources/registry-stages.ts');
  recoverRegistry(registry);
}

export function fromRoot(name: string): string {
  return join(projectRoot(), name);
}

/** Returns an empty path if there is no project folder, or if the working folder is the project folder. */
function projectRoot(): string {
  const here = workingFolder();
  for (let folder = here; ; folder = dirname(folder)) {
    if (PROJECT_MARKERS.some((mark) => existsSync(join(folder, mark)))) return relative(here, folder);
    if (folder === dirname(folder)) return '';
  }
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return fail(finding('no-folder', { folder: '.', reason: 'it was deleted' }));
  }
}
