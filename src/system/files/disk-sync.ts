/**
 * Making sure that what was written is on the disk. Until then, a power cut may leave any of it out: the bytes of files as
 * well as their names in folders, in whatever order they were written.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, renameSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from './system-errors.ts';

export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What systems say that cannot sync a folder: Windows, and some network file systems. */
const NOT_FOR_FOLDERS = ['EISDIR', 'EPERM', 'EINVAL', 'EBADF', 'ENOTSUP'];

export function syncFolders(...paths: readonly string[]): void {
  for (const path of new Set(paths)) {
    try {
      syncFile(path);
    } catch (error) {
      if (!NOT_FOR_FOLDERS.includes(systemCode(error) ?? '')) throw error;
    }
  }
}

/** Gives files that are written their names: each is on the disk first, and so are the names in the end. */
export function putInPlace(files: readonly { readonly from: string; readonly to: string }[]): void {
  for (const { from } of files) syncFile(from);
  for (const { from, to } of files) renameSync(from, to);
  syncFolders(...files.map(({ to }) => dirname(to)));
}

/**
 * A folder with all that is in it. What is linked in from the same place in `previous` is taken to be on the disk
 * already.
 */
export function syncTree(root: string, previous: string): void {
  if (!syncFileSystem(root)) syncEach(root, previous);
}

/**
 * Everything that waits to be written to the file system of a folder, in one go: for thousands of small files that takes
 * a tenth of what syncing each takes. Linux has a call for it (syncfs(2)) and Node has none. False where it failed.
 */
function syncFileSystem(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('sync', ['-f', folder], { stdio: 'ignore' }).status === 0;
}

function syncEach(root: string, previous: string): void {
  const linked = new Set<number>();
  const isLinkedIn = (file: string, { dev, ino, nlink }: Stats) => {
    if (nlink === 1) return false;
    if (linked.has(ino)) return true;
    linked.add(ino);
    const other = lstatSync(join(previous, file), { throwIfNoEntry: false });
    return other?.ino === ino && other.dev === dev;
  };
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && !isLinkedIn(path, lstatSync(join(root, path)))) syncFile(join(root, path));
    }
    syncFolders(join(root, folder));
  };
  visit('');
}
