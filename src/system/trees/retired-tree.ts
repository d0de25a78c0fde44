/** Moves the files of other programs, such as a CNAME or a .git, from a replaced tree to the new tree. */

import { isUtf8 } from 'node:buffer';
import { type Dirent, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { WELL_KNOWN_FOLDER } from '../../core/api/description/description-paths.ts';
import { isDocumentPath, isTreeName, isWellKnown, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { BY_BYTES, isFolder, linkAll, pathIn } from '../files/link-folder.ts';
import { readManifestSummary } from './manifest-summary.ts';

interface RetiredTree {
  readonly root: string;
  /** The files that gridpress wrote, except documents. */
  readonly files: ReadonlySet<string>;
}

function retiredTree(root: string): RetiredTree {
  return { root, files: new Set(readManifestSummary(root)?.files.map(({ file }) => file)) };
}

/**
 * Deletes a replaced tree. Moves the files of other programs to `out`. Deletes the manifest last, so that another call
 * can continue after an interruption.
 */
export function retireTree(old: string, out: string): void {
  emptyFolder(retiredTree(old), '', out);
  rmSync(join(old, MANIFEST_FILE), { force: true });
  rmdirSync(old);
}

/** Links the files of other programs into the new tree. Does not replace existing files of the new tree. */
export function carryOver(old: string, next: string): void {
  carryFolder(retiredTree(old), next, '');
}

function carryFolder(tree: RetiredTree, next: string, folder: string): void {
  for (const { path, entry, isForeign } of entriesOf(tree, folder)) {
    if (isForeign) {
      mkdirSync(join(next, folder), { recursive: true });
      linkAll(pathIn(join(tree.root, folder), entry.name), pathIn(join(next, folder), entry.name));
    } else if (entry.isDirectory()) carryFolder(tree, next, path);
  }
}

function emptyFolder(tree: RetiredTree, folder: string, out: string): void {
  for (const { path, entry, isForeign } of entriesOf(tree, folder)) {
    const place = `${tree.root}/${path}`;
    if (isForeign) moveUnlessTaken(entry.name, join(tree.root, folder), join(out, folder));
    else if (!entry.isDirectory()) unlinkSync(place);
    else {
      emptyFolder(tree, path, out);
      rmdirSync(place);
    }
  }
}

/**
 * Moves a file, or merges a folder. Throws if a file already has the name of the folder, because the folder can contain
 * unique files.
 */
function moveUnlessTaken(name: Buffer, from: string | Buffer, to: string | Buffer): void {
  mkdirSync(to, { recursive: true });
  const [path, target] = [pathIn(from, name), pathIn(to, name)];
  if (!lstatSync(target, { throwIfNoEntry: false })) renameSync(path, target);
  else if (isFolder(path) && isFolder(target)) {
    for (const inner of readdirSync(path, 'buffer')) moveUnlessTaken(inner, path, target);
    rmdirSync(path);
  } else rmSync(path);
}

function* entriesOf({ root, files }: RetiredTree, folder: string) {
  for (const entry of readdirSync(`${root}/${folder}`, BY_BYTES)) {
    const path = folder === '' ? entry.name.toString() : `${folder}/${entry.name}`;
    const isOurs = isUtf8(entry.name) && (files.has(path) || isFileOfTree(entry, path));
    if (path !== MANIFEST_FILE) yield { path, entry, isForeign: !isOurs };
  }
}

function isFileOfTree(entry: Dirent<Buffer>, path: string): boolean {
  if (!path.includes('/')) return isTreeName(path);
  if (path.startsWith(`${WELL_KNOWN_FOLDER}/`)) return entry.isFile() && isWellKnown(path);
  return entry.isDirectory() || (entry.isFile() && isDocumentPath(path));
}
