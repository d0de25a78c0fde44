/** Changing single files of a registry in a stage, which starts as a copy of the whole and is swapped for it. */
import { readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fg from 'fast-glob';
import fs from 'fs-extra';
import { linkOrCopy } from '../files/link-folder.ts';
import { systemCode, writing } from '../files/system-errors.ts';
import type { Stage } from './staging.ts';

/** Puts a copy of a folder, made of hard links, into the stage. */
export function stageCopy({ out, next }: Stage): void {
  if (!fs.existsSync(out)) return;
  const options = { cwd: out, dot: true, onlyFiles: false, followSymbolicLinks: false, objectMode: true } as const;
  writing(next, () => {
    for (const { path, dirent } of fg.sync('**', options)) {
      const [source, target] = [join(out, path), join(next, path)];
      fs.ensureDirSync(dirent.isDirectory() ? target : dirname(target));
      if (dirent.isDirectory()) continue;
      if (dirent.isSymbolicLink()) fs.symlinkSync(readlinkSync(source), target);
      else linkOrCopy(source, target);
    }
  });
}

/** Writes a file of a stage, which no one sees yet, as a new one: what it was linked to stays. Null removes it. */
export function stageFile({ next }: Stage, file: string, text: string | Uint8Array | null): void {
  const path = join(next, file);
  writing(path, () => {
    if (text !== null && isWritten(path, text)) return;
    rmSync(path, { force: true });
    if (text === null) removeEmptyFolders(next, dirname(file));
    else fs.outputFileSync(path, text, { flag: 'wx' });
  });
}

/** Writes a file that is not there yet into a folder that is: most are such ones. */
function isWritten(path: string, text: string | Uint8Array): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  if (folder === '.' || readdirSync(join(root, folder)).length > 0) return;
  rmSync(join(root, folder), { recursive: true });
  removeEmptyFolders(root, dirname(folder));
}
