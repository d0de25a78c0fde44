import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/names.ts';

/** Returns whether a folder contains a manifest. This module does not load the code that reads trees. */
export function isTreeFolder(folder: string): boolean {
  return existsSync(join(folder, MANIFEST_FILE));
}
