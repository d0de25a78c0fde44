import { Failure } from '../../core/diagnostics/finding.ts';
import { tryGit } from './run-git.ts';

/** Files that git neither tracks nor ignores. Empty outside of a repository. */
export function untrackedFiles(folder: string): string[] {
  try {
    const list = tryGit({ folder, name: folder }, ['ls-files', '--others', '--exclude-standard', '-z']) ?? '';
    return list.split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
