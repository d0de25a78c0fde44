import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { byCodeUnit } from '../../core/model/json.ts';
import { isTemporaryName } from '../files/folder-lock.ts';
import { pathIn } from '../files/link-folder.ts';

/**
 * Maps the path of each file to its inode, size and time. Paths are decoded as Latin-1, because file names can be
 * invalid UTF-8.
 */
export type Fingerprints = ReadonlyMap<string, string>;

/**
 * Returns the fingerprints of all files and folders, so that a new empty folder is detected. Skips the temporary files
 * of gridpress.
 */
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
 * Returns the fingerprint of a file. It is the same for all folders, because the time and the inode of a folder can
 * change without a change of its files.
 */
function fingerprintOf(status: BigIntStats): string {
  return status.isDirectory() ? 'folder' : `${status.ino} ${status.size} ${status.mtimeNs}`;
}

/** Returns the names of changed, added and removed files. */
export function changedNames(before: Fingerprints, after: Fingerprints): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== after.get(name));
  return changed.map((name) => Buffer.from(name, 'latin1').toString()).sort(byCodeUnit);
}
