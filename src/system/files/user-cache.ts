/**
 * Stores files about a registry in the user's cache folder (XDG_CACHE_HOME). The folder must be outside the registry.
 * Otherwise, a registry of another person could contain a forged cache.
 */
import {
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../core/model/digest.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { cacheFolder } from './cache-folder.ts';
import { makeFolders, putInPlace } from './disk-sync.ts';
import { withFile } from './file-io.ts';
import { isInside } from './read-folder.ts';
import { freshFile } from './replace-file.ts';
import { undefinedOnSystemError } from './system-errors.ts';

/** Returns undefined if the file is missing, too large, or was possibly written by another user. */
export function readCached(registry: string, name: string): Buffer | undefined {
  return undefinedOnSystemError(() => {
    const prefix = cachePrefix(registry);
    return prefix === undefined ? undefined : readOwnFile(prefix + name);
  });
}

/** Flushes the file to the disk. Ignores system errors, because commands also work without a cache. */
export function writeCached(registry: string, name: string, bytes: string | Uint8Array): void {
  undefinedOnSystemError(() => {
    const folder = cacheFolder();
    if (folder !== undefined && !isInside(realParentOf(folder), realpathSync(registry))) makeFolders(folder, 0o700);
    const prefix = cachePrefix(registry);
    if (prefix === undefined) return;
    const from = freshFile(prefix + name);
    try {
      writeFileSync(from, bytes, { flag: 'wx', mode: 0o600 });
      putInPlace([{ from, to: prefix + name }]);
    } finally {
      rmSync(from, { force: true });
    }
  });
}

/** Returns the real path of the folder, or of its nearest existing parent. */
function realParentOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : realParentOf(dirname(folder));
}

export function cachedNames(registry: string): string[] {
  const names = undefinedOnSystemError(() => {
    const begin = registryKey(registry);
    const folder = cacheFolder();
    const names = folder === undefined ? [] : readdirSync(folder);
    return names.flatMap((name) => (name.startsWith(begin) ? [name.slice(begin.length)] : []));
  });
  return names ?? [];
}

/** Returns the path of a file in the cache. Returns undefined if there is no cache. */
export function cachedFile(registry: string, name: string): string | undefined {
  return undefinedOnSystemError(() => {
    const prefix = cachePrefix(registry);
    return prefix === undefined ? undefined : prefix + name;
  });
}

/** Removes a file from the cache. Also removes a folder with this name, because the folder would block the file. */
export function removeCached(registry: string, name: string): void {
  undefinedOnSystemError(() => {
    const prefix = cachePrefix(registry);
    if (prefix !== undefined) rmSync(prefix + name, { recursive: true, force: true });
  });
}

function registryKey(registry: string): string {
  return sha256(realpathSync(registry)).slice(0, 32);
}

/** Returns undefined if there is no cache folder, or if another user can write to the cache folder. */
function cachePrefix(registry: string): string | undefined {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  const status = lstatSync(folder);
  const isSafe = status.isDirectory() && isOwn(status) && !isInside(realpathSync(folder), realpathSync(registry));
  return isSafe ? join(folder, registryKey(registry)) : undefined;
}

/** Whether only this user can write to a file or folder. Returns true on systems without user identifiers. */
function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & 0o077) === 0);
}

function readOwnFile(path: string): Buffer | undefined {
  const read = (file: number) => {
    const status = fstatSync(file);
    return status.isFile() && isOwn(status) && status.size <= DOCUMENT_BYTES ? readFileSync(file) : undefined;
  };
  return withFile(path, read, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
}
