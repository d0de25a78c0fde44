/** Replaces single files atomically. Readers see either the old file or the new file, even after a power failure. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolders, putInPlace } from './disk-sync.ts';
import { leftoversIn } from './folder-lock.ts';
import { failToWrite } from './system-errors.ts';

export function replaceFile(root: string, file: string, text: string | Uint8Array): void {
  replaceFiles(root, new Map([[file, text]]));
}

/**
 * Flushes temporary files before the renames. After a power failure, each file has its complete old content or its
 * complete new content.
 */
export function replaceFiles(root: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  const fresh: { readonly from: string; readonly to: string }[] = [];
  let to = root;
  let isKept = true;
  try {
    for (const [file, text] of files) {
      to = join(root, file);
      if (isDeviceOrPipe(to)) {
        writeFileSync(to, text);
        continue;
      }
      makeFolders(dirname(to));
      const from = freshFile(to);
      fresh.push({ from, to });
      writeFileSync(from, text);
    }
    isKept = false;
    putInPlace(fresh);
  } catch (error) {
    // A file that was already renamed no longer exists under its temporary name.
    isKept ||= fresh.every(({ from }) => existsSync(from));
    // Checks existence first. `rmSync` with `force` fails if a part of the path is a file.
    for (const { from } of fresh) if (existsSync(from)) rmSync(from, { force: true });
    failToWrite(to, error, isKept);
  }
}

/** Returns the temporary path of a file. Deletes temporary files of ended processes. */
export function freshFile(path: string): string {
  removeLeftovers(path);
  return join(dirname(path), `${beginOf(path)}${process.pid}`);
}

function removeLeftovers(path: string): void {
  const folder = dirname(path);
  for (const name of leftoversIn(folder, beginOf(path))) rmSync(join(folder, name), { force: true });
}

function beginOf(path: string): string {
  return `.${basename(path)}.gridpress-`;
}

/** Whether a path is a device or a pipe, such as /dev/stdout. Programs cannot replace a device or a pipe. */
export function isDeviceOrPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}
