/** An imported registry with its repository, for tests that import again. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportResult, importRegistry } from '../../../src/features/import/import.ts';
import { folderContents } from '../trees/folder-contents.ts';
import { type GitRepository, gitRepository, json } from './git-repository.ts';
import { BASE, CLUSTER, GRID, imported, NODE_BODY, NODE_FILE } from './imported.ts';

export const OTHER_FILE = `${GRID}/${CLUSTER}/nodes/n2.json`;
export const OTHER = { type: 'node', uid: 'n2' };
/** The file of the node with another number of cores. */
export const withCores = (cores: number) => json({ ...NODE_BODY, cores });

interface ImportedOnce {
  readonly repository: GitRepository;
  readonly registry: string;
  readonly first: string;
  readonly second: string;
}

/** Creates a repository with two commits, and imports it. */
export async function importedOnce(): Promise<ImportedOnce> {
  const repository = gitRepository();
  const first = repository.commit({ files: { ...BASE, [OTHER_FILE]: json(OTHER) } });
  const second = repository.commit({ files: { [NODE_FILE]: withCores(16) } });
  const { registry } = await imported(repository.folder);
  return { repository, registry, first, second };
}

export function importInto(registry: string, { folder }: GitRepository, firstParent = false): Promise<ImportResult> {
  return importRegistry({ repository: folder, out: registry, ref: 'HEAD', firstParent, showsProgress: false });
}

/** Returns an identity for every file, which changes when the file is rewritten. */
export function identities(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.keys(folderContents(folder)).map((file) => {
      const { ino, mtimeMs } = lstatSync(join(folder, file));
      return [file, `${ino} ${mtimeMs}`];
    }),
  );
}
