import { listedNames } from './run-git.ts';

/** Files that git neither tracks nor ignores. Empty outside of a repository. */
export function untrackedFiles(folder: string): string[] {
  return listedNames(folder, ['ls-files', '--others', '--exclude-standard', '-z']);
}
