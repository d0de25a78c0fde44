/** Writing sources: whole registries by staging and swapping, single files by renaming. */
import { linkSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fg from 'fast-glob';
import fs from 'fs-extra';
import { finding } from '../diagnostics/finding.ts';
import { fail, reasonOf } from './failure.ts';
import type { Stage } from './staging.ts';

/** Puts a copy of a folder, made of hard links, into the stage. */
export function stageCopy({ out, next }: Stage): void {
  if (!fs.existsSync(out)) return;
  const options = {
    cwd: out,
    dot: true,
    onlyFiles: false,
    followSymbolicLinks: false,
    objectMode: true,
  } as const;
  for (const { path, dirent } of fg.sync('**', options)) {
    const target = join(next, path);
    if (dirent.isDirectory()) {
      fs.ensureDirSync(target);
      continue;
    }
    fs.ensureDirSync(dirname(target));
    if (dirent.isSymbolicLink()) fs.symlinkSync(readlinkSync(join(out, path)), target);
    else linkSync(join(out, path), target);
  }
}

/** Writes a file as a new one, so that nothing that is linked to an old one of its name changes; null removes it. */
export function replaceFile(root: string, file: string, text: string | null): void {
  const path = join(root, file);
  try {
    if (text === null) {
      rmSync(path, { force: true });
      removeEmptyFolders(root, dirname(file));
      return;
    }
    const fresh = `${path}.gridpress-${process.pid}`;
    fs.outputFileSync(fresh, text);
    renameSync(fresh, path);
  } catch (error) {
    fail(finding('write-failed', { file: path, reason: reasonOf(error), kept: true }));
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  if (folder === '.' || readdirSync(join(root, folder)).length > 0) return;
  rmSync(join(root, folder), { recursive: true });
  removeEmptyFolders(root, dirname(folder));
}
