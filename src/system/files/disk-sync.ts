/** Flushes writes to the disk, because a power failure can lose any unflushed file, folder entry or rename. */
import { spawnSync } from 'node:child_process';
import { existsSync, fsyncSync, lstatSync, mkdirSync, readdirSync, renameSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFile } from './file-io.ts';
import { systemCode } from './system-errors.ts';

export function syncFile(path: string): void {
  withFile(path, fsyncSync);
}

/** The errors of Windows and some network file systems, which cannot sync folders. */
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

/** Creates and syncs each folder separately, because Node's recursive `mkdir` never returns for a folder in /proc. */
export function makeFolders(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), mode);
  mkdirSync(folder, { mode });
  syncFolders(dirname(folder));
}

/** Renames files. Syncs all files before the renames, and the new parent folders after the renames. */
export function putInPlace(files: readonly { readonly from: string; readonly to: string }[]): void {
  for (const { from } of files) syncFile(from);
  for (const { from, to } of files) renameSync(from, to);
  syncFolders(...files.map(({ to }) => dirname(to)));
}

/** Flushes a folder to the disk. Hard links to files of `previous` are already on the disk, so they need no flush. */
export function syncTree(root: string, previous: string): void {
  if (!syncFileSystem(root)) syncEach(root, previous);
}

/** Runs `sync -f`, because Node.js has no syncfs(2), and because one fsync per small file takes ten times as long. */
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
