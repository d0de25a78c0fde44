/**
 * The files of one tree, wherever they lie: in a folder, in an archive. What verifies a tree reads it through this alone.
 * Names are paths below the root of the tree with `/` between the segments, as its manifest writes them.
 */

import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { WELL_KNOWN_FOLDER } from '../../core/api/description/description-paths.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { tooLarge } from '../../core/diagnostics/words.ts';
import { certain } from '../../core/platform/certain.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { isWellKnown } from '../../core/tree/layout.ts';
import { reasonOf, systemCode } from '../files/system-errors.ts';

export interface TreeFiles {
  /**
   * Every name there is that is no folder, in any order; folders at the top whose names begin with a dot are passed
   * over but for what is ours, since they belong to those who publish the tree (.git, .well-known).
   */
  readonly names: () => Iterable<TreeName>;
  readonly status: (name: string) => TreeFile | NoFile;
  /**
   * All bytes of a file, as they are at this moment. They are valid until the next call only: the same memory may
   * be used again.
   */
  readonly read: (name: string) => ReadFile | NoFile;
  /** So many bytes of a file from a place in it, fewer where it ends before; valid until the next call only. */
  readonly chunk: (name: string, from: number, length: number) => ReadFile | NoFile;
}

export interface TreeName {
  readonly name: string;
  /** Whether it is a plain file: no symbolic link, device or the like. */
  readonly isFile: boolean;
}

export interface TreeFile {
  /**
   * Names of one file (hard links) have the same number, and no two files have the same: bytes of names that share it are
   * read once. NaN where nothing tells which names are links: then every name is read.
   */
  readonly identity: number;
  /** In bytes. */
  readonly size: number;
}

export interface ReadFile extends TreeFile {
  readonly bytes: Uint8Array;
}

export interface NoFile {
  /** In words, as in "no such file or folder"; undefined when a folder or a symbolic link has the name. */
  readonly absent: string | undefined;
}

export function isNoFile(found: TreeFile | NoFile): found is NoFile {
  return 'absent' in found;
}

const NOT_A_FILE: NoFile = { absent: undefined };
/** A link is not followed, and a pipe not waited for. */
const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const LINK_NOT_FOLLOWED = ['ELOOP', 'EMLINK'];

/** What is longer, in bytes, is read into memory that is given back. */
const MOST_KEPT = 1 << 22;

/** The files of a tree in a folder. Where the folder is not there, nothing is. */
export function folderFiles(root: string): TreeFiles {
  const device = lstatSync(root, { throwIfNoEntry: false })?.dev;
  // Inodes are numbers of one file system.
  const identityOf = ({ dev, ino }: { dev: number; ino: number }) =>
    dev === device && Number.isSafeInteger(ino) ? ino : Number.NaN;
  let buffer = Buffer.allocUnsafe(1 << 16);
  const fill = (file: number, from: number | null, length: number) => {
    if (length > buffer.length && length <= MOST_KEPT) buffer = Buffer.allocUnsafe(length * 2);
    const bytes = length > MOST_KEPT ? Buffer.allocUnsafe(length) : buffer;
    let read = 0;
    for (let got = -1; got !== 0 && read < length; read += got)
      got = readSync(file, bytes, read, length - read, from === null ? null : from + read);
    return bytes.subarray(0, read);
  };
  const opened = (name: string, most: number, read: (file: number, size: number) => Uint8Array): ReadFile | NoFile => {
    let file: number;
    try {
      file = openSync(`${root}/${name}`, OPEN);
    } catch (error) {
      return absent(error);
    }
    try {
      const status = fstatSync(file);
      if (!status.isFile()) return NOT_A_FILE;
      if (status.size > most) return { absent: tooLarge(status.size, most) };
      return { identity: identityOf(status), size: status.size, bytes: read(file, status.size) };
    } catch (error) {
      return absent(error);
    } finally {
      closeSync(file);
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
    // One byte more than there should be tells of a file that grows.
    read: (name) => opened(name, LISTING_BYTES, (file, size) => fill(file, null, size + 1)),
    chunk: (name, from, length) => opened(name, Number.POSITIVE_INFINITY, (file) => fill(file, from, length)),
  };
}

function absent(error: unknown): NoFile {
  const reason = reasonOf(error);
  return LINK_NOT_FOLLOWED.includes(certain(systemCode(error))) ? NOT_A_FILE : { absent: reason };
}

function* namesIn(root: string, folder: string): Generator<TreeName> {
  for (const entry of entriesOf(`${root}/${folder}`)) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield { name, isFile: entry.isFile() };
    else if (folder !== '' || !entry.name.startsWith('.')) yield* namesIn(root, name);
    else if (name === WELL_KNOWN_FOLDER) for (const each of namesIn(root, name)) if (isWellKnown(each.name)) yield each;
  }
}

/** None where the folder is gone, as that of a tree is that is replaced meanwhile. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? [] : fail(finding('read-failed', { file: path, reason: reasonOf(error) }));
  }
}
