import { listedNames } from './run-git.ts';

/** The file names of a folder in HEAD^1, the branch into which HEAD was merged. Empty outside of a repository. */
export function publishedFiles(folder: string): string[] {
  return listedNames(folder, ['ls-tree', '-z', '--name-only', 'HEAD^1', '.']);
}
