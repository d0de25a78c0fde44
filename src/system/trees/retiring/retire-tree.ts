/**
 * Trees that others have replaced: only what gridpress wrote goes. What others put there, such as a CNAME or a .git, comes
 * to the same place in the new tree.
 */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MANIFEST_FILE } from '../../../core/tree/layout.ts';
import { linkAll } from '../../files/link-folder.ts';
import { retireTogether } from './retire-together.ts';
import { emptyFolder, entriesOf, type RetiringTree, retiringTree } from './retiring-tree.ts';

/** From this many documents and aliases on, a second thread is worth what it costs to start. */
const MANY = 10_000;

/** Removes a tree. Can be called again after it was interrupted: the manifest, by which a tree is known, goes last. */
export function retireTree(old: string, out: string): void {
  const tree = retiringTree(old);
  if (tree.size >= MANY) retireTogether(tree);
  emptyFolder(tree, '', (path) => {
    keep(join(old, path), join(out, path));
    return true;
  });
  rmSync(join(old, MANIFEST_FILE), { force: true });
  rmdirSync(old);
}

/** Links what others put into a tree into the one that is to replace it, where it has nothing of the name. */
export function carryOver(old: string, next: string): void {
  carryFolder(retiringTree(old), next, '');
}

function carryFolder(tree: RetiringTree, next: string, folder: string): void {
  for (const { path, entry, isOthers } of entriesOf(tree, folder)) {
    if (isOthers) {
      mkdirSync(dirname(join(next, path)), { recursive: true });
      linkAll(join(tree.old, path), join(next, path));
    } else if (entry.isDirectory()) carryFolder(tree, next, path);
  }
}

function keep(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(target)) rmSync(path, { recursive: true });
  else renameSync(path, target);
}
