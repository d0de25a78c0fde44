/**
 * Trees that others have replaced: only what gridpress wrote goes. What others put there, such as a CNAME or a .git, comes
 * to the same place in the new tree.
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
import { WELL_KNOWN_FOLDER } from '../../core/api/description/description-paths.ts';
import { isDocumentName, isTreeName, isWellKnown, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { linkAll } from '../files/link-folder.ts';
import { readManifestSummary } from './manifest-summary.ts';

/** Removes a tree. Can be called again after it was interrupted: the manifest, by which a tree is known, goes last. */
export function retireTree(old: string, out: string): void {
  retireFolder({ old, out, files: otherFilesOf(old) }, '');
  rmSync(join(old, MANIFEST_FILE), { force: true });
  rmdirSync(old);
}

/** Links what others put into a tree into the one that is to replace it, where it has nothing of the name. */
export function carryOver(old: string, next: string): void {
  carryFolder({ old, out: next, files: otherFilesOf(old) }, '');
}

/** What is known of a tree that goes: its root, the one that replaces it, and its files that are no documents. */
interface Retiring {
  readonly old: string;
  readonly out: string;
  readonly files: ReadonlySet<string>;
}

function otherFilesOf(tree: string): ReadonlySet<string> {
  return new Set(readManifestSummary(tree)?.files.map(({ file }) => file));
}

function retireFolder(retiring: Retiring, folder: string): void {
  const { old, out } = retiring;
  for (const { path, entry, isOthers } of entriesOf(retiring, folder)) {
    if (isOthers) keep(join(old, path), join(out, path));
    else if (entry.isDirectory()) {
      retireFolder(retiring, path);
      rmdirSync(`${old}/${path}`);
    } else unlinkSync(`${old}/${path}`);
  }
}

function carryFolder(retiring: Retiring, folder: string): void {
  const { old, out } = retiring;
  for (const { path, entry, isOthers } of entriesOf(retiring, folder)) {
    if (isOthers) {
      mkdirSync(dirname(join(out, path)), { recursive: true });
      linkAll(join(old, path), join(out, path));
    } else if (entry.isDirectory()) carryFolder(retiring, path);
  }
}

/** All that stands in a folder of a tree, but for the manifest. */
function* entriesOf({ old, files }: Retiring, folder: string) {
  for (const entry of readdirSync(`${old}/${folder}`, { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path !== MANIFEST_FILE) yield { path, entry, isOthers: !files.has(path) && !isOurs(entry, path) };
  }
}

function isOurs(entry: Dirent, path: string): boolean {
  if (entry.name === path) return isTreeName(path);
  if (path.startsWith(`${WELL_KNOWN_FOLDER}/`)) return entry.isFile() && isWellKnown(path);
  return entry.isDirectory() || (entry.isFile() && isDocumentName(entry.name));
}

function keep(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(target)) rmSync(path, { recursive: true });
  else renameSync(path, target);
}
