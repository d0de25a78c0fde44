/**
 * Where a tree or a registry is made: beside the old one, in a folder that is a lock at the same time, then put in its
 * place by renaming. Whenever it is interrupted, be it by a power cut, the old one is whole: in its place, or in that
 * folder, from where the next command puts it back.
 */

import { type Dirent, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WELL_KNOWN_FOLDER } from '../../core/api/description/description-paths.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { isDocumentName, isTreeName, isWellKnown, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { syncFolders, syncTree } from '../files/disk-sync.ts';
import { hasLock, holderOf, lockFolderOf, makeFolders, releaseLock, takeLock } from '../files/folder-lock.ts';
import { linkAll } from '../files/link-folder.ts';
import { failToWrite, systemCode } from '../files/system-errors.ts';
import { linkedTree, nextTree, pruneTrees, realPlaceOf, switchLink, treesOf } from './linked-place.ts';
import { readManifestSummary } from './manifest-summary.ts';
import { isOurs, writable } from './output-place.ts';

export interface Stage {
  /** What is written, by its real path, or the link of ours that leads there. */
  readonly place: string;
  readonly out: string;
  /** Whether the place is, or is to be, a link that is switched. */
  readonly isLinked: boolean;
  readonly lock: string;
  /** Where the new folder is made: an empty one, once the stage is open. */
  readonly next: string;
  /** Where the old one goes, while the new one takes its place. */
  readonly old: string;
  /** Where files are made that belong beside it, by those who make the folder. */
  readonly beside: string;
}

/** The stage of a folder; of a symbolic link's target, so that the link stays. */
export function stageOf(path: string, isLinked = false): Stage {
  const place = realPlaceOf(path);
  const linked = linkedTree(place);
  const lock = lockFolderOf(place);
  return {
    place,
    lock,
    out: linked ?? place,
    isLinked: isLinked || linked !== undefined,
    next: join(lock, 'next'),
    old: join(lock, 'old'),
    beside: join(lock, 'beside'),
  };
}

/** Begins a stage, which this process alone has until it ends it. Fails where another one has it. */
export function openStage(path: string, isLinked = false): Stage {
  const stage = stageOf(path, isLinked);
  const { place: folder, lock: held, next } = stage;
  writable(dirname(folder), () => {
    makeFolders(dirname(held));
    if (!takeLock(held)) fail(finding('build-running', { folder, held, pid: holderOf(held) }));
    tidy(stage);
    mkdirSync(next);
  });
  // The folder that stands there may be another than before.
  return stageOf(path, isLinked);
}

/** Puts back or clears away what an interrupted run left. What a running one does is its own affair. */
export function recover(stage: Stage): void {
  if (!existsSync(stage.lock)) return;
  writable(dirname(stage.place), () => {
    if (takeLock(stage.lock)) dropStage(stage);
  });
}

/** Ends a stage: what is made there goes, and the old folder is in its place, unless it was swapped. */
export function dropStage(stage: Stage): void {
  const { place, lock, isLinked } = stage;
  if (!hasLock(lock)) return;
  tidy(stage);
  if (isLinked) pruneTrees(place);
  releaseLock(lock);
}

/**
 * Puts the staged folder in the old one's place. All of it is on the disk before that, unless it may be lost; and the old
 * one goes once its names are. When it cannot be done, ending the stage puts the old one back.
 */
export function swap(stage: Stage, fsync = true): void {
  const { place, out, next, lock, isLinked } = stage;
  try {
    if (isLinked && existsSync(out)) carryOver(out, next);
    if (fsync) syncTree(next, out);
    if (isLinked) link(stage, fsync);
    else {
      if (existsSync(out)) moveAside(stage, fsync);
      renameSync(next, out);
    }
    if (existsSync(wholeIn(lock))) renameSync(wholeIn(lock), stage.old);
    if (fsync) syncFolders(dirname(place), lock);
    discard(stage);
  } catch (error) {
    failToWrite(place, error);
  }
}

/** Gives the staged folder its place among the trees, and makes the link lead there. */
function link(stage: Stage, fsync: boolean): void {
  const { place, out, next, lock } = stage;
  const tree = nextTree(place);
  makeFolders(treesOf(place));
  renameSync(next, tree);
  if (fsync) syncFolders(treesOf(place), dirname(place));
  const before = linkedTree(place);
  if (before === undefined && existsSync(place)) moveAside(stage, fsync);
  switchLink(place, tree, asideIn(lock));
  // What others have put there meanwhile.
  if (before !== undefined) carryOver(out, tree);
}

/** Renames the folder that stands there; where that cannot be done, it is copied and removed. */
function moveAside({ place, old, lock }: Stage, fsync: boolean): void {
  try {
    renameSync(place, old);
  } catch (error) {
    // Overlay file systems cannot rename a folder of the layers below.
    if (systemCode(error) !== 'EXDEV') throw error;
    linkAll(place, copyIn(lock));
    if (fsync) syncTree(copyIn(lock), place);
    renameSync(copyIn(lock), wholeIn(lock));
    if (fsync) syncFolders(lock);
    rmSync(place, { recursive: true });
  }
}

/** A copy in the making, of a folder that cannot be renamed. */
const copyIn = (lock: string) => join(lock, 'copy');
/** The whole copy: while it is there, it counts, and not the folder, which may have gone in part. */
const wholeIn = (lock: string) => join(lock, 'whole');
const asideIn = (lock: string) => join(lock, 'link');

/** Puts back what an interrupted swap has moved aside, or removes it if it was replaced, and clears the rest away. */
function tidy(stage: Stage): void {
  const { place, lock, old, next, beside } = stage;
  if (existsSync(wholeIn(lock))) {
    rmSync(place, { recursive: true, force: true });
    renameSync(wholeIn(lock), place);
    syncFolders(dirname(place), lock);
  }
  if (existsSync(old)) {
    if (!existsSync(place)) renameSync(old, place);
    syncFolders(dirname(place), lock);
    discard(stage);
  }
  for (const path of [next, beside, copyIn(lock), asideIn(lock)]) rmSync(path, { recursive: true, force: true });
}

/** Removes what was replaced: a tree of ours, or a registry whose files are all in the new one. */
function discard({ place, old }: Stage): void {
  if (!existsSync(old)) return;
  if (isOurs(old)) retireTree(old, place);
  else rmSync(old, { recursive: true, force: true });
}

/**
 * Removing a tree that was replaced: only files of gridpress are removed. Files of others, such as a CNAME or a .git, are
 * moved to the same place in the new tree.
 */
interface RetiredTree {
  readonly root: string;
  /** The files that are no documents. */
  readonly files: ReadonlySet<string>;
}

function retiredTree(root: string): RetiredTree {
  return { root, files: new Set(readManifestSummary(root)?.files.map(({ file }) => file)) };
}

/** Removes a tree. Can be called again after an interruption: the manifest, which marks a folder as a tree, is removed last. */
function retireTree(old: string, out: string): void {
  emptyFolder(retiredTree(old), '', out);
  rmSync(join(old, MANIFEST_FILE), { force: true });
  rmdirSync(old);
}

/** Links files of others into the tree that is to replace theirs, unless the name is taken there. */
function carryOver(old: string, next: string): void {
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
