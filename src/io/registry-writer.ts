/** Writing sources: whole registries by staging and swapping, single files by renaming. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { finding } from '../diagnostics/finding.ts';
import { fail, reasonOf } from './failure.ts';
import type { Stage } from './staging.ts';

/** Puts a copy of a folder, made of hard links, into the stage. */
export function stageCopy({ out, next }: Stage): void {
  if (existsSync(out)) copyLinks(out, next);
}

function copyLinks(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      mkdirSync(target, { recursive: true });
      copyLinks(source, target);
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
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
    mkdirSync(dirname(path), { recursive: true });
    const fresh = `${path}.gridpress-${process.pid}`;
    writeFileSync(fresh, text);
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
