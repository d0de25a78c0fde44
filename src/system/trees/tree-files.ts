/** Reads a tree in a folder or an archive. File names are relative to the root of the tree. */

import { constants, type Dirent, fstatSync, lstatSync, readdirSync } from 'node:fs';
import { WELL_KNOWN_FOLDER } from '../../core/api/description/description-paths.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { assertDefined } from '../../core/platform/lookups.ts';
import { isWellKnown } from '../../core/tree/layout.ts';
import { fillFrom, withFile } from '../files/file-io.ts';
import { reasonOf, systemCode } from '../files/system-errors.ts';

export interface TreeFiles {
  /** Lists all files in any order. Skips hidden top-level folders, except the files in them that gridpress wrote. */
  readonly names: () => Iterable<TreeName>;
  readonly status: (name: string) => TreeFile | NoFile;
  /** The next call may overwrite the bytes. */
  readonly read: (name: string) => ReadFile | NoFile;
  /** Returns at most `length` bytes, and fewer bytes at the end of the file. The next call may overwrite the bytes. */
  readonly chunk: (name: string, from: number, length: number) => ReadFile | NoFile;
}

export interface TreeName {
  readonly name: string;
  /** True for regular files. False for symbolic links, devices and pipes. */
  readonly isFile: boolean;
}

export interface TreeFile {
  /** The file number (inode), which all hard links to a file share. NaN if the file system has no file numbers. */
  readonly identity: number;
  /** The size in bytes. */
  readonly size: number;
}

export interface ReadFile extends TreeFile {
  readonly bytes: Uint8Array;
}

export interface NoFile {
  /** The reason why the file is missing. Undefined if the path is a folder, a symbolic link or a special file. */
  readonly absent: string | undefined;
}

export function isMissingFile(found: TreeFile | NoFile): found is NoFile {
  return 'absent' in found;
}

const NOT_A_FILE: NoFile = { absent: undefined };
/** Opens a file without following symbolic links and without waiting for pipes. */
const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const LINK_NOT_FOLLOWED = ['ELOOP', 'EMLINK'];

const MOST_SHARED_BYTES = 1 << 22;

/** A missing folder has no files. */
export function folderFiles(root: string): TreeFiles {
  const device = lstatSync(root, { throwIfNoEntry: false })?.dev;
  // Inode numbers are unique within one file system.
  const identityOf = ({ dev, ino }: { dev: number; ino: number }) =>
    dev === device && Number.isSafeInteger(ino) ? ino : Number.NaN;
  let buffer = Buffer.allocUnsafe(1 << 16);
  const fill = (file: number, length: number, from?: number) => {
    if (length > buffer.length && length <= MOST_SHARED_BYTES) buffer = Buffer.allocUnsafe(length * 2);
    const bytes = length > MOST_SHARED_BYTES ? Buffer.allocUnsafe(length) : buffer.subarray(0, length);
    return bytes.subarray(0, fillFrom(file, bytes, from));
  };
  const opened = (name: string, most: number, read: (file: number, size: number) => Uint8Array): ReadFile | NoFile => {
    const readFrom = (file: number): ReadFile | NoFile => {
      const status = fstatSync(file);
      if (!status.isFile()) return NOT_A_FILE;
      if (status.size > most) return { absent: tooLargeReason(status.size, most) };
      return { identity: identityOf(status), size: status.size, bytes: read(file, status.size) };
    };
    try {
      return withFile(`${root}/${name}`, readFrom, OPEN);
    } catch (error) {
      return absent(error);
    }
  };
  return {
    names: () => namesIn(root, ''),
    status: (name) => {
      try {
        const status = lstatSync(`${root}/${name}`);
        return status.isFile() ? { identity: identityOf(status), size: status.size } : NOT_A_FILE;
      } catch (error) {
        return absent(error);
      }
    },
    // The additional byte detects that the file has grown.
    read: (name) => opened(name, LISTING_BYTES, (file, size) => fill(file, size + 1)),
    chunk: (name, from, length) => opened(name, Number.POSITIVE_INFINITY, (file) => fill(file, length, from)),
  };
}

function absent(error: unknown): NoFile {
  const reason = reasonOf(error);
  return LINK_NOT_FOLLOWED.includes(assertDefined(systemCode(error))) ? NOT_A_FILE : { absent: reason };
}

function* namesIn(root: string, folder: string): Generator<TreeName> {
  for (const entry of entriesOf(`${root}/${folder}`)) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield { name, isFile: entry.isFile() };
    else if (folder !== '' || !entry.name.startsWith('.')) yield* namesIn(root, name);
    else if (name === WELL_KNOWN_FOLDER) for (const each of namesIn(root, name)) if (isWellKnown(each.name)) yield each;
  }
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? [] : fail(finding('read-failed', { file: path, reason: reasonOf(error) }));
  }
}
