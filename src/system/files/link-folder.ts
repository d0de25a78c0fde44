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
import { systemCode } from './system-errors.ts';

/** The errors of link(2) if a link crosses file systems, is unsupported, or exceeds the maximum number of links. */
const NO_LINK = ['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'];

/** A path as text or as bytes. A name that is not valid UTF-8 can only be represented as bytes. */
type Path = string | Buffer;

export function pathIn(folder: Path, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), SLASH, name]);
}

const SLASH = Buffer.from('/');

/** A copy gets the modification time of the original file. */
export function linkOrCopy(target: Path, path: Path): void {
  try {
    linkSync(target, path);
  } catch (error) {
    if (!NO_LINK.includes(systemCode(error) ?? '')) throw error;
    const { atime, mtime } = lstatSync(target);
    copyFileSync(target, path, constants.COPYFILE_EXCL);
    utimesSync(path, atime, mtime);
  }
}

/** Links a file, or all files of a folder. Does not replace existing files. */
export function linkAll(target: Path, path: Path): void {
  const status = lstatSync(target);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (status.isDirectory() && (!there || there.isDirectory())) {
    if (!there) mkdirSync(path, { mode: status.mode });
    for (const name of readdirSync(target, 'buffer')) linkAll(pathIn(target, name), pathIn(path, name));
  } else if (there) return;
  else if (status.isSymbolicLink()) symlinkSync(readlinkSync(target, 'buffer'), path);
  else linkOrCopy(target, path);
}

/** Reads names as bytes, because files of other programs can have names that are not valid UTF-8. */
export const BY_BYTES = { withFileTypes: true, encoding: 'buffer' } as const;

export function isFolder(path: Path): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
