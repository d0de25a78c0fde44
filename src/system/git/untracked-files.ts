import { listedNames } from './run-git.ts';

/** Lists files that git neither tracks nor ignores. Returns nothing outside of a repository. */
export function untrackedFiles(folder: string): string[] {
  return listedNames(folder, ['ls-files', '--others', '--exclude-standard', '-z']);
}
