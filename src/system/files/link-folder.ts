import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { lazily } from '../../core/platform/on-demand.ts';
import { freshFile } from './replace-file.ts';
import { systemCode, undefinedOnSystemError } from './system-errors.ts';

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

/**
 * Returns a function that creates hard links in a folder. The function returns false if the file system cannot create
 * the link, or if a new file would have another mode or group, for example after a change of the umask.
 */
export function linker(folder: string): (from: string, to: string) => boolean {
  const newFile = lazily(() => statusOfNewFile(folder));
  return (from, to) => {
    const link = () => {
      const { mode, gid } = lstatSync(from);
      if (mode !== newFile().mode || gid !== newFile().gid) return false;
      linkSync(from, to);
      return true;
    };
    return undefinedOnSystemError(link) ?? false;
  };
}

function statusOfNewFile(folder: string): Stats {
  const path = freshFile(`${folder}/mode`);
  writeFileSync(path, '', { flag: 'wx' });
  try {
    return lstatSync(path);
  } finally {
    rmSync(path);
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
