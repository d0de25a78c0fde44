import { Failure } from '../../core/diagnostics/finding.ts';
import { tryGit } from './run-git.ts';

/**
 * The names of the files in a folder that the first parent of the current commit contains: those of the branch into
 * which the last commit was merged. Empty if the folder is in no repository.
 */
export function publishedFiles(folder: string): string[] {
  try {
    const list = tryGit({ folder, name: folder }, ['ls-tree', '-z', '--name-only', 'HEAD^1', '.']) ?? '';
    return list.split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
