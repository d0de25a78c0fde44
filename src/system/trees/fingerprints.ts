import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { byCodeUnit } from '../../core/model/json.ts';
import { isTemporaryName } from '../files/folder-lock.ts';
import { pathIn } from '../files/link-folder.ts';

/** Maps paths to inodes, sizes and times. Paths are decoded as Latin-1, because they can be invalid UTF-8. */
export type Fingerprints = ReadonlyMap<string, string>;

/** Includes folders, so that a new empty folder is detected. Skips the temporary files of gridpress. */
export function fingerprintsIn(root: string): Fingerprints {
  const found = new Map<string, string>();
  const visit = (folder: Buffer) => {
    for (const name of readdirSync(folder, 'buffer')) {
      if (isTemporaryName(name.toString())) continue;
      const path = pathIn(folder, name);
      const status = lstatSync(path, { bigint: true });
      found.set(path.toString('latin1', Buffer.byteLength(root) + 1), fingerprintOf(status));
      if (status.isDirectory()) visit(path);
    }
  };
  visit(Buffer.from(root));
  return found;
}

/**
 * Returns the same text for all folders, because the time and the inode of a folder can change although its files stay
 * the same.
 */
function fingerprintOf(status: BigIntStats): string {
  return status.isDirectory() ? 'folder' : `${status.ino} ${status.size} ${status.mtimeNs}`;
}

export function changedNames(before: Fingerprints, after: Fingerprints): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== after.get(name));
  return changed.map((name) => Buffer.from(name, 'latin1').toString()).sort(byCodeUnit);
}
