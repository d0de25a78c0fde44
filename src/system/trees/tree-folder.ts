/** Which folders are trees, for those who have yet to choose what reads them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/manifest/manifest-file.ts';

export function isTreeFolder(folder: string): boolean {
  return existsSync(join(folder, MANIFEST_FILE));
}
