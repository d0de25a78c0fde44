import { listedNames } from './run-git.ts';

/** Lists the files in HEAD^1, the branch into which HEAD was merged. Returns nothing outside of a repository. */
export function publishedFiles(folder: string): string[] {
  return listedNames(folder, ['ls-tree', '-z', '--name-only', 'HEAD^1', '.']);
}
