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

/** Lists tracked files that git skips in the worktree, as in a sparse checkout. `git ls-files -t` prints `S` for them. */
export function sparseFiles(folder: string): string[] {
  return listed(folder, ['ls-files', '-t', '-z']).flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []));
}

function listed(folder: string, args: readonly string[]): string[] {
  try {
    return (tryGit({ folder, name: folder }, args) ?? '').split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof Failure && error.findings.every(({ code }) => code === 'not-a-repository')) return [];
    throw error;
  }
}
