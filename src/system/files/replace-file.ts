/** Replaces single files atomically. Readers see the old file or the new file, also after a power failure. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { putInPlace } from './disk-sync.ts';
import { leftoversIn, makeFolders } from './folder-lock.ts';
import { failToWrite } from './system-errors.ts';

export function replaceFile(root: string, file: string, text: string): void {
  replaceFiles(root, new Map([[file, text]]));
}

/** Renames the files after all of them are on the disk. A failure leaves no partial file. */
export function replaceFiles(root: string, files: ReadonlyMap<string, string>): void {
  const fresh: { readonly from: string; readonly to: string }[] = [];
  let to = root;
  try {
    for (const [file, text] of files) {
      to = join(root, file);
      if (isNoFile(to)) {
        writeFileSync(to, text);
        continue;
      }
      makeFolders(dirname(to));
      const from = freshFile(to);
      fresh.push({ from, to });
      writeFileSync(from, text);
    }
    putInPlace(fresh);
  } catch (error) {
    // Checks existence first, because rmSync fails if a part of the path is a file, even with `force`.
    for (const { from } of fresh) if (existsSync(from)) rmSync(from, { force: true });
    failToWrite(to, error);
  }
}

/** Returns the temporary path of a file. Deletes temporary files of ended processes. */
export function freshFile(path: string): string {
  const folder = dirname(path);
  const begin = `.${basename(path)}.gridpress-`;
  for (const name of leftoversIn(folder, begin)) rmSync(join(folder, name), { force: true });
  return join(folder, `${begin}${process.pid}`);
}

/**
 * Whether a path is a device or a pipe, such as /dev/stdout. These can only be written to, not replaced. Writing to a
 * folder fails.
 */
function isNoFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}
