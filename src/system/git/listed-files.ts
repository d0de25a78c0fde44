/** Lists files of the repository that contains a folder. The lists are empty outside of a repository. */

import { Failure } from '../../core/diagnostics/finding.ts';
import { tryGit } from './run-git.ts';

/** Lists the files in the commit HEAD^1. If HEAD is a merge, HEAD^1 is the branch that received the merge. */
export function publishedFiles(folder: string): string[] {
  return listed(folder, ['ls-tree', '-z', '--name-only', 'HEAD^1', '.']);
}

/** Lists files that git neither tracks nor ignores. */
export function untrackedFiles(folder: string): string[] {
  return listed(folder, ['ls-files', '--others', '--exclude-standard', '-z']);
}

function listed(folder: string, args: readonly string[]): string[] {
  try {
    return (tryGit({ folder, name: folder }, args) ?? '').split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof Failure && error.findings.every(({ code }) => code === 'not-a-repository')) return [];
    throw error;
  }
}
