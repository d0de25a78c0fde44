/**
 * Removing a tree that another has replaced: only what gridpress wrote goes. What others put there, such as a CNAME or
 * a .git, moves to the same place in the new tree.
 */
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDocumentName, isTreeName, MANIFEST_FILE } from '../../core/tree/layout.ts';

/** What is known of a tree that goes: its root, the one that replaces it, and its files that are no documents. */
interface Retiring {
  readonly old: string;
  readonly out: string;
  readonly files: ReadonlySet<string>;
}

/** Can be called again after it was interrupted: the manifest, by which a tree is known, goes last. */
export function retireTree(old: string, out: string, files: ReadonlySet<string>): void {
  retireFolder({ old, out, files }, '');
  unlinkSync(join(old, MANIFEST_FILE));
  rmdirSync(old);
}

function retireFolder(retiring: Retiring, folder: string): void {
  const { old, out, files } = retiring;
  for (const entry of readdirSync(join(old, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path === MANIFEST_FILE) continue;
    if (!files.has(path) && !isOurs(entry, folder)) keep(join(old, path), join(out, path));
    else if (entry.isDirectory()) {
      retireFolder(retiring, path);
      rmdirSync(join(old, path));
    } else unlinkSync(join(old, path));
  }
}

function isOurs(entry: Dirent, folder: string): boolean {
  if (folder === '') return isTreeName(entry.name);
  return entry.isDirectory() || (entry.isFile() && isDocumentName(entry.name));
}

function keep(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(target)) rmSync(path, { recursive: true });
  else renameSync(path, target);
}
