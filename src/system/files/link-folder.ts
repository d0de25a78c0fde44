import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from './system-errors.ts';

/** Causes: another file system, a file system without hard links, or too many links. */
const NO_LINK = ['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'];

/** The copy has the time of the original. */
export function linkOrCopy(target: string, path: string): void {
  try {
    linkSync(target, path);
  } catch (error) {
    if (!NO_LINK.includes(systemCode(error) ?? '')) throw error;
    const { atime, mtime } = lstatSync(target);
    copyFileSync(target, path, constants.COPYFILE_EXCL);
    utimesSync(path, atime, mtime);
  }
}

/** Links a file or a whole folder. Existing files stay unchanged. */
export function linkAll(target: string, path: string): void {
  const status = lstatSync(target);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (status.isDirectory() && (!there || there.isDirectory())) {
    if (!there) mkdirSync(path, { mode: status.mode });
    for (const name of readdirSync(target)) linkAll(join(target, name), join(path, name));
  } else if (there) return;
  else if (status.isSymbolicLink()) symlinkSync(readlinkSync(target), path);
  else linkOrCopy(target, path);
}
