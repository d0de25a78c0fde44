/** Replacing single files: whoever looks sees the old one or the new one, also after a power cut. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { putInPlace } from './disk-sync.ts';
import { leftIn, makeFolders } from './folder-lock.ts';
import { failToWrite } from './system-errors.ts';

export function replaceFile(root: string, file: string, text: string): void {
  replaceFiles(root, new Map([[file, text]]));
}

/** Writes files, and gives none its name before all are on the disk. A failure leaves nothing behind, or whole files. */
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
    for (const { from } of fresh) removeIfThere(from);
    failToWrite(to, error);
  }
}

/** Where a file is written before it gets its name. What processes left there that were killed goes. */
export function freshFile(path: string): string {
  const folder = dirname(path);
  const begin = `.${basename(path)}.gridpress-`;
  for (const name of leftIn(folder, begin)) rmSync(join(folder, name), { force: true });
  return join(folder, `${begin}${process.pid}`);
}

/** A device or a pipe, such as /dev/stdout, cannot be replaced: it is written to; and so is a folder, which the system refuses. */
function isNoFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

/** Where a file stands in a folder's place, there is nothing to remove, and that is no failure of its own. */
function removeIfThere(file: string): void {
  if (existsSync(file)) rmSync(file, { force: true });
}
