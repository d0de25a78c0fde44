/** Replacing a single file, so that whoever looks sees the old one or the new one. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fs from 'fs-extra';
import { failToWrite } from './system-errors.ts';

/** Writes a file in one go: whoever looks sees the old one or the new one, and a failure leaves nothing behind. */
export function replaceFile(root: string, file: string, text: string): void {
  const path = join(root, file);
  const fresh = `${path}.gridpress-${process.pid}`;
  try {
    fs.outputFileSync(fresh, text);
    renameSync(fresh, path);
  } catch (error) {
    removeIfThere(fresh);
    failToWrite(path, error);
  }
}

/** Where a file stands in a folder's place, there is nothing to remove, and that is no failure of its own. */
function removeIfThere(file: string): void {
  if (fs.existsSync(file)) rmSync(file, { force: true });
}
