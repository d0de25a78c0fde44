import { Failure } from '../../core/diagnostics/finding.ts';
import { tryGit } from './run-git.ts';

/** The file names of a folder in HEAD^1, the branch into which HEAD was merged. Empty outside of a repository. */
export function publishedFiles(folder: string): string[] {
  try {
    const list = tryGit({ folder, name: folder }, ['ls-tree', '-z', '--name-only', 'HEAD^1', '.']) ?? '';
    return list.split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
