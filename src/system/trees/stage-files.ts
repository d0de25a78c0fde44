/** Changing single files of a registry in a stage, which starts as a copy of the whole and is swapped for it. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkAll } from '../files/link-folder.ts';
import { writing } from '../files/system-errors.ts';
import type { Stage } from './staging.ts';

/** Puts a copy of a folder, made of hard links, into the stage. */
export function stageCopy({ out, next }: Stage): void {
  if (existsSync(out)) writing(next, () => linkAll(out, next));
}

/** Writes a file of a stage, which no one sees yet, as a new one: what it was linked to stays. Null removes it. */
export function stageFile({ next }: Stage, file: string, text: string | null): void {
  const path = join(next, file);
  writing(path, () => {
    rmSync(path, { force: true });
    if (text === null) return removeEmptyFolders(next, dirname(file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  });
}

function removeEmptyFolders(root: string, folder: string): void {
  if (folder === '.' || readdirSync(join(root, folder)).length > 0) return;
  rmSync(join(root, folder), { recursive: true });
  removeEmptyFolders(root, dirname(folder));
}
