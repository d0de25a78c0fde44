import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/names.ts';

/** Whether a folder is a tree. Calling this does not load code that reads trees. */
export function isTreeFolder(folder: string): boolean {
  return existsSync(join(folder, MANIFEST_FILE));
}
