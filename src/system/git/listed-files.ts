/** Lists files of the repository that contains a folder. The lists are empty outside of a repository. */

import { Failure } from '../../core/diagnostics/finding.ts';
import { tryGit } from './run-git.ts';

/**
 * The commits that can be the published one, the most certain first. If HEAD is a merge, HEAD^1 is the branch that
 * received the merge. Before a merge is committed, this branch is HEAD.
 */
const PUBLISHED = ['refs/remotes/origin/HEAD', '@{upstream}', 'HEAD^1', 'HEAD'];

/** Lists the files in each commit that can be the published one. */
export function publishedFiles(folder: string): string[][] {
  return PUBLISHED.map((commit) => listed(folder, ['ls-tree', '-z', '--name-only', commit, '.']));
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
