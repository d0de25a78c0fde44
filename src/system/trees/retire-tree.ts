/**
 * Removing a tree that was replaced: only files of gridpress are removed. Files of others, such as a CNAME or a .git, are
 * moved to the same place in the new tree.
 */
import { type Dirent, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WELL_KNOWN_FOLDER } from '../../core/api/description/description-paths.ts';
import { isDocumentName, isTreeName, isWellKnown, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { linkAll } from '../files/link-folder.ts';
import { readManifestSummary } from './manifest-summary.ts';

interface RetiredTree {
  readonly root: string;
  /** The files that are no documents. */
  readonly files: ReadonlySet<string>;
}

function retiredTree(root: string): RetiredTree {
  return { root, files: new Set(readManifestSummary(root)?.files.map(({ file }) => file)) };
}

/** Removes a tree. Can be called again after an interruption: the manifest, which marks a folder as a tree, is removed last. */
export function retireTree(old: string, out: string): void {
  emptyFolder(retiredTree(old), '', out);
  rmSync(join(old, MANIFEST_FILE), { force: true });
  rmdirSync(old);
}

/** Links files of others into the tree that is to replace theirs, unless the name is taken there. */
export function carryOver(old: string, next: string): void {
  carryFolder(retiredTree(old), next, '');
}

function carryFolder(tree: RetiredTree, next: string, folder: string): void {
  for (const { path, entry, isForeign } of entriesOf(tree, folder)) {
    if (isForeign) {
      mkdirSync(dirname(join(next, path)), { recursive: true });
      linkAll(join(tree.root, path), join(next, path));
    } else if (entry.isDirectory()) carryFolder(tree, next, path);
  }
}

function emptyFolder(tree: RetiredTree, folder: string, out: string): void {
  for (const { path, entry, isForeign } of entriesOf(tree, folder)) {
    const place = `${tree.root}/${path}`;
    if (isForeign) keep(place, join(out, path));
    else if (!entry.isDirectory()) unlinkSync(place);
    else {
      emptyFolder(tree, path, out);
      rmdirSync(place);
    }
  }
}

function keep(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(target)) rmSync(path, { recursive: true });
  else renameSync(path, target);
}

function* entriesOf({ root, files }: RetiredTree, folder: string) {
  for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path !== MANIFEST_FILE) yield { path, entry, isForeign: !files.has(path) && !isOwn(entry, path) };
  }
}

function isOwn(entry: Dirent, path: string): boolean {
  if (entry.name === path) return isTreeName(path);
  if (path.startsWith(`${WELL_KNOWN_FOLDER}/`)) return entry.isFile() && isWellKnown(path);
  return entry.isDirectory() || (entry.isFile() && isDocumentName(entry.name));
}
